/** Asks a serving process to stop. */
export const STOP = "stop";

/** Asks it to load the changed project. */
export const RELOAD = "reload";

/**
 * Its answer to its parent: it serves the project as it is, it goes on with the version before the change, or the
 * change needs a new process.
 */
export type ServingState = "ready" | "kept" | "outdated";
