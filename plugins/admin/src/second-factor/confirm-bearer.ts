import type { ActorUser, App } from "@plinth/core";
import type { LoginProof } from "@plinth/plugin-api-tokens";
import { CodeNeededError, SetUpNeededError, WrongCodeError } from "./errors.js";
import { limitCodes } from "./limit-codes.js";
import { secondFactors } from "./second-factors.js";

/**
 * Asks for the code of an account with a second factor, before it gets a bearer. A passkey needs a browser; in its place a recovery code
 * is taken.
 *
 * @throws PLINTH_ADMIN_SECOND_FACTOR_NEEDED (401), PLINTH_ADMIN_SECOND_FACTOR_WRONG (401), PLINTH_ADMIN_SECOND_FACTOR_SETUP (403),
 * PLINTH_ADMIN_TOO_MANY_CODES (429)
 */
export async function confirmBearer(
  app: App,
  user: ActorUser,
  { code, address, retryAfter }: LoginProof,
): Promise<void> {
  const factors = app.service(secondFactors);
  if (await factors.mustSetUp(user)) throw new SetUpNeededError({});
  if ((await factors.kindsOf(user)).length === 0) return;
  if (code === undefined) throw new CodeNeededError({});
  const used = await limitCodes(app, { ip: address, account: user, retryAfter }, () => factors.spendCode(user, code));
  if (!used) throw new WrongCodeError({});
}
