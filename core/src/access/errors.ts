import { createError } from "../base/error.js";
import type { AccessProblem } from "./check-grant.js";

/** The credentials of the request are not valid. */
export const UnauthenticatedError = createError<object>(
  "PLINTH_ACCESS_UNAUTHENTICATED",
  401,
  () => "Missing or invalid credentials",
  {
    cause: "The Authorization header carries credentials that no strategy accepts.",
    remedy: "Send a valid token, or no Authorization header at all for what the public may do.",
  },
);

/** The caller is identified and does not have the permission. */
export const ForbiddenError = createError<object>("PLINTH_ACCESS_FORBIDDEN", 403, () => "Forbidden", {
  cause: "The actor's ability does not include the action of the route.",
  remedy: "Grant the action to the caller, or send credentials that have it.",
});

/** Code reads or writes as the caller where there is none. */
export const NoCallerError = createError<object>(
  "PLINTH_ACCESS_NO_CALLER",
  500,
  () => 'There is no caller for `visibility: "caller"`',
  {
    cause:
      'An operation on documents says `visibility: "caller"` in code that no request runs, such as a job or `bootstrap`, or in a global middleware before the route has identified the caller.',
    remedy: "Give the `ability` of whom the work is for, or leave `visibility` out where the code itself is trusted.",
  },
);

const describe = (problems: readonly AccessProblem[]) => problems.map((p) => `  ${p.path}: ${p.message}`).join("\n");

/** The configuration of access cannot be read; every problem at once. */
export const InvalidAccessConfigError = createError<{ problems: readonly AccessProblem[] }>(
  "PLINTH_ACCESS_INVALID_CONFIG",
  500,
  (d) => `The access configuration is wrong:\n${describe(d.problems)}`,
  {
    cause: "config/access holds a key or a value that access does not understand.",
    remedy: 'Use "none", "read", "all" or a list of actions such as "api::article.article.find" or "api::article.*".',
  },
);

/** The grants of code to roles are malformed, or do not fit the content model; every problem at once. */
export const InvalidPermissionsError = createError<{ problems: readonly AccessProblem[] }>(
  "PLINTH_ACCESS_INVALID_PERMISSIONS",
  500,
  (d) => `The permissions are wrong:\n${describe(d.problems)}`,
  {
    cause:
      "config/permissions, config/access or a plugin grants an action, content-type or attribute that does not exist, or two rules for one action.",
    remedy: "Fix each line that the message lists.",
  },
);

/** A rule no longer fits its content-type. */
export const BrokenRuleError = createError<{ action: string; problem: string }>(
  "PLINTH_ACCESS_BROKEN_RULE",
  500,
  (d) => `The rule of ${d.action} cannot be used: ${d.problem}`,
  {
    cause: "A rule that is kept in the database names an attribute that was removed or changed since.",
    remedy: "Grant the action again, with a filter that fits the content-type.",
  },
);

/** Two strategies have one name. */
export const DuplicateStrategyError = createError<{ strategy: string }>(
  "PLINTH_ACCESS_DUPLICATE_STRATEGY",
  500,
  (d) => `The authentication strategy "${d.strategy}" is registered twice; give one of them another name.`,
  {
    cause: "app.auth.register was called twice with the same name.",
    remedy: "Register each strategy once, in register of the plugin that owns it.",
  },
);

/** Something else than a way to identify callers was registered as one. */
export const StrategyInvalidError = createError<{ readonly what: string }>(
  "PLINTH_ACCESS_STRATEGY_INVALID",
  500,
  (d) => `${d.what}; nothing was changed.`,
  {
    cause: "Code of the app or of a plugin calls `app.auth.register` or `app.auth.setPublic` with something else.",
    remedy: "Pass what the message says: it is asked for every request.",
  },
);

/** More passwords wait to be hashed or compared than can be done soon. */
export const PasswordsBusyError = createError<{ readonly waiting: number }>(
  "PLINTH_PASSWORDS_BUSY",
  503,
  () => "Too many sign-ins at once; try again in a few seconds.",
  {
    cause: "Hashing and comparing passwords takes tens of milliseconds each, and the queue for it is full.",
    remedy:
      "Try again after the time of the Retry-After header. Where this is not an attack, add processor cores or processes.",
  },
);

/** Something else than a text was to be hashed or compared. */
export const PasswordNotTextError = createError<{ readonly given: string }>(
  "PLINTH_PASSWORDS_NOT_TEXT",
  500,
  (d) => `app.passwords takes a password and a hash that are texts; it was given a value of type ${d.given}.`,
  {
    cause: "Code of the app or of a plugin calls `app.passwords` with a value that was not checked.",
    remedy: "Check what a request sends before it is hashed: a password is a text of 1 to 72 bytes.",
  },
);

/** A thread that hashes passwords ended. */
export const PasswordThreadError = createError<{ readonly reason: string }>(
  "PLINTH_PASSWORDS_THREAD_ENDED",
  500,
  (d) => `A thread that hashes passwords ended: ${d.reason}`,
  {
    cause: "The app stopped while a password was hashed or compared, or the thread ran out of memory.",
    remedy: "Try again; where it happens while the app runs, look at the memory that the process may use.",
  },
);
