import { loginBody } from "../body/bodies.js";
import { checkBody } from "../body/check-body.js";
import type { Account } from "../contract.js";
import { type AuthTools, LOCAL } from "./auth-tools.js";
import { BlockedError, UnconfirmedError, WrongCredentialsError } from "./errors.js";

/**
 * Authenticates by password. An unknown account, one of another provider, and a wrong password have the same answer,
 * after the same time. Only its owner learns the state of an account.
 *
 * @throws PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_WRONG_CREDENTIALS, PLINTH_AUTH_UNCONFIRMED, PLINTH_AUTH_BLOCKED (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export async function login({ users, config }: AuthTools, input: unknown): Promise<Account> {
  const { identifier, password } = checkBody(input, loginBody);
  const found = await users.findByIdentifier(identifier);
  const account = found?.provider === LOCAL ? found : undefined;
  const isRight = await users.verifyPassword(account, password);
  if (!account || !isRight) throw new WrongCredentialsError({});
  assertMayEnter(account, config.emailConfirmation.enabled);
  return account;
}

function assertMayEnter({ confirmed, blocked }: Account, needsConfirmation: boolean): void {
  if (needsConfirmation && !confirmed) throw new UnconfirmedError({});
  if (blocked) throw new BlockedError({});
}
