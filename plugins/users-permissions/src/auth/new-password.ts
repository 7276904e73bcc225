import type { App } from "@plinth/core";
import * as v from "@plinth/core/valibot";
import { addressBody, changePasswordBody, password as newPassword, resetPasswordBody } from "../body/bodies.js";
import { checkBody } from "../body/check-body.js";
import type { Account } from "../contract.js";
import { BodyInvalidError, SamePasswordError, WrongCodeError, WrongPasswordError } from "../errors.js";
import { greetedName } from "../mail/templates.js";
import { assertAllowedPassword } from "../users/password-rules.js";
import type { MailTools } from "./account-mails.js";
import { type AuthTools, buildLink, LOCAL } from "./auth-tools.js";
import { mailCode } from "./mail-code.js";
import { createCode, hashOfCode, useUpToken } from "./one-time-code.js";

const passwordBody = v.object({ password: newPassword });

/**
 * Checks that both texts are the same.
 *
 * @throws PLINTH_USERS_BODY_INVALID (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
function assertTypedTwice({ password, passwordConfirmation }: NewPassword): void {
  if (password === passwordConfirmation) return;
  const message = "Passwords do not match";
  const problem = { path: ["passwordConfirmation"], message, name: "ValidationError", value: passwordConfirmation };
  throw new BodyInvalidError({ errors: [problem] });
}

/** Checks a password against the rules, after its owner is authenticated. @throws PLINTH_USERS_BODY_INVALID (400) */
function assertAllowed(app: App, { password }: NewPassword, { username, email }: Account): void {
  checkBody({ password }, passwordBody);
  assertAllowedPassword(app, password, [username, email]);
}

interface NewPassword {
  readonly password: string;
  readonly passwordConfirmation: string;
}

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

/**
 * Requests a reset code for an address. Whether a user has it is looked up later, so that neither the answer nor its time
 * reveals which addresses have an account.
 *
 * @throws PLINTH_USERS_BODY_INVALID (400)
 */
export async function forgotPassword({ mails }: AuthTools, input: unknown): Promise<void> {
  const { email } = checkBody(input, addressBody);
  await mails.request({ kind: "resetCode", address: email });
}

/** Sends a reset code to an address, if a user with a password has it. */
export async function sendResetCode(tools: MailTools, address: string): Promise<void> {
  const { app, users, config } = tools;
  const account = await users.findByEmail(address);
  if (!account || account.blocked || account.provider !== LOCAL) return;
  const { email } = account;
  const username = greetedName(account);
  const { code, hash } = createCode(app, config.resetPassword.lifespan);
  const link = buildLink(app, config.resetPassword, "/reset-password", { code });
  const mail = { to: email, template: "resetPassword", variables: { username, email, code, link } };
  await mailCode(tools, { account, stored: { reset_password_token: hash }, mail });
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
  const hash = hashOfCode(app, body.code);
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
