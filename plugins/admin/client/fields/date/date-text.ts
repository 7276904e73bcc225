import type { AttributeKind } from "../../../src/wire/model.js";

/** Type of the browser's input for a kind of date. */
export function inputTypeOf(kind: AttributeKind): "date" | "time" | "datetime-local" {
  if (kind === "date" || kind === "time") return kind;
  return "datetime-local";
}

/** The zone of the reader. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const CLOCK = { hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" } as const;
const DAY = { era: "short", year: "numeric", month: "numeric", day: "numeric" } as const;

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", { timeZone: zone, calendar: "gregory", ...DAY, ...CLOCK });
  clocks.set(zone, made);
  return made;
}

/** By how many milliseconds the clocks of a zone are ahead of UTC at a moment. */
export function offsetAt(moment: number, zone: string): number {
  const whole = Math.floor(moment / 1_000) * 1_000;
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(whole)
      .map(({ type, value }) => [type, value]),
  );
  const part = (name: string) => Number(parts[name]);
  const shown = new Date(0);
  const year = parts["era"] === "BC" ? 1 - part("year") : part("year");
  shown.setUTCFullYear(year, part("month") - 1, part("day"));
  shown.setUTCHours(part("hour"), part("minute"), part("second"));
  return shown.getTime() - whole;
}

/** A stored value as the browser's input has it: moments by the clocks of a zone. */
export function toInput(kind: AttributeKind, value: string | null | undefined, zone = ownZone()): string {
  if (!value) return "";
  if (kind === "date") return value.slice(0, 10);
  if (kind === "time") return value.slice(0, 8);
  const moment = Date.parse(value);
  if (Number.isNaN(moment)) return "";
  const [text = ""] = new Date(moment + offsetAt(moment, zone)).toISOString().split(".");
  // Beyond 9999 a sign and two digits stand before the year, of which inputs know the digits.
  return text.replace(/^\+0*/, "");
}

/** What is stored of the browser's input; null where it is empty, or no moment that there is. */
export function fromInput(kind: AttributeKind, text: string, zone = ownZone()): string | null {
  if (text === "") return null;
  if (kind === "date") return text;
  if (kind === "time") return `${text.length === 5 ? `${text}:00` : text}.000`;
  const shown = Date.parse(`${text.replace(/^(\d{5,6})-/, (_, year: string) => `+${year.padStart(6, "0")}-`)}Z`);
  if (Number.isNaN(shown)) return null;
  // The clocks may be set between the two moments.
  const near = shown - offsetAt(shown, zone);
  return new Date(shown - offsetAt(near, zone)).toISOString();
}
