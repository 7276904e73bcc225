import { type App, type ExtensionRef, extensionRef, implement, type ServiceContext } from "@plinth/core";
import { jsonText } from "@plinth/core/schema";
import { traceparentOf } from "@plinth/core/telemetry";
import type { JobsConfig } from "./config.js";
import {
  type CronOptions,
  type EnqueueOptions,
  type JobDefinition,
  type Jobs,
  jobs,
  type WaitingJob,
} from "./contract.js";
import { Definitions } from "./definitions.js";
import { InvalidEnqueueError } from "./errors.js";
import { JobStore } from "./store.js";
import { WakeUp } from "./wake-up.js";
import { Worker } from "./worker/worker.js";

/** The service behind `jobs`, and what of it works. */
export class JobsService implements Jobs {
  readonly definitions = new Definitions();
  readonly app: App;
  readonly config: JobsConfig;
  #parts: WorkingParts | undefined;

  constructor({ app, config }: ServiceContext<JobsConfig>) {
    this.app = app;
    this.config = config;
  }

  define<Data>(definition: JobDefinition<Data>): void {
    this.definitions.define(definition);
  }

  cron(name: string, expression: string, options?: CronOptions): void {
    this.definitions.cron(name, expression, options);
  }

  async enqueue<Data>(name: string, data: Data, options: EnqueueOptions = {}): Promise<string | undefined> {
    const definition = this.definitions.get(name);
    const { at, priority = 0, key = definition.key?.(data) } = options;
    assertOptions(name, { at, priority, key });
    const { store, wakeUp } = this.parts;
    const job = { name, key, trace: traceparentOf(), priority, at, attempts: definition.retries + 1 };
    const id = await store.add({ ...job, data: jsonOf(name, data) });
    if (id !== undefined && (at === undefined || at.getTime() <= this.app.clock.now())) wakeUp.afterCommit(name);
    return id;
  }

  async cancel(name: string, keys: readonly string[]): Promise<number> {
    this.definitions.get(name);
    return await this.parts.store.cancel(name, keys);
  }

  async waiting<Data>(name: string): Promise<readonly WaitingJob<Data>[]> {
    this.definitions.get(name);
    return (await this.parts.store.waiting(name)) as readonly WaitingJob<Data>[];
  }

  idle(): Promise<void> {
    return this.parts.worker.idle();
  }

  /** From bootstrap on. @throws PLINTH_APP_TOO_EARLY (500) */
  get parts(): WorkingParts {
    this.#parts ??= createParts(this);
    return this.#parts;
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await this.#parts?.worker.stop(0);
    await this.#parts?.wakeUp.close();
  }
}

/** What works with the database. */
interface WorkingParts {
  readonly store: JobStore;
  readonly wakeUp: WakeUp;
  readonly worker: Worker;
}

function createParts(service: JobsService): WorkingParts {
  const { app, config, definitions } = service;
  const store = new JobStore(app.db, config.lease);
  const wakeUp = new WakeUp(app);
  return { store, wakeUp, worker: new Worker({ app, config, definitions, store, wakeUp, jobs: service }) };
}

/** The same as `jobs`, for the plugin itself. */
export const jobsService: ExtensionRef<JobsService> = extensionRef<JobsService>(jobs.uid);

/** The service behind `jobs`. */
export const jobsImpl = implement(jobsService, {
  create: (context: ServiceContext<JobsConfig>) => new JobsService(context),
});

/** As an index takes it, in any language. */
const LONGEST_KEY = 500;
const LARGEST_DATA = 1_000_000;
const HIGHEST_PRIORITY = 2_147_483_647;

/** @throws PLINTH_JOBS_ENQUEUE_INVALID (500) */
function assertOptions(name: string, { at, priority, key }: EnqueueOptions): void {
  const fail = (reason: string) => new InvalidEnqueueError({ name, reason });
  if (at !== undefined && !(at instanceof Date && Number.isFinite(at.getTime()))) throw fail("`at` must be a date");
  if (!Number.isInteger(priority) || Math.abs(Number(priority)) > HIGHEST_PRIORITY)
    throw fail("the priority must be a whole number");
  if (key !== undefined && (typeof key !== "string" || key === "" || key.length > LONGEST_KEY || key.includes("\0")))
    throw fail(`the key must be a string of 1 to ${LONGEST_KEY} characters`);
}

/** @throws PLINTH_JOBS_ENQUEUE_INVALID (500) */
function jsonOf(name: string, data: unknown): string {
  const json = jsonText(data);
  if ("problem" in json) throw new InvalidEnqueueError({ name, reason: json.problem }, { cause: json.cause });
  if (json.text.length > LARGEST_DATA)
    throw new InvalidEnqueueError({ name, reason: `the data are larger than ${LARGEST_DATA} characters` });
  return json.text;
}
