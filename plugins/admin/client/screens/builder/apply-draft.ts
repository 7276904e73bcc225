import type { BuilderApplication, BuilderChange } from "../../../src/wire/builder.js";
import { ApiError, api } from "../../app/api.js";

/** How far the application of a plan is. */
export type ApplyStage = "writing" | "restarting" | "ready" | "failed";

/** Milliseconds between two questions, and how long a start is waited for. */
const PAUSE = 300;
const PATIENCE = 90_000;

/**
 * Applies a plan, and waits until the app runs with it. The server restarts meanwhile: a question that gets no answer is
 * asked again.
 *
 * @throws ApiError where it is refused, and where there is no server in time
 */
export async function applyPlan(
  application: BuilderApplication,
  tell: (stage: ApplyStage) => void,
): Promise<BuilderChange> {
  tell("writing");
  const { change } = await api<{ readonly change: BuilderChange }>("/builder/apply", {
    method: "POST",
    body: application,
  });
  tell("restarting");
  const end = Date.now() + PATIENCE;
  for (;;) {
    const now = await ask(end);
    if (now?.id === change.id && now.state !== "restarting") {
      tell(now.state);
      return now;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** @returns nothing while the server does not answer */
async function ask(end: number): Promise<BuilderChange | null | undefined> {
  try {
    return (await api<{ readonly change: BuilderChange | null }>("/builder/change")).change;
  } catch (error) {
    const isStarting = error instanceof ApiError && (error.isOffline || error.status >= 500);
    if (!isStarting || Date.now() > end) throw error;
    return undefined;
  }
}
