/** What a process that serves tells the one that started it. */
export const READY = "ready";

/** What it is told when it has to end. */
export const STOP = "stop";
