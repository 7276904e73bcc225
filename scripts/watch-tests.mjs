// Says each minute where the processes of `npm test` are, and kills one whose tests stand still: an endless loop in a test
// leaves no timer of mocha to end it, and a run that is cut from outside says nothing.
import { existsSync, readFileSync, statSync } from "node:fs";

/** Seconds between two looks. */
const TELL_EVERY = 60;
/** No test may take as many seconds. */
const STUCK_AFTER = 600;

/**
 * @param {string[]} files - where each process notes its id, how many tests have ended, and the title of the one that begins, a line each
 *   (test/count-reporter.cjs); a file that is gone is not watched
 * @param {{ tellEvery?: number, stuckAfter?: number, say?: (line: string) => void }} [options] - in seconds
 * @returns {() => void} ends the watch
 */
export function watchTests(files, { tellEvery = TELL_EVERY, stuckAfter = STUCK_AFTER, say = console.error } = {}) {
  const since = Date.now();
  const look = () => {
    const started = files.filter((file) => existsSync(file));
    const states = started.map((file) => ({ ...readState(file), still: (Date.now() - statSync(file).mtimeMs) / 1000 }));
    const minutes = ((Date.now() - since) / 60_000).toFixed(0);
    for (const { ended, title } of states)
      say(`[plinth] ${minutes} min: ${ended} tests of one process ended, now: ${title}`);
    for (const { pid, title, still } of states) {
      if (still < stuckAfter) continue;
      say(`[plinth] killed: nothing has happened for ${still.toFixed(0)} s in: ${title}`);
      kill(pid);
    }
  };
  const timer = setInterval(look, tellEvery * 1000).unref();
  return () => clearInterval(timer);
}

function readState(file) {
  const [pid = "", ended = "", title = ""] = readFileSync(file, "utf8").split("\n");
  return { pid: Number(pid), ended, title };
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It ended by itself between the look and the signal.
    if (error.code !== "ESRCH") throw error;
  }
}
