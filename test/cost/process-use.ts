import { readFileSync } from "node:fs";

/** What a process used: seconds of processor since it started, and megabytes of memory that it holds now. */
export interface ProcessUse {
  readonly processor: number;
  readonly memory: number;
}

/** Of a second, on every Linux that Node.js runs on. */
const TICKS = 100;
const KILOBYTES = 1024;

/**
 * Reads what a process used; memory without what it shares with others, as PostgreSQL's processes do their buffers.
 *
 * @returns undefined when the process has ended, or the system has no /proc.
 * @source https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function useOf(pid: number): ProcessUse | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const own = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return { processor: (Number(fields[11]) + Number(fields[12])) / TICKS, memory: Number(own ?? 0) / KILOBYTES };
  } catch {
    return undefined;
  }
}
