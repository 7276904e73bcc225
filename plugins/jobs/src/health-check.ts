import type { HealthCheck } from "@plinth/core/http";
import type { Worker } from "./worker/worker.js";

/** Milliseconds for which a job may wait before that is worth a word. */
const LATE = 60_000;

/** What a process says of its jobs. It never makes a process that takes requests unready: those do not need jobs. */
export function healthCheck(worker: Pick<Worker, "state">): HealthCheck {
  return {
    name: "jobs",
    run: () => {
      const { state } = worker;
      if (!state) return { status: "ok", works: false };
      const { running, oldest, reason } = state;
      const found = { works: true, running, oldest: Math.round(oldest) };
      if (reason !== undefined) return { status: "degraded", ...found, reason };
      return oldest > LATE ? { status: "degraded", ...found, reason: "jobs wait" } : { status: "ok", ...found };
    },
  };
}
