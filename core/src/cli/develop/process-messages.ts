/** Asks a serving process to stop. */
export const STOP = "stop";

/** Asks it to load the changed project. */
export interface Reload {
  readonly type: "reload";
  /** What has changed: paths of files and folders from the folder of the project. */
  readonly paths: readonly string[];
}

/** Whether a message of the parent is that. */
export const isReload = (message: unknown): message is Reload =>
  typeof message === "object" && message !== null && (message as Partial<Reload>).type === "reload";

/**
 * Its answer to its parent: it serves the project as it is, it goes on with the version before the change, or the
 * change needs a new process.
 */
export type ServingState = "ready" | "kept" | "outdated";
