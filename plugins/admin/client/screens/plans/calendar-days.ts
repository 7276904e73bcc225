import { fromInput } from "../../fields/date/date-text.js";

/** A day without a zone: `2030-03-31`. */
export type Day = string;

/** How a calendar looks. */
export type CalendarView = "month" | "week" | "agenda";

/** Days of an agenda. */
const AGENDA = 30;
const DAY = 86_400_000;
const WEEK = 7;

const parse = (day: Day): Date => new Date(`${day}T00:00:00Z`);
const print = (date: Date): Day => date.toISOString().slice(0, 10);

/** A day some days later, or earlier. */
export const addDays = (day: Day, days: number): Day => print(new Date(parse(day).getTime() + days * DAY));

/** The same day some months later; the last of a month that is shorter. */
export function addMonths(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return print(new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))));
}

/** The first day of the week of a day. @param first - 1 is Monday, 7 Sunday. */
export const startOfWeek = (day: Day, first: number): Day =>
  addDays(day, -((parse(day).getUTCDay() + WEEK - (first % WEEK)) % WEEK));

/** The weeks of a month, with the days of others that fill them. */
export function weeksOf(day: Day, first: number): readonly (readonly Day[])[] {
  const month = day.slice(0, 7);
  const start = startOfWeek(`${month}-01`, first);
  const weeks: Day[][] = [];
  for (let next = start; next.slice(0, 7) <= month; next = addDays(next, WEEK)) weeks.push(daysFrom(next, WEEK));
  return weeks;
}

/** Some days in a row. */
export const daysFrom = (day: Day, count: number): Day[] =>
  Array.from({ length: count }, (_, index) => addDays(day, index));

/** The days that a view shows. */
export function daysOf(view: CalendarView, day: Day, first: number): readonly Day[] {
  if (view === "month") return weeksOf(day, first).flat();
  return view === "week" ? daysFrom(startOfWeek(day, first), WEEK) : daysFrom(day, AGENDA);
}

/** The day at which the one before or after it is shown. @param by - 1 or -1. */
export function turn(view: CalendarView, day: Day, by: number): Day {
  return view === "month" ? addMonths(day, by) : addDays(day, by * (view === "week" ? WEEK : AGENDA));
}

/** The moment at which a day begins by the clocks of a zone; where they skip midnight, the first after it. */
export const beginOf = (day: Day, zone: string): string =>
  fromInput("datetime", `${day}T00:00:00`, zone) ?? `${day}T00:00:00.000Z`;

/** The first day of a week where a language is spoken: 1 is Monday, which stands where a browser does not know. */
export function firstDayOf(language: string): number {
  const locale = new Intl.Locale(language) as Intl.Locale & {
    readonly weekInfo?: { readonly firstDay: number };
    getWeekInfo?(): { readonly firstDay: number };
  };
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}
