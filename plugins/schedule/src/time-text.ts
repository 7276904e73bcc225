import * as v from "@plinth/core/valibot";

/** What a text of four digits for the year can say. */
const [FIRST, LAST] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/** Whether a text begins with a day that there is, and with no 31st of February, of which a date makes one of March. */
function isDay(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return Number.isFinite(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
}

/** Whether something is a time that archives and requests can say: none of the year 10000, also not in UTC. */
export const isTime = (given: unknown): given is Date =>
  given instanceof Date && given.getTime() >= FIRST && given.getTime() <= LAST;

/** A time as requests and archives write it: `2030-01-31T09:00:00Z`. */
export const timeText = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check((given) => isTime(new Date(given)) && isDay(given)),
);

/** What is wrong with the time of a plan, to complete "publishAt ..."; code may give anything. */
export function problemOfTime(given: unknown, now: number): string | undefined {
  if (!isTime(given)) return "must be a time before the year 10000";
  return given.getTime() > now ? undefined : "must be a time that is not over";
}
