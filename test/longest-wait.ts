// The limit of a wait for what has to come, below that of a test, so that the wait's own failure is printed.

/**
 * Milliseconds. It only ends tests that would wait for ever: how long something takes on a busy machine is no reason to
 * fail.
 */
export const LONGEST_WAIT = 240_000;
