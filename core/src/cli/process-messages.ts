/** What a process that serves is told when it has to end. */
export const STOP = "stop";

/** What it is told when the project has changed. */
export const RELOAD = "reload";

/**
 * What it tells the one that started it: that it serves the project as it is, that it goes on with the version before the
 * change, or that only another process can take the change over.
 */
export type ServingState = "ready" | "kept" | "outdated";
