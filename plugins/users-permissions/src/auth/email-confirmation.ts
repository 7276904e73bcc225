import { addressBody, confirmationQuery } from "../body/bodies.js";
import { checkBody } from "../body/check-body.js";
import type { Account, AddressChange } from "../contract.js";
import { greetedName } from "../mail/templates.js";
import { type AuthTools, buildLink } from "./auth-tools.js";
import { AlreadyConfirmedError, WrongTokenError } from "../errors.js";
import { mailCode } from "./mail-code.js";
import { createCode, hashOfCode, useUpToken } from "./one-time-code.js";

/**
 * Sends another confirmation mail. Where addresses have to be confirmed, the answer is the same for every caller, and
 * everything else is done after it. Otherwise the answer says whether the address is confirmed, as the reference does.
 *
 * @throws PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_ALREADY_CONFIRMED (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export async function sendConfirmation(tools: AuthTools, input: unknown): Promise<{ readonly email: string }> {
  const { users, config, afterwards } = tools;
  const { email } = checkBody(input, addressBody);
  const find = () => users.findByEmail(email);
  if (!config.emailConfirmation.enabled && (await find())?.confirmed) throw new AlreadyConfirmedError({});
  afterwards.run("finding who is to be sent a confirmation token", async () => {
    const account = await find();
    if (account && !account.confirmed && !account.blocked) mailConfirmation(tools, account);
  });
  return { email: email.toLowerCase() };
}

/** Sends a confirmation token to the address of an account, after the answer. */
export function mailConfirmation(tools: AuthTools, account: Account): void {
  const { app, config, afterwards } = tools;
  const { email } = account;
  const username = greetedName(account);
  afterwards.run("sending a confirmation token", async () => {
    const { code, hash } = createCode(app, config.emailConfirmation.lifespan);
    const path = `${app.config.get("api.rest.prefix", "/api")}/auth/email-confirmation`;
    const link = buildLink(app, config.emailConfirmation, path, { confirmation: code });
    const mail = { to: email, template: "emailConfirmation", variables: { username, email, code, link } };
    await mailCode(tools, { account, stored: { confirmation_token: hash }, mail });
  });
}

/** Mails what follows from another address: a notice to the old one, and a token to the new one where it has to be confirmed. */
export function tellAddressChange(tools: AuthTools, { userId, oldAddress }: AddressChange): void {
  const { users, mailer, config, afterwards } = tools;
  afterwards.run("telling users about their new address", async () => {
    const account = await users.findById(userId);
    if (!account) return;
    if (config.emailConfirmation.enabled && !account.confirmed && !account.blocked) mailConfirmation(tools, account);
    if (oldAddress === undefined) return;
    const username = greetedName({ ...account, email: oldAddress });
    await mailer.send({ to: oldAddress, template: "emailChanged", variables: { username, email: oldAddress } });
  });
}

/**
 * Confirms the address that a token was sent to; it works once.
 *
 * @throws PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_WRONG_TOKEN (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export async function confirmEmail({ app, users }: AuthTools, input: unknown): Promise<Account> {
  const { confirmation } = checkBody(input, confirmationQuery);
  const hash = hashOfCode(app, confirmation);
  const account = hash === undefined ? undefined : await users.findByToken("confirmationToken", hash);
  if (!hash || !account) throw new WrongTokenError({});
  // In one transaction: the address may be changed in between, and the new one is not confirmed by this token.
  const confirmed = await app.db.transaction(async () => {
    const isUsed = await useUpToken(app, account.id, { confirmation_token: hash });
    return isUsed ? await users.update(account.id, { confirmed: true }) : undefined;
  });
  if (!confirmed) throw new WrongTokenError({});
  return confirmed;
}
