import { createError, describeKnown } from "@plinth/core";

/** The plugin's part of config/plugins cannot be used. */
export const InvalidJobsConfigError = createError<{ problems: readonly string[] }>(
  "PLINTH_JOBS_CONFIG_INVALID",
  500,
  (d) => `The configuration of "jobs" in config/plugins cannot be used: ${d.problems.join("; ")}.`,
  {
    cause: "A key of the plugin's configuration is unknown, or its value has the wrong form.",
    remedy: "Correct each problem that the message lists.",
  },
);

/** A job or its times are declared in a way that cannot be. */
export const InvalidDefinitionError = createError<{ name: string; problems: readonly string[] }>(
  "PLINTH_JOBS_DEFINITION_INVALID",
  500,
  (d) => `The job "${d.name}" cannot be declared: ${d.problems.join("; ")}.`,
  {
    cause: "jobs.define or jobs.cron got something that no job can have.",
    remedy: "Correct each problem that the message lists.",
  },
);

/** A job is declared when the app has started. */
export const LateDefinitionError = createError<{ name: string }>(
  "PLINTH_JOBS_LATE",
  500,
  (d) => `The job "${d.name}" is declared too late: call jobs.define and jobs.cron in register.`,
  {
    cause: "jobs.define or jobs.cron was called in bootstrap or later: then it is fixed what a process works on.",
    remedy: "Move the call to `register` of the plugin or the app.",
  },
);

/** A job that is not declared. */
export const UnknownJobError = createError<{ name: string; known: readonly string[] }>(
  "PLINTH_JOBS_UNKNOWN",
  500,
  (d) => `There is no job "${d.name}". ${describeKnown(d.name, d.known)}`,
  {
    cause: "jobs.enqueue, jobs.cron or a command names a job that no plugin and not the app has declared.",
    remedy: "Declare it by jobs.define in `register`, or correct the name.",
  },
);

/** A job cannot be stored as it was given. */
export const InvalidEnqueueError = createError<{ name: string; reason: string }>(
  "PLINTH_JOBS_ENQUEUE_INVALID",
  500,
  (d) => `The job "${d.name}" cannot be enqueued: ${d.reason}.`,
  {
    cause: "The data are no JSON or too large, or the key, the priority or the time has the wrong form.",
    remedy: "Give plain data below a megabyte, such as ids of documents, and read the rest when the job runs.",
  },
);

/** `--limit` of `plinth jobs list` has the wrong form. */
export const InvalidLimitError = createError<{ given: string }>(
  "PLINTH_JOBS_LIMIT_INVALID",
  500,
  (d) => `--limit takes a whole number of at least 1, not "${d.given}".`,
  {
    cause: "`plinth jobs list` was given something else than a number of jobs.",
    remedy: "Give a number such as 20, or leave --limit out.",
  },
);

/** An attempt took longer than it may. */
export const JobTimeoutError = createError<{ name: string; timeout: number }>(
  "PLINTH_JOBS_TIMEOUT",
  500,
  (d) => `The job "${d.name}" took longer than ${d.timeout} ms.`,
  {
    cause: "The job did not end within its `timeout`. It may go on, unless it heeds its signal.",
    remedy: "Do less in one job, raise its `timeout`, and pass its `signal` to what takes long.",
  },
);

/** Why the signal of a job is aborted: the process stops. */
export const JobReturnedError = createError<{ name: string }>(
  "PLINTH_JOBS_RETURNED",
  500,
  (d) => `The process stops before the job "${d.name}" has ended; it is run again.`,
  {
    cause: "The process was asked to stop, and the job did not end within `server.closeTimeout`.",
    remedy: "Nothing, where the job bears to be run again; else do less in one job.",
  },
);

/** Why the signal of a job is aborted: another process has it. */
export const JobLostError = createError<{ name: string }>(
  "PLINTH_JOBS_LOST",
  500,
  (d) => `The process lost hold of the job "${d.name}": it did not say for too long that it runs it.`,
  {
    cause:
      "The event loop stood still, or the database could not be reached, for longer than `lease` of the plugin jobs.",
    remedy: "Do not block the event loop in jobs; raise `lease` where they have to.",
  },
);

/** Why a job is dead that no process has seen the end of. */
export const JobAbandonedError = createError<{ name: string; attempts: number }>(
  "PLINTH_JOBS_ABANDONED",
  500,
  (d) => `The job "${d.name}" is not begun again after ${d.attempts} attempts: the process of the last one is gone.`,
  {
    cause:
      "A process died while it ran the job, or did not say for too long that it runs it, and that was the last attempt.",
    remedy: "See why the process ended, such as a lack of memory; plinth jobs retry runs the job again.",
  },
);

/** A command or a request names a job that is not there. */
export const JobNotFoundError = createError<{ id: string }>(
  "PLINTH_JOBS_NOT_FOUND",
  404,
  (d) => `There is no job ${d.id} in a state in which that can be done.`,
  {
    cause: "The id is wrong, or the job has run meanwhile.",
    remedy: "Look it up by plinth jobs list, or on the page.",
  },
);

/** A command names a state that jobs do not have. */
export const UnknownStateError = createError<{ state: string; known: readonly string[] }>(
  "PLINTH_JOBS_UNKNOWN_STATE",
  500,
  (d) => `There is no state "${d.state}". ${describeKnown(d.state, d.known)}`,
  { cause: "--state of plinth jobs list got another word.", remedy: "Use one of the states that the message lists." },
);

/** A command does not say which jobs it is about. */
export const NoJobNamedError = createError<object>(
  "PLINTH_JOBS_NONE_NAMED",
  500,
  () => "It is not said which jobs: give an id of plinth jobs list, --job <name> or --all.",
  { cause: "plinth jobs retry or drop got no id and no option.", remedy: "Name the jobs; --all is all dead ones." },
);

/** A request of the page about jobs has not the form of one; every problem at once. */
export const InvalidRequestError = createError<{
  errors: readonly { readonly path: string; readonly message: string }[];
}>("PLINTH_JOBS_REQUEST_INVALID", 400, (d) => d.errors.map(({ path, message }) => `${path} ${message}`).join("; "), {
  cause: "A request below /admin/api/jobs has a parameter or a member that is unknown, or not a text.",
  remedy: "Correct what the message names.",
});
