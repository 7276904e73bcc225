import { Link } from "@tanstack/react-router";
import type { CalendarEntry } from "../../../src/wire/plans.js";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import { Icon } from "../../ui/icon.js";
import type { IconName } from "../../ui/icon-paths.js";
import styles from "./calendar.module.css";
import { DocumentLink } from "./document-link.js";
import { timeText } from "./moment-text.js";
import type { TitleAt } from "./use-titles.js";

interface EntryProps {
  readonly entry: CalendarEntry;
  readonly zone: string;
  readonly titleAt: TitleAt;
}

/** What it is, or what came of it, as an icon. */
export function entryIcon(entry: CalendarEntry): IconName {
  if (entry.state === "failed") return "triangle-alert";
  if (entry.state === "done") return "circle-check";
  if (entry.kind === "release") return "layers";
  return entry.action === "publish" ? "send" : "eye-off";
}

/** The same in words. */
export function entryText(entry: CalendarEntry): string {
  if (entry.kind === "release") return t(`calendar.release.${entry.state === "open" ? "scheduled" : entry.state}`);
  const { action, state } = entry;
  return action === "publish" ? t(`calendar.publish.${state}`) : t(`calendar.unpublish.${state}`);
}

/** Something of a day, in one line; leads to its document or release. */
export function EntryLink({ entry, zone, titleAt }: EntryProps) {
  const look = classNames(
    styles.entry,
    entry.state === "failed" && styles.failed,
    entry.state === "done" && styles.done,
  );
  return (
    <span className={look}>
      <Icon name={entryIcon(entry)} size={0.875} />
      <span className={styles.time}>{timeText(entry.at, zone)}</span>
      <span className="visually-hidden">{entryText(entry)}: </span>
      {entry.kind === "release" ? (
        <Link to="/releases/$id" params={{ id: String(entry.id) }} className={styles.name}>
          {entry.name}
        </Link>
      ) : (
        <DocumentLink place={entry} titleAt={titleAt} className={styles.name} />
      )}
    </span>
  );
}
