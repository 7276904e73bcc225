import { reasonOf } from "@plinth/core";
import type { CronOptions, JobDefinition } from "./contract.js";
import { type CronTimes, isCron, parseCron } from "./cron-times.js";
import { InvalidDefinitionError, LateDefinitionError, UnknownJobError } from "./errors.js";

/** A job with everything that may be left out. */
export type CompleteDefinition = Required<Omit<JobDefinition, "key">> & Pick<JobDefinition, "key">;

/** When a job is enqueued by the clock. */
export interface CronDefinition {
  readonly name: string;
  readonly expression: string;
  readonly timezone: string;
  readonly times: CronTimes;
}

const NAME = /^[a-z0-9]+([-_.:][a-z0-9]+)*$/i;
const LONGEST_NAME = 60;
const DAY = 86_400_000;
const DEFAULTS = { retries: 5, backoff: 5_000, timeout: 900_000, concurrency: 1 } as const;

/** The least and the most of each number. */
const RANGES = {
  retries: [0, 1_000],
  backoff: [0, DAY],
  timeout: [1, DAY],
  concurrency: [1, 1_000],
} as const satisfies Readonly<Record<keyof typeof DEFAULTS, readonly [number, number]>>;

/** What jobs there are, and when they are enqueued by the clock; fixed once everything has registered. */
export class Definitions {
  readonly #jobs = new Map<string, CompleteDefinition>();
  readonly #crons = new Map<string, CronDefinition>();
  #isSealed = false;

  /** @throws PLINTH_JOBS_DEFINITION_INVALID, PLINTH_JOBS_LATE (500) */
  define<Data>(definition: JobDefinition<Data>): void {
    const { name } = definition;
    this.#assertOpen(name);
    const problems = problemsOf(definition);
    if (this.#jobs.has(name)) problems.push("there is one of this name already");
    if (problems.length > 0) throw new InvalidDefinitionError({ name, problems });
    // Data are what was enqueued; its author says of which type.
    this.#jobs.set(name, { ...DEFAULTS, ...(definition as JobDefinition) });
  }

  /** @throws PLINTH_JOBS_DEFINITION_INVALID, PLINTH_JOBS_LATE (500) */
  cron(name: string, expression: string, { timezone = "UTC" }: CronOptions = {}): void {
    this.#assertOpen(name);
    const fail = (problem: string, cause?: unknown) =>
      new InvalidDefinitionError({ name, problems: [problem] }, { cause });
    if (this.#crons.has(name)) throw fail("it has times already");
    if (!isCron(expression)) throw fail(`"${expression}" must have five fields, or six with seconds in front`);
    try {
      this.#crons.set(name, { name, expression, timezone, times: parseCron(expression, timezone) });
    } catch (error) {
      throw fail(`"${expression}" in "${timezone}" says no times: ${reasonOf(error)}`, error);
    }
  }

  /** From now on nothing is added. @throws PLINTH_JOBS_UNKNOWN (500) for times of a job that is not there */
  seal(): void {
    this.#isSealed = true;
    for (const name of this.#crons.keys()) this.get(name);
  }

  /** @throws PLINTH_JOBS_UNKNOWN (500) */
  get(name: string): CompleteDefinition {
    const definition = this.#jobs.get(name);
    if (!definition) throw new UnknownJobError({ name, known: this.names });
    return definition;
  }

  get names(): readonly string[] {
    return [...this.#jobs.keys()];
  }

  get crons(): readonly CronDefinition[] {
    return [...this.#crons.values()];
  }

  #assertOpen(name: string): void {
    if (this.#isSealed) throw new LateDefinitionError({ name });
  }
}

function problemsOf<Data>({ name, run, key, ...numbers }: JobDefinition<Data>): string[] {
  const problems: string[] = [];
  if (typeof name !== "string" || !NAME.test(name) || name.length > LONGEST_NAME)
    problems.push(`its name must be at most ${LONGEST_NAME} letters and digits, with "-", "_", "." or ":" in between`);
  if (typeof run !== "function") problems.push("run must be a function");
  if (key !== undefined && typeof key !== "function") problems.push("key must be a function");
  for (const [option, value] of Object.entries(numbers)) {
    const [least, most] = RANGES[option as keyof typeof RANGES] ?? [];
    if (least === undefined || most === undefined) problems.push(`"${option}" is no option of a job`);
    else if (value !== undefined && !(Number.isInteger(value) && value >= least && value <= most))
      problems.push(`${option} must be a whole number from ${least} to ${most}`);
  }
  return problems;
}
