// What PostgreSQL itself used, as the operating system accounts for it.
import { readdirSync, readFileSync } from "node:fs";
import { withClient } from "./run-sql.mjs";

const MILLISECONDS_PER_TICK = 10;

/**
 * Finds the server's processes.
 *
 * @param {string} url - of a database of the server.
 * @returns {Promise<() => number | undefined>} milliseconds of processor time of all its processes so far, those that
 *   have ended included; undefined where they cannot be seen, as on another machine.
 */
export async function watchPostgres(url) {
  const backend = await withClient(url, async (client) => {
    const { rows } = await client.query("select pg_backend_pid() as pid");
    return readProcess(rows[0].pid);
  });
  const main = backend?.name === "postgres" ? readProcess(backend.parent) : undefined;
  if (main?.name !== "postgres") return () => undefined;
  return () => cpuOf(main.pid);
}

function cpuOf(mainPid) {
  const { busy, busyOfEnded } = readProcess(mainPid);
  const children = readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => readProcess(entry))
    .filter((found) => found?.parent === mainPid);
  return children.reduce((sum, child) => sum + child.busy, busy + busyOfEnded) * MILLISECONDS_PER_TICK;
}

/**
 * A process, times in ticks; undefined when there is none.
 *
 * @source https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
function readProcess(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = text.lastIndexOf(")");
    const rest = text.slice(end + 2).split(" ");
    const at = (field) => Number(rest[field - 3]);
    const name = text.slice(text.indexOf("(") + 1, end);
    return { pid: Number(pid), name, parent: at(4), busy: at(14) + at(15), busyOfEnded: at(16) + at(17) };
  } catch {
    // It has ended since it was listed, or this system has no /proc.
    return undefined;
  }
}
