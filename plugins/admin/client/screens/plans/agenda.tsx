import { formatDate } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { Icon } from "../../ui/icon.js";
import { entryIcon, entryText } from "./calendar-entry.js";
import styles from "./calendar.module.css";
import type { DaysProps } from "./day-grid.js";
import { DocumentLink, PlaceText } from "./document-link.js";
import { Link } from "@tanstack/react-router";
import { plannerText, timeText } from "./moment-text.js";
import planStyles from "./plans.module.css";
import type { CalendarEntry } from "../../../src/wire/plans.js";
import type { TitleAt } from "./use-titles.js";

/** Days that have something, one below the other, with all that is known of it. */
export function Agenda({ days, byDay, today, zone, titleAt }: DaysProps) {
  const filled = days.filter((day) => byDay.has(day));
  return (
    <div className={styles.agenda}>
      {filled.map((day) => (
        <section key={day} className={planStyles.card} aria-labelledby={`day-${day}`}>
          <h3 id={`day-${day}`} aria-current={day === today ? "date" : undefined}>
            {formatDate(new Date(`${day}T00:00:00Z`), { timeZone: "UTC", dateStyle: "full" })}
            {day === today && <span className={planStyles.soft}> {t("calendar.today")}</span>}
          </h3>
          <ul className={styles.lines}>
            {byDay.get(day)?.map((entry) => (
              <Line key={JSON.stringify(entry)} entry={entry} zone={zone} titleAt={titleAt} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface LineProps {
  readonly entry: CalendarEntry;
  readonly zone: string;
  readonly titleAt: TitleAt;
}

function Line({ entry, zone, titleAt }: LineProps) {
  return (
    <li className={styles.line} data-state={entry.state}>
      <span className={styles.lineTime}>{timeText(entry.at, zone)}</span>
      <Icon name={entryIcon(entry)} size={1} />
      <span className={styles.lineText}>
        {entry.kind === "release" ? (
          <Link to="/releases/$id" params={{ id: String(entry.id) }} className={planStyles.strong}>
            {entry.name}
          </Link>
        ) : (
          <DocumentLink place={entry} titleAt={titleAt} className={planStyles.strong} />
        )}
        <span className={planStyles.soft}>
          {entry.kind === "release" ? t("release.count", { count: entry.documents }) : <PlaceText place={entry} />}
        </span>
        <span>
          {entryText(entry)} <span className={planStyles.soft}>{t("plan.by", { name: plannerText(entry.by) })}</span>
        </span>
        {entry.kind === "document" &&
          entry.problems.map(({ path, message }) => (
            <span key={`${path.join(".")} ${message}`} className={planStyles.badText}>
              {[path.join(" › "), message].filter(Boolean).join(": ")}
            </span>
          ))}
      </span>
    </li>
  );
}
