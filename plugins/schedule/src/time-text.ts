import * as v from "@plinth/core/valibot";

/** Whether a text begins with a day that there is, and with no 31st of February, of which a date makes one of March. */
function isDay(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return Number.isFinite(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
}

/** A time as requests and archives write it: `2030-01-31T09:00:00Z`. */
export const timeText = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check((given) => Number.isFinite(Date.parse(given)) && isDay(given)),
);
