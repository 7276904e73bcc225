import { useEffect, useRef, useState } from "react";
import type { AuditEntryView } from "../../../../src/wire/audit.js";
import { useSession } from "../../../app/session.js";
import { t } from "../../../messages/text.js";
import { Button } from "../../../ui/button.js";
import { Moment } from "../../list/cell.js";
import styles from "../frame/settings.module.css";
import own from "./audit.module.css";
import type { ChangeAuditSearch } from "./audit-search.js";
import { EntryDetails } from "./entry-details.js";
import { actorText, actText } from "./entry-words.js";
import { ResultMark } from "./result-mark.js";
import { SubjectLink } from "./subject-link.js";

interface EntriesProps {
  readonly entries: readonly AuditEntryView[];
  readonly change: ChangeAuditSearch;
  readonly hasMore: boolean;
  readonly isBusy: boolean;
  /** Reads the next page. */
  readonly more: () => void;
}

/** Entries, the latest first; older ones come as the end comes near, or by a button. */
export function Entries({ entries, change, hasMore, isBusy, more }: EntriesProps) {
  const [opened, setOpened] = useState<AuditEntryView>();
  const end = useNearEnd(hasMore && !isBusy, more);
  return (
    <>
      <ol className={styles.rows} aria-label={t("audit.title")}>
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} open={setOpened} />
        ))}
      </ol>
      <div ref={end} className={own.end}>
        {hasMore ? (
          <Button isBusy={isBusy} onClick={more}>
            {t("audit.older")}
          </Button>
        ) : (
          <p className={styles.small}>{t("audit.end", { count: entries.length })}</p>
        )}
      </div>
      {opened && <EntryDetails entry={opened} change={change} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** Calls it when an element comes near the window. */
function useNearEnd(isWanted: boolean, more: () => void) {
  const element = useRef<HTMLDivElement>(null);
  const call = useRef(more);
  call.current = more;
  useEffect(() => {
    if (!isWanted || !element.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) call.current();
      },
      { rootMargin: "200px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isWanted]);
  return element;
}

interface EntryRowProps {
  readonly entry: AuditEntryView;
  readonly open: (entry: AuditEntryView) => void;
}

function EntryRow({ entry, open }: EntryRowProps) {
  const session = useSession();
  const { at, action, result, transport, address, uid } = entry;
  return (
    <li className={own.entry}>
      <span className={own.what}>
        <button type="button" className={own.open} onClick={() => open(entry)}>
          {actText(action)}
        </button>
        {result !== "accepted" && <ResultMark result={result} />}
      </span>
      <span>{uid !== undefined && <SubjectLink entry={entry} />}</span>
      <span>{actorText(entry, session)}</span>
      <span className={styles.small}>{[transport, address].filter(Boolean).join(" · ")}</span>
      <span className={styles.small}>
        <Moment value={at} />
      </span>
    </li>
  );
}
