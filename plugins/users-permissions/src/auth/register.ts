import { registerBody } from "../body/bodies.js";
import { checkBody, isRecord } from "../body/check-body.js";
import type { Account } from "../contract.js";
import { type AuthTools, LOCAL } from "./auth-tools.js";
import { messageOnly, NameTakenError, ParametersNotAllowedError, RegistrationClosedError } from "./errors.js";

/**
 * Creates a user from an untrusted body. Only listed fields are taken, for any schema.
 *
 * @throws PLINTH_AUTH_REGISTRATION_CLOSED, PLINTH_AUTH_PARAMETERS_NOT_ALLOWED, PLINTH_USERS_BODY_INVALID,
 * PLINTH_AUTH_NAME_TAKEN, PLINTH_INPUT_* (400)
 * @source plugins/content-api/WIRE.md#users-and-roles
 */
export async function register({ users, config }: AuthTools, input: unknown): Promise<Account> {
  const { enabled, allowedFields } = config.register;
  if (!enabled) throw new RegistrationClosedError({});
  const given = isRecord(input) ? input : {};
  assertAllowed(given, [...Object.keys(registerBody.entries), ...allowedFields]);
  const { email, username, password } = checkBody(given, registerBody, "later");
  if (await users.isTaken({ username, email })) throw new NameTakenError({});
  // Reported only when nothing else is wrong.
  checkBody(given, registerBody);
  return users.create({
    ...pick(given, allowedFields),
    username,
    email: email.toLowerCase(),
    password,
    provider: LOCAL,
    confirmed: !config.emailConfirmation.enabled,
  });
}

function assertAllowed(given: Readonly<Record<string, unknown>>, allowed: readonly string[]): void {
  const keys = Object.keys(given).filter((key) => !allowed.includes(key));
  if (keys.length > 0) throw new ParametersNotAllowedError({ [messageOnly]: keys });
}

function pick(given: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));
}
