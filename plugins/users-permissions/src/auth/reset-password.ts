import { addressBody, resetPasswordBody } from "../body/bodies.js";
import { checkBody } from "../body/check-body.js";
import type { Account } from "../contract.js";
import { greetedName } from "../mail/greeted-name.js";
import { type AuthTools, buildLink, LOCAL } from "./auth-tools.js";
import { WrongCodeError } from "./errors.js";
import { assertAllowed, assertTypedTwice } from "./new-password.js";
import { createCode, hashOfCode, storeToken, useUpToken } from "./one-time-code.js";

/**
 * Sends a reset code to an address, if a user with a password has it. All of that is done after the
 * answer, so that neither the answer nor its time reveals which addresses have an account.
 *
 * @throws PLINTH_USERS_BODY_INVALID (400)
 */
export function forgotPassword(tools: AuthTools, input: unknown): void {
  const { email } = checkBody(input, addressBody);
  tools.afterwards.run("sending a reset code", () => sendCode(tools, email));
}

async function sendCode({ app, users, mailer, config }: AuthTools, address: string): Promise<void> {
  const account = await users.findByEmail(address);
  if (!account || account.blocked || account.provider !== LOCAL) return;
  const { email } = account;
  const username = greetedName(account);
  const { code, hash } = createCode(config.resetPassword.lifespan);
  if (!(await storeToken(app, account, { reset_password_token: hash }))) return;
  const link = buildLink(app, config.resetPassword, "/reset-password", { code });
  await mailer.send("resetPassword", email, { username, email, code, link });
}

/**
 * Sets the password of the user of a reset code. It works once, and ends all of the user's sessions.
 *
 * @throws PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_WRONG_CODE (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export async function resetPassword({ app, users }: AuthTools, input: unknown): Promise<Account> {
  const body = checkBody(input, resetPasswordBody, "later");
  assertTypedTwice(body);
  const hash = hashOfCode(body.code);
  const account = hash === undefined ? undefined : await users.findByToken("resetPasswordToken", hash);
  if (!hash || !account || account.blocked || account.provider !== LOCAL) throw new WrongCodeError({});
  assertAllowed(app, body, account);
  if (!(await useUpToken(app, account.id, { reset_password_token: hash }))) throw new WrongCodeError({});
  const changed = await users.setPassword(account.id, body.password);
  if (!changed) throw new WrongCodeError({});
  // The code was mailed to the address, so using it confirms the address.
  if (changed.confirmed || changed.email !== account.email) return changed;
  return (await users.update(changed.id, { confirmed: true })) ?? changed;
}
