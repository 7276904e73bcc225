/** How long remains of a project, such as a timer, may keep a finished command alive, in milliseconds. */
const LINGER = 2_000;

/** Ends the process when it does not end by itself soon. */
export function exitWhenIdle(): void {
  setTimeout(() => process.exit(), LINGER).unref();
}
