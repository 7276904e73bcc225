import type { App, Command, CommandContext } from "@plinth/core";
import { InvalidLimitError, NoJobNamedError, UnknownStateError } from "../errors.js";
import { jobsService } from "../jobs-service.js";
import { changeJobs, type JobState, selectJobs, type Selection, type ShownJob, STATES } from "../select-jobs.js";

const MOST_SHOWN = 100;

/** `plinth jobs list`: what waits, runs and is dead. */
const listCommand: Command = {
  description: "list the jobs that wait, run, or failed for the last time",
  options: {
    "--state <state>": `${STATES.join(", ")} only`,
    "--job <name>": "of one name only",
    "--limit <n>": `the oldest n; ${MOST_SHOWN} by default`,
    "--json": "print JSON, with the data",
  },
  async run({ app, options, print, table }) {
    const limit = limitOf(options["limit"]);
    const job = textOf(options["job"]);
    const found = await selectJobs(app, { states: statesOf(options["state"]), job }, limit);
    if (found.length === 0) assertName(app, job);
    if (options["json"]) return print(JSON.stringify(found, undefined, 2));
    if (found.length === 0) return print("There are no such jobs.");
    print(table(["ID", "JOB", "STATE", "ATTEMPTS", "SINCE", "KEY", "REASON"], found.map(rowOf)));
  },
};

const rowOf = ({ id, job, state, attempts, at, endedAt, key, reason }: ShownJob): readonly string[] => [
  id,
  job,
  state,
  String(attempts),
  (endedAt ?? at).toISOString(),
  key ?? "",
  reason ?? "",
];

/** @throws PLINTH_JOBS_UNKNOWN_STATE (500) */
function statesOf(value: unknown): readonly JobState[] {
  if (value === undefined) return STATES;
  const found = STATES.find((state) => state === value);
  if (!found) throw new UnknownStateError({ state: String(value), known: STATES });
  return [found];
}

/** @throws PLINTH_JOBS_LIMIT_INVALID (500) */
function limitOf(value: unknown): number {
  const limit = Number(value ?? MOST_SHOWN);
  if (!Number.isSafeInteger(limit) || limit < 1) throw new InvalidLimitError({ given: String(value) });
  return limit;
}

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

const WHICH = { "--job <name>": "all of one name", "--all": "all" };

/** `plinth jobs retry`: dead jobs run again. */
const retryCommand: Command = {
  description: "have jobs run again that failed for the last time: one, all of a name, or all",
  arguments: ["[id]"],
  options: WHICH,
  run: async (call) => {
    const count = await change(call, ["dead"], "retry");
    call.print(`${count} ${count === 1 ? "job is" : "jobs are"} run again.`);
  },
};

/** `plinth jobs drop`: jobs that are not to be run. */
const dropCommand: Command = {
  description: "delete jobs: one that does not run, all dead ones of a name, or all dead ones",
  arguments: ["[id]"],
  options: WHICH,
  run: async (call) => {
    const states: readonly JobState[] = call.arguments["id"] === undefined ? ["dead"] : ["dead", "waiting"];
    const count = await change(call, states, "drop");
    call.print(`${count} ${count === 1 ? "job is" : "jobs are"} deleted.`);
  },
};

/** @throws PLINTH_JOBS_NONE_NAMED, PLINTH_JOBS_NOT_FOUND, PLINTH_JOBS_UNKNOWN (500) */
async function change(
  { app, arguments: { id }, options }: CommandContext,
  states: Selection["states"],
  verb: "retry" | "drop",
): Promise<number> {
  const job = textOf(options["job"]);
  if (id === undefined && job === undefined && options["all"] !== true) throw new NoJobNamedError({});
  const count = await changeJobs(app, { states, id, job }, verb);
  if (count === 0) assertName(app, job);
  return count;
}

/** Jobs of a name that no code has any more can be listed and dropped. @throws PLINTH_JOBS_UNKNOWN (500) for one of which there are none */
function assertName(app: App, job: string | undefined): void {
  if (job !== undefined) app.extension(jobsService).definitions.get(job);
}

/** The commands of the plugin. */
export const commands: Readonly<Record<string, Command>> = {
  "jobs list": listCommand,
  "jobs retry": retryCommand,
  "jobs drop": dropCommand,
};
