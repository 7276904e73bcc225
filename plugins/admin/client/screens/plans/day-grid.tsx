import { type KeyboardEvent, useEffect, useRef } from "react";
import type { CalendarEntry } from "../../../src/wire/plans.js";
import { formatDate } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import { EntryLink } from "./calendar-entry.js";
import styles from "./calendar.module.css";
import { addDays, addMonths, type Day } from "./calendar-days.js";
import type { TitleAt } from "./use-titles.js";

/** What every view of a calendar shows. */
export interface DaysProps {
  readonly days: readonly Day[];
  readonly byDay: ReadonlyMap<Day, readonly CalendarEntry[]>;
  readonly today: Day;
  readonly zone: string;
  readonly titleAt: TitleAt;
}

interface DayGridProps extends DaysProps {
  readonly view: "month" | "week";
  readonly day: Day;
  /** Another day has the focus, which may be one that is not shown yet. */
  readonly onDay: (day: Day) => void;
  readonly onOpen: (day: Day) => void;
}

const WEEK = 7;
/** Entries of a day of a month; the others are shown by the day itself. */
const MOST = 3;

/** Days as a grid: arrows go from day to day, Page Up and Page Down from month to month, Enter opens one. */
export function DayGrid(props: DayGridProps) {
  const { days, view, day } = props;
  const table = useRef<HTMLTableElement>(null);
  const hasMoved = useRef(false);
  const onKeyDown = useKeys(props, () => {
    hasMoved.current = true;
  });
  useEffect(() => {
    if (!hasMoved.current) return;
    hasMoved.current = false;
    table.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
  }, [day]);
  const weeks = Array.from({ length: days.length / WEEK }, (_, index) => days.slice(index * WEEK, (index + 1) * WEEK));
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose cells keys go through
    <table ref={table} role="grid" className={classNames(styles.grid, view === "week" && styles.week)}>
      <caption className="visually-hidden">{t("calendar.keys")}</caption>
      <thead>
        <tr>
          {days.slice(0, WEEK).map((each) => (
            <th key={each} scope="col" abbr={nameOf(each, { weekday: "long" })}>
              {nameOf(each, { weekday: "short" })}
            </th>
          ))}
        </tr>
      </thead>
      {/* The keys of the day that has the focus. */}
      <tbody onKeyDown={onKeyDown}>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((each) => (
              <DayCell key={each} {...props} own={each} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const nameOf = (day: Day, options: Intl.DateTimeFormatOptions): string =>
  formatDate(new Date(`${day}T00:00:00Z`), { timeZone: "UTC", ...options });

function DayCell({ own, day, view, byDay, today, zone, titleAt, onOpen, onDay }: DayGridProps & { readonly own: Day }) {
  const entries = byDay.get(own) ?? [];
  const shown = view === "month" ? entries.slice(0, MOST) : entries;
  const isOther = view === "month" && own.slice(0, 7) !== day.slice(0, 7);
  const rest = entries.length - shown.length;
  const label = nameOf(own, { dateStyle: "full" });
  return (
    <td className={classNames(styles.day, isOther && styles.other)} aria-current={own === today ? "date" : undefined}>
      <button
        type="button"
        className={styles.number}
        data-day={own}
        tabIndex={own === day ? 0 : -1}
        onFocus={() => own !== day && onDay(own)}
        onClick={() => onOpen(own)}
      >
        <span>{nameOf(own, view === "month" ? { day: "numeric" } : { day: "numeric", month: "short" })}</span>
        <span className="visually-hidden">{t("calendar.day", { day: label, count: entries.length })}</span>
        {entries.length > 0 && (
          <span className={styles.count} aria-hidden="true">
            {entries.length}
          </span>
        )}
      </button>
      {shown.length > 0 && (
        <ul className={styles.entries}>
          {shown.map((entry) => (
            <li key={JSON.stringify(entry)}>
              <EntryLink entry={entry} zone={zone} titleAt={titleAt} />
            </li>
          ))}
        </ul>
      )}
      {rest > 0 && (
        <button type="button" className={styles.more} onClick={() => onOpen(own)}>
          {t("calendar.more", { count: rest })}
          <span className="visually-hidden">{label}</span>
        </button>
      )}
    </td>
  );
}

function useKeys({ day, days, onDay }: DayGridProps, onMove: () => void) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const isDay = event.target instanceof HTMLElement && event.target.dataset["day"] !== undefined;
    if (!isDay || event.ctrlKey || event.metaKey || event.altKey) return;
    const isRtl = document.documentElement.dir === "rtl";
    const along = isRtl ? -1 : 1;
    const column = days.indexOf(day) % WEEK;
    const moves: Readonly<Record<string, () => Day>> = {
      ArrowRight: () => addDays(day, along),
      ArrowLeft: () => addDays(day, -along),
      ArrowDown: () => addDays(day, WEEK),
      ArrowUp: () => addDays(day, -WEEK),
      Home: () => addDays(day, -column),
      End: () => addDays(day, WEEK - 1 - column),
      PageDown: () => addMonths(day, 1),
      PageUp: () => addMonths(day, -1),
    };
    const next = moves[event.key]?.();
    if (next === undefined) return;
    event.preventDefault();
    onMove();
    onDay(next);
  };
}
