import type { BuilderApplication, BuilderChange } from "../../../src/wire/builder.js";
import { ApiError, api } from "../../app/api.js";

/** How far the application of a plan is. */
export type ApplyStage = "writing" | "restarting" | "ready" | "failed";

/** Milliseconds between two questions, and how long a start is waited for. */
const PAUSE = 300;
const PATIENCE = 90_000;

const rest = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

/**
 * Asks the server until it answers: it restarts when a file changes, and is not there for a moment.
 *
 * @throws ApiError where it refuses, and where it is not there in time
 */
export async function whenServed<T>(ask: () => Promise<T>, end = Date.now() + PATIENCE): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isStarting = error instanceof ApiError && (error.isOffline || error.status === 503);
    if (!isStarting || Date.now() > end) throw error;
  }
  await rest();
  return await whenServed(ask, end);
}

/**
 * Applies a plan, and waits until the app runs with it.
 *
 * @throws ApiError where it is refused, and where there is no server in time
 */
export async function applyPlan(
  application: BuilderApplication,
  tell: (stage: ApplyStage) => void,
): Promise<BuilderChange> {
  tell("writing");
  const { change } = await api<Newest>("/builder/apply", { method: "POST", body: application });
  tell("restarting");
  for (;;) {
    const { change: now } = await whenServed(() => api<Newest>("/builder/change"));
    if (now?.id === change?.id && now && now.state !== "restarting") {
      tell(now.state);
      return now;
    }
    await rest();
  }
}

interface Newest {
  readonly change: BuilderChange | null;
}
