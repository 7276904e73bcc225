import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSession } from "../../app/session.js";
import { FieldInput } from "../../fields/field-input.js";
import { FieldGrid } from "../../fields/field-grid.js";
import type { FormPeople } from "../../form/form-people.js";
import { FormProvider } from "../../form/form-context.js";
import { flatten, keysByPosition } from "../../form/shape.js";
import { FormStore } from "../../form/store.js";
import { t } from "../../messages/text.js";
import { Banner, Failed } from "../../ui/state.js";
import styles from "./edit.module.css";
import { Head } from "./head.js";
import { readEntry } from "./entry-requests.js";
import { Notes } from "./notes.js";
import type { OpenDocument } from "./open-document.js";
import { SidePanel } from "./side-panel.js";
import { Tabs } from "./tabs.js";

/** How many links of a relation come with a document. */
const FIRST_LINKS = 10;

const nothing = () => Promise.resolve();
const NO_ACTIONS = { save: nothing, publish: nothing, resolve: nothing };

interface PublishedVersionProps {
  readonly opened: OpenDocument;
  /** Who else is here. */
  readonly people: FormPeople;
}

/** What is live, to be read; what differs from the draft is marked. */
export function PublishedVersion({ opened, people }: PublishedVersionProps) {
  const session = useSession();
  const { type, id, locale } = opened.place;
  const { data, error, refetch } = useQuery({
    queryKey: ["content", type.uid, "published", id, locale],
    queryFn: () => readEntry(opened.place, "published"),
    staleTime: 0,
  });
  const store = useMemo(() => {
    if (!data) return undefined;
    const draft = opened.store.base.leaves;
    const shown = flatten(session, type.attributes, data.entry, keysByPosition(draft));
    // Without totals nothing more of a relation is read: what is stored is read of the draft.
    const base = { leaves: new Map(draft), totals: new Map() };
    // The first links are compared, however many of the draft's were read.
    for (const path of shown.totals.keys()) base.leaves.set(path, [draft.get(path) ?? []].flat().slice(0, FIRST_LINKS));
    const compared = new FormStore(session, type.attributes, base);
    compared.rebase(base, shown.leaves);
    return compared;
  }, [data, session, type, opened]);
  return (
    <>
      <Head opened={opened} isReadOnly actions={NO_ACTIONS} people={people} />
      <div className={styles.content}>
        <div className={styles.form}>
          <Notes opened={opened} />
          <Tabs opened={opened} tab="published" />
          {error && <Failed error={error} retry={() => void refetch()} />}
          {store && store.changedPaths.size > 0 && <Banner>{t("published.differs")}</Banner>}
          {store && (
            <FormProvider
              value={{
                store,
                uid: type.uid,
                documentId: opened.state.entry?.documentId ?? null,
                ownId: id,
                locale,
                isReadOnly: true,
                Input: FieldInput,
              }}
            >
              <div className={styles.sheet}>
                <FieldGrid layout={type.layout} attributes={type.attributes} path="" />
              </div>
            </FormProvider>
          )}
        </div>
        <SidePanel opened={opened} />
      </div>
    </>
  );
}
