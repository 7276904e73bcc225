import { createError, describeKnown } from "@plinth/core";

/** A database option that names no server. */
export const DatabaseOptionError = createError<{ readonly given: string }>(
  "PLINTH_TESTKIT_DATABASE_INVALID",
  500,
  (d) =>
    `createTestApp: "${d.given}" is not a database; leave it out for one in memory, or give postgres://user@host/database.`,
  {
    cause: "The option `database` of createTestApp is a string that is not a PostgreSQL address.",
    remedy: "Leave it out, or give the URL of a server on which the user may create databases.",
  },
);

/** A grant that cannot be understood. */
export const GrantInvalidError = createError<{ readonly problems: readonly string[] }>(
  "PLINTH_TESTKIT_GRANT_INVALID",
  500,
  (d) => `A test signs in with an invalid grant:\n${d.problems.map((problem) => `  ${problem}`).join("\n")}`,
  {
    cause: "`as` or `signIn` got something that is neither a grant nor a list of actions and rules.",
    remedy: "Correct each line that the message lists.",
  },
);

/** The plugin of the requested user, role, token or file is not enabled. */
export const PluginNeededError = createError<{ readonly plugin: string; readonly wanted: string }>(
  "PLINTH_TESTKIT_PLUGIN_NEEDED",
  500,
  (d) =>
    `${d.wanted} needs the plugin ${d.plugin}, which this app does not have; add it to the plugins of createTestApp.`,
  {
    cause: "A test asks for a user, a role, a token or a file of an app without the plugin that has them.",
    remedy: "Add the plugin to the app, or ask `as` a grant, which needs none.",
  },
);

/** There is no user or role of this name. */
export const PersonUnknownError = createError<{
  readonly kind: "role" | "user";
  readonly name: string;
  readonly known: readonly string[];
}>(
  "PLINTH_TESTKIT_PERSON_UNKNOWN",
  500,
  (d) => `There is no ${d.kind} "${d.name}" to sign in as; ${describeKnown(d.name, d.known)}`,
  {
    cause: "`signIn` names a role or a user that the database of the test does not have.",
    remedy: "Use the type of a role or the name of a user that exists, or make it first.",
  },
);

/** An expected mail or webhook did not arrive in time. */
export const NothingCaughtError = createError<{
  readonly kind: string;
  readonly wanted: string;
  readonly caught: number;
  readonly timeout: number;
}>(
  "PLINTH_TESTKIT_NOTHING_CAUGHT",
  500,
  (d) =>
    `No ${d.kind}${d.wanted && ` ${d.wanted}`} came within ${d.timeout} ms; ${d.caught} of all kinds did, see \`all\` of the catcher.`,
  {
    cause: "A test waits for a mail or a webhook that the app did not send, or that an earlier call already got.",
    remedy: "Look at `all` of the catcher and at `logged` of the app for what happened in its place.",
  },
);

/** An invalid time or duration. */
export const TimeInvalidError = createError<{ readonly given: string }>(
  "PLINTH_TESTKIT_TIME_INVALID",
  500,
  (d) => `The clock cannot be moved by ${d.given}; give days, hours, minutes, seconds or milliseconds, or a date.`,
  {
    cause: "A test moves its clock by something that is not a duration, or to something that is not a date.",
    remedy: "Give an object such as { days: 31 }, or a date such as 2030-01-01T00:00:00Z.",
  },
);

/** Time goes one way. */
export const ClockBackwardsError = createError<{ readonly wanted: string; readonly now: string }>(
  "PLINTH_TESTKIT_CLOCK_BACKWARDS",
  500,
  (d) => `The clock cannot go back to ${d.wanted}: it is ${d.now}. To return to the real time, call reset().`,
  {
    cause: "A test moves its clock to a time that has passed.",
    remedy: "Move it forward only; write dates of the past into the data of the test.",
  },
);

/** Two fixtures are called the same. */
export const FixtureDuplicateError = createError<{ readonly name: string; readonly uids: readonly string[] }>(
  "PLINTH_TESTKIT_FIXTURE_DUPLICATE",
  500,
  (d) => `Two fixtures are called "${d.name}", of ${d.uids.join(" and ")}; give each a name of its own.`,
  { cause: "Fixtures of two content-types have the same name, so a ref is ambiguous.", remedy: "Rename one of them." },
);

/** A ref leads nowhere. */
export const FixtureUnknownError = createError<{
  readonly name: string;
  readonly in: string;
  readonly known: readonly string[];
}>(
  "PLINTH_TESTKIT_FIXTURE_UNKNOWN",
  500,
  (d) => `The fixture "${d.in}" refers to "${d.name}", which does not exist. ${describeKnown(d.name, d.known)}`,
  {
    cause: "A fixture has a ref to a name that no fixture of the same call has.",
    remedy: "Correct the name, or load both fixtures in one call.",
  },
);

/** Fixtures refer to each other in a cycle. */
export const FixtureCycleError = createError<{ readonly path: readonly string[] }>(
  "PLINTH_TESTKIT_FIXTURE_CYCLE",
  500,
  (d) => `Fixtures refer to each other in a cycle: ${d.path.join(" -> ")}; leave one of the refs out.`,
  {
    cause: "Every fixture of a cycle of refs needs another one to exist first.",
    remedy: "Say one side of a two-sided relation only, or link the last one by an update.",
  },
);
