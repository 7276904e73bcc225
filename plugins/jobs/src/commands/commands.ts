import type { App, Command, CommandContext } from "@plinth/core";
import { JobNotFoundError, NoJobNamedError, UnknownStateError } from "../errors.js";
import { type JobsService, jobsService } from "../jobs-service.js";
import { selectJobs, type Selection, type ShownJob, type ShownState, STATES } from "./select-jobs.js";

const MOST_SHOWN = 100;

/** `plinth jobs list`: what waits, runs and is dead. */
const listCommand: Command = {
  description: "list the jobs that wait, run, or failed for the last time",
  options: {
    "--state <state>": `${Object.keys(STATES).join(", ")} only`,
    "--job <name>": "of one name only",
    "--limit <n>": `the oldest n; ${MOST_SHOWN} by default`,
    "--json": "print JSON, with the data",
  },
  async run({ app, options, print, table }) {
    const limit = Number(options["limit"] ?? MOST_SHOWN);
    const found = await selectJobs(app, { states: statesOf(options["state"]), job: textOf(options["job"]), limit });
    if (options["json"]) return print(JSON.stringify(found, undefined, 2));
    if (found.length === 0) return print("There are no such jobs.");
    print(table(["ID", "JOB", "STATE", "ATTEMPTS", "SINCE", "KEY", "REASON"], found.map(rowOf)));
  },
};

const rowOf = ({ id, job, state, attempts, at, startedAt, endedAt, key, reason }: ShownJob): readonly string[] => {
  const since = (endedAt ?? (state === "running" ? startedAt : at) ?? at).toISOString();
  return [id, job, state, String(attempts), since, key ?? "", reason ?? ""];
};

/** @throws PLINTH_JOBS_UNKNOWN_STATE (500) */
function statesOf(value: unknown): readonly ShownState[] {
  const known = Object.keys(STATES) as ShownState[];
  if (value === undefined) return known;
  const found = known.find((state) => state === value);
  if (!found) throw new UnknownStateError({ state: String(value), known });
  return [found];
}

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));

const WHICH = { "--job <name>": "all of one name", "--all": "all" };

/** `plinth jobs retry`: dead jobs run again. */
const retryCommand: Command = {
  description: "have jobs run again that failed for the last time: one, all of a name, or all",
  arguments: ["[id]"],
  options: WHICH,
  run: async (call) => {
    const count = await change(call, ["dead"], (service, name, ids) => service.parts.store.retry(name, ids));
    call.print(`${count} ${count === 1 ? "job is" : "jobs are"} run again.`);
  },
};

/** `plinth jobs drop`: jobs that are not to be run. */
const dropCommand: Command = {
  description: "delete jobs: one that does not run, all dead ones of a name, or all dead ones",
  arguments: ["[id]"],
  options: WHICH,
  run: async (call) => {
    const states: readonly ShownState[] = call.arguments["id"] === undefined ? ["dead"] : ["dead", "waiting"];
    const count = await change(call, states, (service, name, ids) => service.parts.store.drop(name, ids));
    call.print(`${count} ${count === 1 ? "job is" : "jobs are"} deleted.`);
  },
};

type Change = (service: JobsService, name: string, ids: readonly string[]) => Promise<number>;

/** @throws PLINTH_JOBS_NONE_NAMED, PLINTH_JOBS_NOT_FOUND, PLINTH_JOBS_UNKNOWN (500) */
async function change(
  { app, arguments: { id }, options }: CommandContext,
  states: Selection["states"],
  run: Change,
): Promise<number> {
  const job = textOf(options["job"]);
  if (id === undefined && job === undefined && options["all"] !== true) throw new NoJobNamedError({});
  const found = await selectJobs(app, { states, id, job });
  if (id !== undefined && found.length === 0) throw new JobNotFoundError({ id });
  return await changeAll(app, found, run);
}

async function changeAll(app: App, found: readonly ShownJob[], run: Change): Promise<number> {
  const service = app.extension(jobsService);
  let count = 0;
  for (const name of new Set(found.map(({ job }) => job))) {
    const ids = found.filter(({ job }) => job === name).map(({ id }) => id);
    count += await run(service, name, ids);
    service.parts.wakeUp.tell(name);
  }
  return count;
}

/** The commands of the plugin. */
export const commands: Readonly<Record<string, Command>> = {
  "jobs list": listCommand,
  "jobs retry": retryCommand,
  "jobs drop": dropCommand,
};
