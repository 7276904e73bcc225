import type { ReleaseState } from "../../src/wire/plans.js";
import type { CalendarView } from "../screens/plans/calendar-days.js";

/** What the address of the calendar says. */
export interface CalendarSearch {
  readonly view?: CalendarView;
  /** A day that is shown: `2030-03-31`. */
  readonly day?: string;
  /** Uid of the one type that is shown. */
  readonly type?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the address of the calendar; what it does not understand is left out. */
export function parseCalendarSearch({ view, day, type }: Record<string, unknown>): CalendarSearch {
  return {
    ...(view === "month" || view === "week" || view === "agenda" ? { view } : {}),
    ...(typeof day === "string" && DAY.test(day) && !Number.isNaN(Date.parse(day)) ? { day } : {}),
    ...(typeof type === "string" && type !== "" ? { type } : {}),
  };
}

/** What the address of the list of releases says. */
export interface ReleasesSearch {
  readonly state?: ReleaseState;
}

const STATES: readonly string[] = ["open", "scheduled", "running", "done", "failed"];

/** Reads the address of the list of releases. */
export const parseReleasesSearch = ({ state }: Record<string, unknown>): ReleasesSearch =>
  typeof state === "string" && STATES.includes(state) ? { state: state as ReleaseState } : {};
