import { useSearch } from "@tanstack/react-router";
import { useEffect, useReducer, useState } from "react";
import type { VersionView } from "../../../src/wire/history.js";
import type { EditSearch } from "../../app/edit-search.js";
import { useOpenEntry } from "../../app/entry-link.js";
import type { FormPeople } from "../../form/form-people.js";
import { t } from "../../messages/text.js";
import { Bone, Empty, Failed, useIsSlow } from "../../ui/state.js";
import type { EditActions } from "../edit/edit-actions.js";
import editStyles from "../edit/edit.module.css";
import { Head } from "../edit/head.js";
import { Notes } from "../edit/notes.js";
import type { OpenDocument } from "../edit/open-document.js";
import { Tabs } from "../edit/tabs.js";
import { Comparison } from "./comparison.js";
import { readAllLinks } from "./all-links.js";
import { useVersions } from "./history-requests.js";
import styles from "./history.module.css";
import { VersionList } from "./version-list.js";

interface DocumentHistoryProps {
  readonly opened: OpenDocument;
  /** Who else is here. */
  readonly people: FormPeople;
  readonly actions: EditActions;
  /** Whether the caller may not change the document. */
  readonly isReadOnly: boolean;
}

/** The earlier versions of a document: one is compared with the form, or with another, and given back to the form. */
export function DocumentHistory({ opened, people, actions, isReadOnly }: DocumentHistoryProps) {
  const { data, error, refetch, isPending } = useVersions(opened.place);
  const areLinksRead = useAllLinks(opened);
  const isSlow = useIsSlow(isPending);
  return (
    <>
      <Head opened={opened} isReadOnly={isReadOnly} actions={actions} people={people} />
      <div className={editStyles.content}>
        <div className={editStyles.form}>
          <Notes opened={opened} />
          <Tabs opened={opened} tab="history" />
          {error && <Failed error={error} retry={() => void refetch()} action="plugin::admin.history" />}
          {isPending && isSlow && <Bone height="12rem" />}
          {data?.length === 0 && <Empty icon="clock" title={t("history.empty")} text={t("history.empty.text")} />}
          {data && data.length > 0 && areLinksRead && (
            <Chosen
              key={opened.place.locale}
              opened={opened}
              versions={data}
              isReadOnly={isReadOnly}
              part="comparison"
            />
          )}
        </div>
        <aside className={styles.side} aria-label={t("history.list")}>
          {data && data.length > 0 && <Chosen opened={opened} versions={data} isReadOnly={isReadOnly} part="list" />}
        </aside>
      </div>
    </>
  );
}

interface ChosenProps {
  readonly opened: OpenDocument;
  readonly versions: readonly VersionView[];
  readonly isReadOnly: boolean;
  readonly part: "comparison" | "list";
}

/** The version of the address. Without one it is the one before the last: the last one is what is in the form. */
function Chosen({ opened, versions, isReadOnly, part }: ChosenProps) {
  const search: EditSearch = useSearch({ strict: false });
  const openEntry = useOpenEntry();
  useDrawnOnChange(opened);
  const version = versions.find(({ id }) => id === search.version) ?? versions[1] ?? versions[0];
  if (!version) return null;
  if (part === "list") return <VersionList place={opened.place} {...{ versions, search }} chosen={version.id} />;
  const compareWith = (other: string | undefined) => {
    const { with: _other, ...rest } = search;
    const { type, id } = opened.place;
    const next = { ...rest, version: version.id, ...(other === undefined ? {} : { with: other }) };
    void openEntry({ uid: type.uid, id, search: next, resetScroll: false });
  };
  const other = versions.find(({ id }) => id === search.with && id !== version.id);
  return <Comparison {...{ opened, versions, version, other, isReadOnly, compareWith }} />;
}

/** Draws again when something in the form is another. */
function useDrawnOnChange({ store }: OpenDocument): void {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => store.subscribe("", draw), [store]);
}

/** A form has the first links of a relation; all of them are compared. @returns whether they are there */
function useAllLinks(opened: OpenDocument): boolean {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    void readAllLinks(opened).then(() => isCurrent && setDone(true));
    return () => {
      isCurrent = false;
    };
  }, [opened]);
  return isDone;
}
