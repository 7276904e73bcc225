import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import type { CalendarEntry, PlanPlace } from "../../../src/wire/plans.js";
import type { CalendarSearch } from "../../app/plans-search.js";
import { useSession } from "../../app/session.js";
import { formatDate } from "../../messages/formats.js";
import { language, t } from "../../messages/text.js";
import { announce } from "../../ui/announce.js";
import { Button, IconButton } from "../../ui/button.js";
import { classNames } from "../../ui/class-names.js";
import { Select } from "../../ui/field.js";
import { Banner, Bone, Empty, Failed, useIsSlow } from "../../ui/state.js";
import { Agenda } from "./agenda.js";
import styles from "./calendar.module.css";
import { addDays, beginOf, type CalendarView, daysOf, firstDayOf, turn } from "./calendar-days.js";
import { DayGrid } from "./day-grid.js";
import planStyles from "./plans.module.css";
import { PLANS_KEY, readCalendar } from "./plans-api.js";
import { useTitlesAt } from "./use-titles.js";
import { useZone } from "./zone-choice.js";
import { ZoneLine } from "./zone-line.js";
import { dayAt } from "./zoned-time.js";

const route = getRouteApi("/calendar");
const VIEWS: readonly CalendarView[] = ["month", "week", "agenda"];

/** How old what is shown may get, in milliseconds: what is due happens without this page. */
const FRESH = 60_000;

/** Goes to other days. Where keys go through them one by one, the browser's way back does not lead over each. */
type Go = (search: CalendarSearch, isReplaced?: boolean) => void;

/** What is planned, and what came of it, by days. */
export function CalendarScreen() {
  const search = route.useSearch();
  const { view = "month" } = search;
  const navigate = useNavigate();
  const [zone, setZone] = useZone();
  const today = dayAt(new Date().toISOString(), zone);
  const day = search.day ?? today;
  const days = useMemo(() => daysOf(view, day, firstDayOf(language())), [view, day]);
  const go: Go = (next, isReplaced = false) =>
    void navigate({ to: "/calendar", search: { ...search, ...next }, replace: isReplaced });
  const title = titleOf(view, day, days);
  const entries = useEntries(days, zone, search.type);
  useEffect(() => announce(title), [title]);
  return (
    <div className={classNames(planStyles.screen, styles.screen)}>
      <title>{t("calendar.title")}</title>
      <header className={planStyles.head}>
        <h1>{t("calendar.title")}</h1>
        <Views view={view} onChange={(next) => go({ view: next })} />
      </header>
      <div className={planStyles.bar}>
        <div className={styles.turn}>
          <IconButton
            icon="chevron-left"
            label={t("calendar.back")}
            className={styles.flip}
            onClick={() => go({ day: turn(view, day, -1) })}
          />
          <IconButton
            icon="chevron-right"
            label={t("calendar.on")}
            className={styles.flip}
            onClick={() => go({ day: turn(view, day, 1) })}
          />
          <Button isSmall onClick={() => go({ day: today })}>
            {t("calendar.today")}
          </Button>
          <h2>{title}</h2>
        </div>
        <TypeFilter type={search.type} onChange={(type) => go({ type: type ?? "" })} />
        <ZoneLine zone={zone} onChange={setZone} />
      </div>
      <Content {...{ view, day, days, today, zone, entries, go }} />
    </div>
  );
}

function titleOf(view: CalendarView, day: string, days: readonly string[]): string {
  const text = (each: string, options: Intl.DateTimeFormatOptions) =>
    formatDate(new Date(`${each}T00:00:00Z`), { timeZone: "UTC", ...options });
  if (view === "month") return text(day, { month: "long", year: "numeric" });
  const ends = [days[0] ?? day, days.at(-1) ?? day].map((each) => text(each, { dateStyle: "medium" }));
  return ends.join(" – ");
}

function useEntries(days: readonly string[], zone: string, type: string | undefined) {
  const from = beginOf(days[0] ?? "", zone);
  const to = beginOf(addDays(days.at(-1) ?? "", 1), zone);
  return useQuery({
    queryKey: [PLANS_KEY, "calendar", from, to, type],
    queryFn: ({ signal }) => readCalendar({ from, to, type }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: FRESH,
  });
}

interface ViewsProps {
  readonly view: CalendarView;
  readonly onChange: (view: CalendarView) => void;
}

const Views = ({ view, onChange }: ViewsProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a line everywhere
  <div className={planStyles.tabs} role="group" aria-label={t("calendar.views")}>
    {VIEWS.map((each) => (
      <button
        key={each}
        type="button"
        className={planStyles.tab}
        aria-pressed={each === view}
        onClick={() => onChange(each)}
      >
        {t(`calendar.${each}`)}
      </button>
    ))}
  </div>
);

interface TypeFilterProps {
  readonly type: string | undefined;
  readonly onChange: (type: string | undefined) => void;
}

function TypeFilter({ type, onChange }: TypeFilterProps) {
  const types = [...useSession().types.values()].filter(({ hasDrafts }) => hasDrafts);
  return (
    <Select
      aria-label={t("calendar.type")}
      className={styles.filter}
      value={type ?? ""}
      onChange={({ target }) => onChange(target.value || undefined)}
    >
      <option value="">{t("calendar.allTypes")}</option>
      {types.map(({ uid, label }) => (
        <option key={uid} value={uid}>
          {label}
        </option>
      ))}
    </Select>
  );
}

interface ContentProps {
  readonly view: CalendarView;
  readonly day: string;
  readonly days: readonly string[];
  readonly today: string;
  readonly zone: string;
  readonly entries: ReturnType<typeof useEntries>;
  readonly go: Go;
}

const isDocument = (entry: CalendarEntry): entry is CalendarEntry & PlanPlace => entry.kind === "document";

function Content({ view, day, days, today, zone, entries, go }: ContentProps) {
  const all = entries.data?.data ?? [];
  const titleAt = useTitlesAt(all.filter(isDocument));
  const isSlow = useIsSlow(entries.isPending);
  const byDay = useMemo(() => {
    const groups = new Map<string, CalendarEntry[]>();
    for (const entry of all) {
      const own = dayAt(entry.at, zone);
      groups.set(own, [...(groups.get(own) ?? []), entry]);
    }
    return groups;
  }, [all, zone]);
  if (entries.error) return <Failed error={entries.error} retry={() => void entries.refetch()} />;
  if (entries.isPending) return isSlow ? <Bone height="24rem" /> : null;
  const shared = { days, byDay, today, zone, titleAt };
  return (
    <>
      {entries.data.meta.isCut && <Banner kind="warn">{t("calendar.cut")}</Banner>}
      {view === "agenda" ? (
        <Agenda {...shared} />
      ) : (
        <DayGrid
          {...shared}
          view={view}
          day={day}
          onDay={(next) => go({ day: next }, true)}
          onOpen={(next) => go({ view: "agenda", day: next })}
        />
      )}
      {all.length === 0 && <Empty icon="calendar" title={t("calendar.empty")} text={t("calendar.empty.text")} />}
    </>
  );
}
