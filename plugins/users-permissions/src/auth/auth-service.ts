import { implement } from "@plinth/core";
import { reportAuth } from "@plinth/core/telemetry";
import { loginBody, registerBody } from "../body/bodies.js";
import { checkBody, isRecord } from "../body/check-body.js";
import type { UsersPermissionsConfig } from "../config.js";
import { type Account, type Auth, auth, jwt, sessions, users } from "../contract.js";
import {
  BlockedError,
  messageOnly,
  NameTakenError,
  ParametersNotAllowedError,
  RegistrationClosedError,
  UnconfirmedError,
  WrongCredentialsError,
} from "../errors.js";
import { accountMails } from "./account-mails.js";
import { type AuthTools, LOCAL, signIn } from "./auth-tools.js";
import { confirmEmail, sendConfirmation } from "./email-confirmation.js";
import { changePassword, forgotPassword, resetPassword } from "./new-password.js";

const deps = { users, jwt, sessions, mails: accountMails };

/** Authentication, for REST and other transports. */
export const authImpl = implement<Auth, typeof deps, UsersPermissionsConfig>(auth, {
  deps,
  create: (services, { app, config }) => createAuth({ ...services, app, config }),
});

function createAuth(tools: AuthTools): Auth {
  const { app } = tools;
  return {
    login: async (input, device) => signIn(tools, await reportAuth(app, "login", () => login(tools, input)), device),
    register: async (input, device) => {
      const account = await reportAuth(app, "register", () => register(tools, input));
      if (account.confirmed) return signIn(tools, account, device);
      return { user: await tools.users.describe(account.id) };
    },
    changePassword: async (account, input, device) =>
      signIn(tools, await reportAuth(app, "password", () => changePassword(tools, account, input)), device),
    forgotPassword: (input) => forgotPassword(tools, input),
    resetPassword: async (input, device) =>
      signIn(tools, await reportAuth(app, "reset", () => resetPassword(tools, input)), device),
    sendConfirmation: (input) => sendConfirmation(tools, input),
    confirmEmail: (input) => confirmEmail(tools, input),
    settle: () => tools.mails.settle(),
  };
}

/**
 * Authenticates by password. An unknown account, one of another provider, and a wrong password have the same answer,
 * after the same time. Only its owner learns the state of an account.
 *
 * @throws PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_WRONG_CREDENTIALS, PLINTH_AUTH_UNCONFIRMED, PLINTH_AUTH_BLOCKED (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
async function login({ users, config }: AuthTools, input: unknown): Promise<Account> {
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

/**
 * Creates a user from an untrusted body. Only listed fields are taken, for any schema.
 *
 * @throws PLINTH_AUTH_REGISTRATION_CLOSED, PLINTH_AUTH_PARAMETERS_NOT_ALLOWED, PLINTH_USERS_BODY_INVALID,
 * PLINTH_AUTH_NAME_TAKEN, PLINTH_INPUT_* (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
async function register({ users, config, mails }: AuthTools, input: unknown): Promise<Account> {
  const { enabled, allowedFields } = config.register;
  if (!enabled) throw new RegistrationClosedError({});
  const given = isRecord(input) ? input : {};
  assertAllowed(given, [...Object.keys(registerBody.entries), ...allowedFields]);
  const { email, username, password } = checkBody(given, registerBody, "later");
  if (await users.isTaken({ username, email })) throw new NameTakenError({});
  // Reported only when nothing else is wrong.
  checkBody(given, registerBody);
  const account = await users.create({
    ...pick(given, allowedFields),
    username,
    email: email.toLowerCase(),
    password,
    provider: LOCAL,
    confirmed: !config.emailConfirmation.enabled,
  });
  // Not in one transaction with the account, which would keep a connection while the password waits for its turn to be hashed.
  if (!account.confirmed) await mails.request({ kind: "confirmationCode", address: account.email });
  return account;
}

function assertAllowed(given: Readonly<Record<string, unknown>>, allowed: readonly string[]): void {
  const keys = Object.keys(given).filter((key) => !allowed.includes(key));
  if (keys.length > 0) throw new ParametersNotAllowedError({ [messageOnly]: keys });
}

function pick(given: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));
}
