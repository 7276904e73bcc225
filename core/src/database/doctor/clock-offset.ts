import type { Clock } from "../clock.js";
import type { Finding } from "./finding.js";

/** Milliseconds. */
const [APART, FAR_APART] = [500, 5_000];

/** How far the clock of this machine is from that of the database. */
export function examineClock({ offset }: Pick<Clock, "offset">): readonly Finding[] {
  if (Math.abs(offset) <= APART) return [];
  const weight = Math.abs(offset) > FAR_APART ? "error" : "warning";
  const what = `of this machine is ${Math.round(Math.abs(offset))} ms ${offset > 0 ? "behind" : "before"} that of the database`;
  const advice =
    "Let both follow NTP. Content has the time of the database; logs and certificates that of the machine.";
  return [{ weight, kind: "clock", where: "the clock", what, advice }];
}
