import type { App } from "@plinth/core";
import type { JobsConfig } from "../config.js";
import type { Jobs } from "../contract.js";
import type { Definitions } from "../definitions.js";
import type { JobStore } from "../store.js";
import type { WakeUp } from "../wake-up.js";

/** What a worker works with. */
export interface WorkerParts {
  readonly app: App;
  readonly config: JobsConfig;
  readonly definitions: Definitions;
  readonly store: JobStore;
  readonly wakeUp: WakeUp;
  readonly jobs: Pick<Jobs, "enqueue">;
}
