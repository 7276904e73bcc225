import { Link, useSearch } from "@tanstack/react-router";
import { useCallback, useSyncExternalStore } from "react";
import type { PersonAt } from "../../../src/wire/live.js";
import type { EditSearch } from "../../app/edit-search.js";
import { Slot } from "../../app/slot.js";
import { mayDo, useSession } from "../../app/session.js";
import { type FormPeople, ownPath } from "../../form/form-people.js";
import { upwards } from "../../form/paths.js";
import { Faces } from "../../live/faces.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { StateBadge } from "../../ui/state.js";
import { useBesideAddress } from "./beside-address.js";
import { DocumentMenu } from "./document-menu.js";
import styles from "./edit.module.css";
import type { EditActions } from "./edit-actions.js";
import type { OpenDocument } from "./open-document.js";
import { useDocumentState } from "./use-document.js";
import { useEverybody } from "./use-together.js";

interface HeadProps {
  readonly opened: OpenDocument;
  readonly isReadOnly: boolean;
  readonly actions: EditActions;
  /** Who else has the form open; undefined: it is no form. */
  readonly people?: FormPeople;
}

/** Name, state and what may be done. */
export function Head({ opened, isReadOnly, actions, people }: HeadProps) {
  const session = useSession();
  const { type } = opened.place;
  const { entry, work } = useDocumentState(opened);
  const isBusy = work === "saving";
  const mayPublish = type.hasDrafts && mayDo(session, type.uid, "publish");
  const saveText = type.hasDrafts ? t("action.saveDraft") : t("action.saveLive");
  return (
    <header className={styles.head}>
      <div className={styles.names}>
        {type.kind === "collectionType" && (
          <Link to="/content/$uid" params={{ uid: type.uid }} className={styles.back}>
            <Icon name="chevron-left" size={0.875} />
            {type.label}
          </Link>
        )}
        <div className={styles.title}>
          <h1>
            <TitleText opened={opened} />
          </h1>
          {type.hasDrafts && entry && <StateBadge state={entry._facts.state} />}
        </div>
      </div>
      <Slot
        name="edit.header"
        document={{ uid: type.uid, documentId: entry?.documentId ?? null, locale: opened.place.locale ?? null }}
      />
      {people && <OtherPeople opened={opened} people={people} />}
      <SaveStatus opened={opened} />
      {type.hasPreview && <PreviewButton />}
      {!isReadOnly && (
        <Button look={mayPublish ? "plain" : "primary"} isBusy={isBusy} onClick={() => void actions.save()}>
          {saveText}
        </Button>
      )}
      {!isReadOnly && mayPublish && (
        <Button look="primary" isBusy={isBusy} onClick={() => void actions.publish()}>
          {t("action.publish")}
        </Button>
      )}
      {entry && <DocumentMenu opened={opened} />}
    </header>
  );
}

/** Who else has the form open; a face leads to the field that they are in. */
function OtherPeople({ opened, people }: { readonly opened: OpenDocument; readonly people: FormPeople }) {
  const session = useSession();
  const { store, place } = opened;
  const nameOf = ({ account, name, locale, field }: PersonAt): string => {
    const who = account === session.user.documentId ? t("people.you") : name;
    if (locale !== (place.locale ?? null)) {
      const language = session.locales.find(({ code }) => code === locale)?.name ?? locale ?? "";
      return t("people.inLanguage", { name: who, language });
    }
    const label = field === null ? undefined : store.attributes[field.split(".")[0] ?? ""]?.label;
    return label === undefined ? who : t("people.at", { name: who, field: label });
  };
  const show = ({ field, locale }: PersonAt) => {
    if (field === null || locale !== (place.locale ?? null)) return;
    const path = upwards(ownPath(store.leaves, field)).find((known) => document.getElementById(`place-${known}`));
    document.getElementById(`place-${path}`)?.scrollIntoView({ block: "center" });
  };
  return <Faces people={useEverybody(people)} nameOf={nameOf} onShow={show} />;
}

/** Shows the front end beside the form, or closes it. */
function PreviewButton() {
  const { preview }: EditSearch = useSearch({ strict: false });
  const show = useBesideAddress();
  return (
    <Button icon="eye" aria-pressed={preview === true} onClick={() => void show(preview ? {} : { preview: true })}>
      {t("preview.label")}
    </Button>
  );
}

/** The title as it is typed. */
function TitleText({ opened }: { readonly opened: OpenDocument }) {
  const { store, place } = opened;
  const { title, label, kind } = place.type;
  const subscribe = useCallback((listener: () => void) => store.subscribe(title, listener), [store, title]);
  const value = useSyncExternalStore(subscribe, () => store.get(title));
  const text = typeof value === "string" && value.trim() !== "" ? value : undefined;
  const shown =
    text ?? (kind === "singleType" ? label : opened.isNew ? t("edit.new", { type: label }) : t("edit.untitled"));
  return (
    <>
      <title>{shown}</title>
      {shown}
    </>
  );
}

/** Whether everything is saved. */
function SaveStatus({ opened }: { readonly opened: OpenDocument }) {
  const { store } = opened;
  const { work } = useDocumentState(opened);
  const subscribe = useCallback((listener: () => void) => store.subscribe("", listener), [store]);
  const isChanged = useSyncExternalStore(subscribe, () => store.changedBelow("") > 0);
  const text = work === "saving" ? t("edit.saving") : isChanged ? t("edit.unsaved") : "";
  return (
    <span className={styles.status} role="status">
      {text}
    </span>
  );
}
