import { changePasswordBody } from "../body/bodies.js";
import { checkBody } from "../body/check-body.js";
import type { Account } from "../contract.js";
import type { AuthTools } from "./auth-tools.js";
import { SamePasswordError, WrongPasswordError } from "./errors.js";
import { assertAllowed, assertTypedTwice } from "./new-password.js";

/**
 * Gives a user another password, which ends all of the user's sessions.
 *
 * @throws PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_WRONG_PASSWORD, PLINTH_AUTH_SAME_PASSWORD (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export async function changePassword({ app, users }: AuthTools, account: Account, input: unknown): Promise<Account> {
  const body = checkBody(input, changePasswordBody, "later");
  assertTypedTwice(body);
  const isRight = await users.verifyPassword(account, body.currentPassword);
  if (!isRight) throw new WrongPasswordError({});
  if (body.password === body.currentPassword) throw new SamePasswordError({});
  assertAllowed(app, body, account);
  const changed = await users.setPassword(account.id, body.password);
  if (!changed) throw new WrongPasswordError({});
  return changed;
}
