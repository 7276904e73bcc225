import { lazyRouteComponent, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import type { TypeView } from "../../../src/wire/model.js";
import { ApiError } from "../../app/api.js";
import { NotFound } from "../../app/not-found.js";
import { mayDo, useSession } from "../../app/session.js";
import type { EditSearch } from "../../app/edit-search.js";
import { newDocumentId } from "../../form/random-text.js";
import { Bone, Failed, useIsSlow } from "../../ui/state.js";
import { noteRecent } from "../home/recent.js";
import { titleOf } from "../list/row-title.js";
import { useBesideAddress } from "./beside-address.js";
import { ConflictDialog } from "./conflict-dialog.js";
import { DocumentForm } from "./document-form.js";
import styles from "./edit.module.css";
import { useActions, useKeys } from "./edit-actions.js";
import type { DocumentPlace } from "./entry-requests.js";
import type { OpenDocument } from "./open-document.js";
import { PublishedVersion } from "./published-version.js";
import { formKey, useDocumentState, useOpenDocument } from "./use-document.js";
import { useTogether } from "./use-together.js";

const DocumentHistory = lazyRouteComponent(() => import("../history/document-history.js"), "DocumentHistory");

/** The form of one document. */
export function EditScreen() {
  const { uid = "", id = "single" } = useParams({ strict: false });
  const search: EditSearch = useSearch({ strict: false });
  const { types, locales } = useSession();
  const type = types.get(uid);
  if (!type) return <NotFound />;
  const usual = locales.find(({ isDefault }) => isDefault)?.code;
  const locale = type.isLocalized ? (search.locale ?? usual) : undefined;
  if (id === "new" && search.draft === undefined) return <NameDraft uid={uid} search={search} />;
  const { draft } = search;
  return <Edit key={formKey({ type, id, locale, draft })} {...{ type, id, locale, draft, search }} />;
}

/** Gives the form of a new document a name in its address, by which what is typed is found again. */
function NameDraft({ uid, search }: { readonly uid: string; readonly search: EditSearch }) {
  const navigate = useNavigate();
  useEffect(() => {
    const draft = newDocumentId();
    void navigate({ to: "/content/$uid/$id", params: { uid, id: "new" }, search: { ...search, draft }, replace: true });
  }, [navigate, uid, search]);
  return null;
}

interface EditProps extends DocumentPlace {
  readonly search: EditSearch;
}

function Edit({ type, id, locale, draft, search }: EditProps) {
  const session = useSession();
  const { opened, error, retry } = useOpenDocument(session, { type, id, locale, draft });
  const isSlow = useIsSlow(!opened);
  useRecent(opened, type, locale);
  if (error instanceof ApiError && error.status === 404) return <NotFound />;
  if (error !== undefined) return <Failed error={error} retry={retry} action={`${type.uid}.find`} />;
  if (!opened) return isSlow ? <Bones /> : null;
  return <Opened opened={opened} search={search} />;
}

/** A document in one of its tabs. */
function Opened({ opened, search }: { readonly opened: OpenDocument; readonly search: EditSearch }) {
  const session = useSession();
  const people = useTogether(opened);
  const { type } = opened.place;
  // The document of a single type is made by its first change.
  const isReadOnly = !mayDo(session, type.uid, opened.isNew && type.kind !== "singleType" ? "create" : "update");
  const tab = useTab(opened, search);
  const { conflicts } = useDocumentState(opened);
  const [conflict] = conflicts;
  const actions = useActions(opened);
  useKeys({ ...actions, isReadOnly, mayPublish: type.hasDrafts && mayDo(session, type.uid, "publish") });
  return (
    <div className={styles.screen}>
      {tab === "published" && <PublishedVersion opened={opened} people={people} />}
      {tab === "history" && <DocumentHistory {...{ opened, people, actions, isReadOnly }} />}
      {tab === undefined && <DocumentForm {...{ opened, search, people, actions, isReadOnly }} />}
      {conflict && (
        <ConflictDialog
          key={conflicts.length}
          conflict={conflict}
          onChoose={(chosen) => void actions.resolve(chosen)}
          onClose={() => opened.postpone()}
        />
      )}
    </div>
  );
}

/** The tab of the address. The one of what is live is left once nothing is: it was taken back, here or by somebody else. */
function useTab(opened: OpenDocument, { tab }: EditSearch): EditSearch["tab"] {
  const { entry } = useDocumentState(opened);
  const show = useBesideAddress();
  const isLive = opened.place.type.hasDrafts && entry !== undefined && entry._facts.state !== "draft";
  const isLeft = tab === "published" && !isLive;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is left
  useEffect(() => {
    if (isLeft) void show({}, true);
  }, [isLeft]);
  return isLeft ? undefined : tab;
}

function useRecent(opened: OpenDocument | undefined, type: TypeView, locale: string | undefined): void {
  const { user } = useSession();
  const { entry } = opened?.state ?? {};
  useEffect(() => {
    if (!entry) return;
    const { documentId } = entry;
    const at = new Date().toISOString();
    noteRecent(user.documentId, { uid: type.uid, documentId, locale: locale ?? null, title: titleOf(type, entry), at });
  }, [entry, user, type, locale]);
}

const Bones = () => (
  <div className={styles.content}>
    <div className={styles.form}>
      <div className={styles.sheet}>
        <div className={styles.form}>
          {["a", "b", "c", "d"].map((bone) => (
            <Bone key={bone} height="3.5rem" />
          ))}
        </div>
      </div>
    </div>
    <Bone height="10rem" />
  </div>
);
