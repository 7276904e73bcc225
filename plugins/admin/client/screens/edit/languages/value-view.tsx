import type { ReactNode } from "react";
import type { RelatedEntry } from "../../../../src/wire/content.js";
import type { FileView } from "../../../../src/wire/files.js";
import { useSession } from "../../../app/session.js";
import { Icon } from "../../../ui/icon.js";
import { StateBadge } from "../../../ui/state.js";
import { wordsOf, type ShownValue } from "../value-words.js";
import { BlocksView } from "./blocks-view.js";
import styles from "./languages.module.css";

/** A value of another language, to be read and copied from. */
export function ValueView(shown: ShownValue) {
  const { value, attribute } = shown;
  const isEmpty = value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return <p className={styles.nothing}>–</p>;
  switch (attribute.kind) {
    case "blocks":
      return <BlocksView blocks={value as readonly unknown[]} />;
    case "media":
      return <Files files={listOf<FileView>(value)} />;
    case "relation":
      return <Links links={listOf<RelatedEntry>(value)} />;
    case "json":
      return <pre className={styles.code}>{String(value)}</pre>;
    default:
      return <Text>{wordsOf(shown)}</Text>;
  }
}

/** Of one or several. */
const listOf = <Part,>(value: unknown): readonly Part[] => [value as Part | readonly Part[]].flat() as readonly Part[];

const Text = ({ children }: { readonly children: ReactNode }) => <p className={styles.text}>{children}</p>;

const Files = ({ files }: { readonly files: readonly FileView[] }) => (
  <ul className={styles.rows}>
    {files.map(({ id, name, thumbnail }) => (
      <li key={id} className={styles.row}>
        {thumbnail ? <img className={styles.picture} src={thumbnail} alt="" loading="lazy" /> : <Icon name="file" />}
        <span>{name}</span>
      </li>
    ))}
  </ul>
);

function Links({ links }: { readonly links: readonly RelatedEntry[] }) {
  const { types } = useSession();
  return (
    <ul className={styles.rows}>
      {links.map(({ uid, documentId, title, state }) => (
        <li key={`${uid} ${documentId}`} className={styles.row}>
          <span>{title}</span>
          {types.get(uid)?.hasDrafts && <StateBadge state={state} />}
        </li>
      ))}
    </ul>
  );
}
