// What each file of tests took in the run that was recorded last: by it, a run of all deals files to its processes.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./ensure-ready.mjs";

/** `{ "test/x.test.ts": [seconds, seconds of processor] }`; a file that is missing is taken for a short one. */
const RECORD = join(ROOT, "test", "file-costs.json");
const UNKNOWN = [3, 2];

let recorded;

function costsOf(file) {
  recorded ??= existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, "utf8")) : {};
  return recorded[file.replaceAll("\\", "/")] ?? UNKNOWN;
}

/** Seconds that a file took. */
export const secondsOf = (file) => costsOf(file)[0];

/** Whether a file mostly waits: for timeouts, or for other processes' answers. */
export function waits(file) {
  const [seconds, cpu] = costsOf(file);
  return seconds > 5 && cpu < seconds / 4;
}

/** Records a run, over what is recorded of other files. @param files what the reporter left of each file, by its path */
export function recordCosts(files) {
  const earlier = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, "utf8")) : {};
  const round = (seconds) => Math.round(seconds * 10) / 10;
  const now = Object.entries(files).map(([file, { seconds, cpu }]) => [file, [round(seconds), round(cpu)]]);
  const all = { ...earlier, ...Object.fromEntries(now) };
  const known = Object.keys(all)
    .filter((file) => existsSync(join(ROOT, file)))
    .sort();
  const lines = known.map((file) => `  ${JSON.stringify(file)}: [${all[file].join(", ")}]`);
  writeFileSync(RECORD, `{\n${lines.join(",\n")}\n}\n`);
}
