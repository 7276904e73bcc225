import { useEffect, useRef, useState } from "react";
import type { VersionView } from "../../../src/wire/history.js";
import type { EditSearch } from "../../app/edit-search.js";
import { EntryLink } from "../../app/entry-link.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import type { DocumentPlace } from "../edit/entry-requests.js";
import styles from "./history.module.css";
import { actionOf, authorOf, changedIn, timeOf } from "./version-words.js";

/** Versions that are drawn at first, and with each further step. */
const STEP = 30;

interface VersionListProps {
  readonly place: DocumentPlace;
  readonly versions: readonly VersionView[];
  readonly chosen: string;
  readonly search: EditSearch;
}

/** The versions of a document, the newest first; more of them as one scrolls. */
export function VersionList({ place, versions, chosen, search }: VersionListProps) {
  const [count, setCount] = useState(STEP);
  const end = useRef<HTMLDivElement>(null);
  const isMore = count < versions.length;
  useEffect(() => {
    if (!isMore || !end.current) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setCount((known) => known + STEP);
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isMore]);
  // One that the address names is there, too.
  const shown = Math.max(count, versions.findIndex(({ id }) => id === chosen) + 1);
  return (
    <nav className={styles.versions} aria-label={t("history.list")}>
      <ol>
        {versions.slice(0, shown).map((version) => (
          <li key={version.id}>
            <VersionLink {...{ place, version, search }} isChosen={version.id === chosen} />
          </li>
        ))}
      </ol>
      {isMore && (
        <div ref={end}>
          <Button isSmall onClick={() => setCount(count + STEP)}>
            {t("history.more")}
          </Button>
        </div>
      )}
    </nav>
  );
}

interface VersionLinkProps {
  readonly place: DocumentPlace;
  readonly version: VersionView;
  readonly search: EditSearch;
  readonly isChosen: boolean;
}

function VersionLink({ place: { type, id }, version, search, isChosen }: VersionLinkProps) {
  const changed = changedIn(version, type);
  return (
    <EntryLink
      {...{ uid: type.uid, id }}
      search={{ ...search, version: version.id }}
      className={styles.version}
      aria-current={isChosen}
      resetScroll={false}
    >
      <span className={styles.versionHead}>
        <time dateTime={version.at}>{timeOf(version.at)}</time>
        <span className={styles.action} data-action={version.status}>
          {actionOf(version)}
        </span>
      </span>
      <span className={styles.author}>{authorOf(version)}</span>
      {changed !== "" && <span className={styles.changed}>{changed}</span>}
    </EntryLink>
  );
}
