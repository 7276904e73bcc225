import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { EntryLink } from "../../app/entry-link.js";
import { useSession } from "../../app/session.js";
import { Moment } from "../list/cell.js";
import styles from "./home.module.css";

interface ItemProps {
  readonly uid: string;
  readonly documentId: string;
  readonly locale: string | null;
  readonly title: string;
  /** ISO 8601. */
  readonly at: string;
  /** Stands before the time: who, what. */
  readonly before?: string | undefined;
  readonly mark?: ReactNode;
}

/** A document, with a link to its form. */
export function Item({ uid, documentId, locale, title, at, before, mark }: ItemProps) {
  const type = useSession().types.get(uid);
  const draft = documentId.startsWith("new-") ? documentId.slice("new-".length) : undefined;
  const search = { ...(locale ? { locale } : {}), ...(draft === undefined ? {} : { draft }) };
  return (
    <EntryLink uid={uid} id={draft === undefined ? documentId : "new"} search={search} className={styles.item}>
      <span className={styles.title}>
        {title}
        {mark}
      </span>
      <span className={styles.soft}>
        {[type?.label ?? uid, locale, before].filter(Boolean).join(" · ")} · <Moment value={at} />
      </span>
    </EntryLink>
  );
}

interface LineProps {
  readonly title: string;
  readonly text: string;
  readonly at: string;
  /** The screen that says more; undefined: there is none for the caller. */
  readonly to: string | undefined;
}

/** Something that is no document. */
export function Line({ title, text, at, to }: LineProps) {
  const inside = (
    <>
      <span className={styles.title}>{title}</span>
      <span className={styles.soft}>
        {text} · <Moment value={at} />
      </span>
    </>
  );
  return to === undefined ? (
    <div className={styles.item}>{inside}</div>
  ) : (
    <Link to={to} className={styles.item}>
      {inside}
    </Link>
  );
}
