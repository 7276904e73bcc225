import type { Reading } from "./series.js";

/** Metrics that an app reports by channels. */
export interface Listening {
  /** Listens from now on. */
  start(): void;
  /** Listens no more. */
  stop(): void;
  read(): readonly Reading[];
}
