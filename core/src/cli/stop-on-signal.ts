import { printFailure } from "./print-failure.js";
import { STOP } from "./develop/process-messages.js";
import { say } from "./terminal.js";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
/** A terminal and npm may each deliver one Ctrl-C; only a signal later than this counts as the second one. */
const SAME_WISH = 500;

/** Whether the process was asked to end. */
export interface Ending {
  readonly isWanted: boolean;
  /** Stops listening, so that nothing here keeps the process alive. */
  release(): void;
}

/** What ends a process beside the usual. */
export interface EndingOptions {
  /** Gets SIGHUP, which then does not end it. */
  readonly onHangup?: () => void;
}

/**
 * Runs `stop` once when the process is asked to end: by SIGINT, SIGTERM or SIGHUP, by the message "stop" of a parent
 * process, or when that parent is gone. A second signal ends the process at once.
 */
export function stopOnSignal(stop: () => Promise<void>, { onHangup }: EndingOptions = {}): Ending {
  let since: number | undefined;
  const ask = () => {
    if (since !== undefined) return;
    since = performance.now();
    void end(stop, release);
  };
  const onSignal = () => {
    if (since !== undefined && performance.now() - since > SAME_WISH) endNow();
    ask();
  };
  const onMessage = (message: unknown) => message === STOP && ask();
  const release = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off("SIGHUP", onHangup ?? onSignal);
    process.off("message", onMessage).off("disconnect", ask);
    if (process.connected) process.disconnect();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on("SIGHUP", onHangup ?? onSignal);
  process.on("message", onMessage).on("disconnect", ask);
  return {
    get isWanted() {
      return since !== undefined;
    },
    release,
  };
}

function endNow(): never {
  say("ended without waiting");
  process.exit(130);
}

/** A child process leaves messages to its parent. */
async function end(stop: () => Promise<void>, release: () => void): Promise<void> {
  const tell = process.connected ? () => undefined : say;
  tell("stopping ...");
  try {
    await stop();
    tell("stopped");
  } catch (error) {
    printFailure(error, { withStack: false });
    process.exitCode = 1;
  }
  release();
  exitWhenIdle();
}

/** How long remains of a project, such as a timer, may keep a finished command alive, in milliseconds. */
const LINGER = 2_000;

/** Ends the process when it does not end by itself soon. */
export function exitWhenIdle(): void {
  setTimeout(() => process.exit(), LINGER).unref();
}
