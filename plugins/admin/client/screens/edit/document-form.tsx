import { lazy, Suspense, useMemo, useState } from "react";
import type { EditSearch } from "../../app/edit-search.js";
import { loadPart } from "../../app/load-part.js";
import { type FormPlace, FormProvider } from "../../form/form-context.js";
import type { FormPeople } from "../../form/form-people.js";
import { Slot } from "../../app/slot.js";
import { FieldInput } from "../../fields/field-input.js";
import { FieldGrid } from "../../fields/field-grid.js";
import { useBesideAddress } from "./beside-address.js";
import styles from "./edit.module.css";
import { type EditActions, useAddressOf } from "./edit-actions.js";
import { Head } from "./head.js";
import type { OpenDocument } from "./open-document.js";
import { Notes } from "./notes.js";
import { SidePanel } from "./side-panel.js";
import { Tabs } from "./tabs.js";
import { useDocumentState } from "./use-document.js";

interface DocumentFormProps {
  readonly opened: OpenDocument;
  readonly isReadOnly: boolean;
  /** Who else is here. */
  readonly people: FormPeople;
  readonly actions: EditActions;
  readonly search: EditSearch;
}

/** What only some documents need is loaded when it is shown. */
const SideBySide = lazy(() => loadPart(() => import("./languages/side-by-side.js")));
const FillIn = lazy(() => loadPart(() => import("./languages/fill-in.js")));
const PreviewSide = lazy(() => loadPart(() => import("./preview/preview-side.js")));

/** The draft, or what is live of a type without drafts, with all that is said of it. */
export function DocumentForm({ opened, isReadOnly, people, actions, search }: DocumentFormProps) {
  const { type, locale } = opened.place;
  const { entry } = useDocumentState(opened);
  useAddressOf(opened);
  const documentId = entry?.documentId ?? null;
  const place = useFormPlace({ opened, isReadOnly, people }, documentId);
  const document = { uid: type.uid, documentId, locale: locale ?? null };
  const [isFilling, setFilling] = useState(false);
  const show = useBesideAddress();
  const beside = type.isLocalized && opened.place.id !== "new" && search.beside !== locale ? search.beside : undefined;
  const isPreview = type.hasPreview && search.preview === true;
  const fields = (
    <>
      <Slot name="edit.before" document={document} />
      <div className={styles.sheet}>
        <FieldGrid layout={type.layout} attributes={type.attributes} path="" />
      </div>
      <Slot name="edit.after" document={document} />
    </>
  );
  const onFillIn = () => setFilling(true);
  return (
    <>
      <Head opened={opened} isReadOnly={isReadOnly} actions={actions} people={people} />
      <FormProvider value={place}>
        <div className={isPreview ? styles.split : undefined}>
          <div className={styles.content} data-wide={isPreview || beside !== undefined}>
            <div className={styles.form}>
              <Notes opened={opened} />
              {entry && <Tabs opened={opened} tab="draft" />}
              {beside === undefined ? (
                fields
              ) : (
                <Suspense>
                  <SideBySide
                    {...{ opened, onFillIn }}
                    form={place}
                    locale={beside}
                    onChange={(code) => void show(code === undefined ? {} : { beside: code })}
                  >
                    {fields}
                  </SideBySide>
                </Suspense>
              )}
            </div>
            <SidePanel opened={opened} beside={beside} {...(isReadOnly ? {} : { onFillIn })} />
          </div>
          {isPreview && (
            <Suspense>
              <PreviewSide opened={opened} onClose={() => void show({})} />
            </Suspense>
          )}
        </div>
      </FormProvider>
      {type.isLocalized && opened.place.id !== "new" && (
        <Suspense>
          <FillIn {...{ opened, beside }} form={place} isOpen={isFilling} setOpen={setFilling} />
        </Suspense>
      )}
    </>
  );
}

/** The same one until something in it changes: every field of the form is drawn again with another. */
function useFormPlace(
  { opened, isReadOnly, people }: Omit<DocumentFormProps, "search" | "actions">,
  documentId: string | null,
): FormPlace {
  const { store, place, isNew } = opened;
  const { uid } = place.type;
  const { locale } = place;
  const ownId = isNew ? undefined : place.id;
  return useMemo(
    () => ({ store, uid, documentId, ownId, locale, isReadOnly, people, Input: FieldInput }),
    [store, uid, documentId, ownId, locale, isReadOnly, people],
  );
}
