import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { UseList } from "../../../src/wire/content.js";
import { api } from "../../app/api.js";
import { EntryLink } from "../../app/entry-link.js";
import { entryTitle } from "../../app/entry-title.js";
import { ExtensionPart } from "../../app/extension-part.js";
import { isWanted } from "../../app/extension-wish.js";
import { textOf, useExtensions } from "../../app/extensions.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Moment } from "../list/cell.js";
import { isPlanned } from "../plans/plans-api.js";
import styles from "./edit.module.css";
import { type DocumentPlace, pathOf, queryOf } from "./entry-requests.js";
import type { OpenDocument } from "./open-document.js";
import { Locales } from "./locales.js";
import { useDocumentState } from "./use-document.js";

/** It needs what nobody pays for where nothing is planned. */
const PlanPanel = lazy(() => import("../plans/plan-panel.js"));

interface SidePanelProps {
  readonly opened: OpenDocument;
  /** The language that stands beside the form. */
  readonly beside?: string | undefined;
  /** Fills the form in from another language; nothing: it cannot be changed. */
  readonly onFillIn?: () => void;
}

/** What is known of a document beside its values. */
export function SidePanel({ opened, beside, onFillIn }: SidePanelProps) {
  const session = useSession();
  const { entry } = useDocumentState(opened);
  const { type } = opened.place;
  return (
    <aside className={styles.side} aria-label={t("side.label")}>
      {type.isLocalized && <Locales {...{ opened, beside, onFillIn }} />}
      {entry && (
        <section className={styles.panel}>
          <h2>{t("side.facts")}</h2>
          <dl className={styles.facts}>
            <dt>{t("side.created")}</dt>
            <dd>
              <Moment value={entry.createdAt} />
            </dd>
            {entry._facts.createdBy && (
              <>
                <dt>{t("side.createdBy")}</dt>
                <dd>{entry._facts.createdBy.name}</dd>
              </>
            )}
            <dt>{t("side.updated")}</dt>
            <dd>
              <Moment value={entry.updatedAt} />
            </dd>
            {entry._facts.updatedBy && (
              <>
                <dt>{t("side.updatedBy")}</dt>
                <dd>{entry._facts.updatedBy.name}</dd>
              </>
            )}
          </dl>
        </section>
      )}
      {entry && isPlanned(session, type) && (
        <Suspense>
          <PlanPanel opened={opened} />
        </Suspense>
      )}
      <Panels opened={opened} />
      {entry && <Uses place={opened.place} />}
    </aside>
  );
}

/** Panels of extensions. */
function Panels({ opened }: { readonly opened: OpenDocument }) {
  const { loaded } = useExtensions();
  const { entry } = useDocumentState(opened);
  const { type, locale = null } = opened.place;
  const document = { uid: type.uid, documentId: entry?.documentId ?? null, locale };
  return loaded.flatMap(({ name, extension }) =>
    (extension.panels ?? [])
      .filter(({ when }) => isWanted(name, when, document))
      .map(({ id, title, panel }) => (
        <section key={`${name} ${id}`} className={styles.panel}>
          <h2>{textOf(title)}</h2>
          <ExtensionPart owner={name} part={panel} props={{ document }} />
        </section>
      )),
  );
}

function Uses({ place }: { readonly place: DocumentPlace }) {
  const { data } = useQuery({
    queryKey: ["content", place.type.uid, "uses", place.id, place.locale],
    queryFn: ({ signal }) => api<UseList>(`${pathOf(place)}/uses${queryOf(place.locale)}`, { signal }),
  });
  if (!data || data.data.length === 0) return null;
  return (
    <section className={styles.panel}>
      <h2>{t("side.uses")}</h2>
      <ul className={styles.locales}>
        {data.data.map((use) => (
          <li key={`${use.uid} ${use.documentId} ${use.field} ${use.locale}`}>
            <Use use={use} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Use({ use: { uid, documentId, locale, title } }: { readonly use: UseList["data"][number] }) {
  const type = useSession().types.get(uid);
  const isSingle = type?.kind === "singleType";
  return (
    <EntryLink uid={uid} id={documentId} search={locale ? { locale } : {}} className={styles.locale}>
      {entryTitle(type, { documentId, title })}
      <span className={styles.soft}>{isSingle ? t("side.single") : (type?.label ?? uid)}</span>
    </EntryLink>
  );
}
