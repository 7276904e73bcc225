import { addressBody, confirmationQuery } from "../body/bodies.js";
import { checkBody } from "../body/check-body.js";
import type { Account } from "../contract.js";
import { greetedName } from "../mail/templates.js";
import type { AddressChange, MailTools } from "./account-mails.js";
import { type AuthTools, buildLink } from "./auth-tools.js";
import { AlreadyConfirmedError, WrongTokenError } from "../errors.js";
import { mailCode } from "./mail-code.js";
import { createCode, hashOfCode, useUpToken } from "./one-time-code.js";

/**
 * Requests another confirmation mail. Where addresses have to be confirmed, the answer is the same for every caller, and
 * everything else is done later. Otherwise the answer says whether the address is confirmed, as the reference does.
 *
 * @throws PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_ALREADY_CONFIRMED (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export async function sendConfirmation(
  { users, config, mails }: AuthTools,
  input: unknown,
): Promise<{ readonly email: string }> {
  const { email } = checkBody(input, addressBody);
  if (!config.emailConfirmation.enabled && (await users.findByEmail(email))?.confirmed)
    throw new AlreadyConfirmedError({});
  await mails.request({ kind: "confirmationCode", address: email });
  return { email: email.toLowerCase() };
}

/** Sends a confirmation token to an address, if a user has it who has not confirmed it. */
export async function sendConfirmationCode(tools: MailTools, address: string): Promise<void> {
  const account = await tools.users.findByEmail(address);
  if (account && !account.confirmed && !account.blocked) await mailConfirmation(tools, account);
}

async function mailConfirmation(tools: MailTools, account: Account): Promise<void> {
  const { app, config } = tools;
  const { email } = account;
  const username = greetedName(account);
  const { code, hash } = createCode(app, config.emailConfirmation.lifespan);
  const path = `${app.config.get("api.rest.prefix", "/api")}/auth/email-confirmation`;
  const link = buildLink(app, config.emailConfirmation, path, { confirmation: code });
  const mail = { to: email, template: "emailConfirmation", variables: { username, email, code, link } };
  await mailCode(tools, { account, stored: { confirmation_token: hash }, mail });
}

/** Mails what follows from another address: a notice to the old one, and a token to the new one where it has to be confirmed. */
export async function sendAddressChange(tools: MailTools, { userId, oldAddress }: AddressChange): Promise<void> {
  const { users, mailer, config } = tools;
  const account = await users.findById(userId);
  if (!account) return;
  if (config.emailConfirmation.enabled && !account.confirmed && !account.blocked)
    await mailConfirmation(tools, account);
  if (oldAddress === undefined) return;
  const username = greetedName({ ...account, email: oldAddress });
  await mailer.send({ to: oldAddress, template: "emailChanged", variables: { username, email: oldAddress } });
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
