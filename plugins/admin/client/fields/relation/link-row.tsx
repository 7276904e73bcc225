import type { RelatedEntry } from "../../../src/wire/content.js";
import { EntryLink } from "../../app/entry-link.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { IconButton } from "../../ui/button.js";
import { Menu } from "../../ui/menu.js";
import { ROW } from "../../ui/move-focus.js";
import { StateBadge } from "../../ui/state.js";
import styles from "./relation.module.css";

interface LinkRowProps {
  readonly entry: RelatedEntry;
  readonly isReadOnly: boolean;
  readonly index: number;
  readonly count: number;
  readonly onMove: (index: number, to: number) => void;
  readonly onRemove: () => void;
}

/** A linked document. */
export function LinkRow({ entry, isReadOnly, index, count, onMove, onRemove }: LinkRowProps) {
  const type = useSession().types.get(entry.uid);
  const moves = [
    { id: "first", label: t("items.first"), to: 0 },
    { id: "up", label: t("items.up"), to: index - 1 },
    { id: "down", label: t("items.down"), to: index + 1 },
    { id: "last", label: t("items.last"), to: count - 1 },
  ];
  return (
    <li {...ROW} className={styles.row}>
      {entry.picture && <img className={styles.picture} src={entry.picture} alt="" loading="lazy" />}
      <span className={styles.names}>
        {type ? (
          <EntryLink
            uid={entry.uid}
            id={entry.documentId}
            search={entry.locale ? { locale: entry.locale } : {}}
            target="_blank"
            className={styles.title}
          >
            {entry.title}
          </EntryLink>
        ) : (
          <span className={styles.title}>{entry.title}</span>
        )}
        {entry.subtitle && <span className={styles.subtitle}>{entry.subtitle}</span>}
      </span>
      {type?.hasDrafts && <StateBadge state={entry.state} />}
      {!isReadOnly && count > 1 && (
        <Menu
          isSmall
          label={t("relation.move", { title: entry.title })}
          icon="move-vertical"
          groups={[
            moves.map(({ id, label, to }) => ({
              id,
              label,
              isDisabled: to < 0 || to >= count || to === index,
              run: () => onMove(index, to),
            })),
          ]}
        />
      )}
      {!isReadOnly && (
        <IconButton isSmall icon="x" label={t("relation.remove", { title: entry.title })} onClick={onRemove} />
      )}
    </li>
  );
}
