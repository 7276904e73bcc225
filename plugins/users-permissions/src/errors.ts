import { createError } from "@plinth/core";

/** One thing that is wrong with one field of a body. */
export interface BodyProblem {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: "ValidationError" | string;
  /** What was sent; absent when nothing was. */
  readonly value?: unknown;
}

/** Fields of a body are missing or wrong; every problem at once. */
export const BodyInvalidError = createError<{ readonly errors: readonly BodyProblem[] }>(
  "PLINTH_USERS_BODY_INVALID",
  400,
  ({ errors }) => (errors.length === 1 ? (errors[0]?.message ?? "") : `${errors.length} errors occurred`),
  {
    cause: "A field of the body of a request about users is missing, or has the wrong type or form.",
    remedy: "Correct the fields that details.errors lists.",
  },
);

/** The configuration of the plugin cannot be used; every problem at once. */
export const ConfigInvalidError = createError<{ readonly problems: readonly string[] }>(
  "PLINTH_USERS_CONFIG_INVALID",
  500,
  (d) => `The configuration of users-permissions is wrong:\n${d.problems.map((problem) => `  ${problem}`).join("\n")}`,
  {
    cause: "config/plugins holds a key or value for users-permissions that it does not understand.",
    remedy: "Correct each line that the message lists.",
  },
);

/** A configured role does not exist. */
export const RoleMissingError = createError<{ readonly type: string; readonly known: readonly string[] }>(
  "PLINTH_USERS_ROLE_MISSING",
  500,
  (d) =>
    `There is no role "${d.type}" for new users; known are ${d.known.join(", ")}. Set defaultRole in config/plugins.`,
  {
    cause: "The configuration names a default role that the database does not have.",
    remedy: "Name an existing role in `defaultRole` of users-permissions, or create it.",
  },
);

/** The token's user is blocked or deleted, or the token was revoked. */
export const InvalidCredentialsError = createError<object>(
  "PLINTH_USERS_INVALID_CREDENTIALS",
  401,
  () => "Invalid credentials",
  {
    cause: "The token's user is blocked or deleted, or the token was issued before all sessions were ended.",
    remedy: "Sign in again, and have an administrator unblock the account where it is blocked.",
  },
);

/** The request needs a signed-in user. */
export const NotSignedInError = createError<object>("PLINTH_USERS_NOT_SIGNED_IN", 401, () => "Unauthorized", {
  cause: "The request needs a signed-in user: it is anonymous or carries an API token.",
  remedy: "Send the JWT of a user.",
});

/** There is no such user. */
export const UserNotFoundError = createError<object>("PLINTH_USERS_USER_NOT_FOUND", 404, () => "User not found", {
  cause: "No user has the id in the path.",
  remedy: "Use the `id` of a user, as GET /api/users shows it.",
});

/** There is no such role. */
export const RoleNotFoundError = createError<object>("PLINTH_USERS_ROLE_NOT_FOUND", 404, () => "Role not found", {
  cause: "No role has the id in the path.",
  remedy: "Use the `id` of a role, as GET /api/users-permissions/roles shows it.",
});

/** Details for the message only; the wire format has empty ones. */
const messageOnly = Symbol("messageOnly");

/** A request about users or roles cannot be carried out; the message says which rule it breaks. */
export const RefusedError = createError<{ readonly [messageOnly]: string }>(
  "PLINTH_USERS_REFUSED",
  400,
  (d) => d[messageOnly],
  {
    cause: "The change of a user or a role would break a rule: a name is taken, a role is missing.",
    remedy: "Do what the message says.",
    name: "ApplicationError",
  },
);

/** A RefusedError that says this. */
export function refused(message: string, options?: ErrorOptions): InstanceType<typeof RefusedError> {
  return new RefusedError({ [messageOnly]: message }, options);
}

/** An id in a path is not a number. */
export const IdInvalidError = createError<{ readonly id: string }>(
  "PLINTH_USERS_ID_INVALID",
  400,
  (d) => `The id "${d.id}" is not a number; users and roles are addressed by their numeric id.`,
  {
    cause: "The path has a string where the numeric id of a user or a role belongs.",
    remedy: "Use the `id`, not the `documentId`.",
  },
);
