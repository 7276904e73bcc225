import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { EditSearch } from "../../app/edit-search.js";
import type { Path } from "../../form/paths.js";
import { t } from "../../messages/text.js";
import { sayDone } from "../../ui/toast.js";
import type { SaveResult } from "./document-state.js";
import type { OpenDocument } from "./open-document.js";
import { showProblems } from "./problem-list.js";
import { formAddress, renameForm } from "./use-document.js";

/** What the buttons and the keys do. */
export interface EditActions {
  readonly save: () => Promise<void>;
  readonly publish: () => Promise<void>;
  /** Saves what was chosen where two people changed the same. */
  readonly resolve: (chosen: ReadonlyMap<Path, unknown>) => Promise<void>;
}

const DONE = {
  saved: "edit.saved",
  published: "edit.published",
  merged: "edit.merged",
  taken: "others.taken",
} as const;

/** Saves and publishes, and says so. */
export function useActions(opened: OpenDocument): EditActions {
  const say = async (work: Promise<SaveResult>) => {
    const result = await work;
    if (result === "refused") showProblems();
    else sayDone(t(DONE[result]));
  };
  return {
    save: () => say(opened.save()),
    publish: () => say(opened.publish()),
    resolve: (chosen) => say(opened.resolve(chosen)),
  };
}

/** Goes to the address of a document that was new; its form stays as it is, with focus, scroll and open cards. */
export function useAddressOf(opened: OpenDocument): void {
  const navigate = useNavigate();
  const { type, id, locale } = opened.place;
  const { id: address = "single" } = useParams({ strict: false });
  const latest = useRef<EditSearch>({});
  latest.current = useSearch({ strict: false });
  useEffect(() => {
    if (id === address) return;
    renameForm(formAddress({ ...opened.place, id: address }), formAddress(opened.place));
    const search = locale === undefined ? {} : { locale };
    const { beside, preview } = latest.current;
    void navigate({
      to: "/content/$uid/$id",
      params: { uid: type.uid, id },
      search: { ...search, ...(beside ? { beside } : {}), ...(preview ? { preview } : {}) },
      replace: true,
      resetScroll: false,
    });
  }, [opened, address, id, type, locale, navigate]);
}

/** What the keys may do here. */
interface KeyOptions extends EditActions {
  readonly mayPublish: boolean;
  readonly isReadOnly: boolean;
}

/** Ctrl or Cmd with S saves, with Shift and Enter publishes; not from a window above the form, and once for a key that is held. */
export function useKeys({ save, publish, mayPublish, isReadOnly }: KeyOptions): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const isSave = event.key.toLowerCase() === "s" && !event.shiftKey;
      const isPublish = event.shiftKey && event.key === "Enter" && mayPublish;
      if (!isSave && !isPublish) return;
      event.preventDefault();
      const isAbove = event.target instanceof Element && event.target.closest("[role=dialog], [role=alertdialog]");
      if (event.repeat || isReadOnly || isAbove) return;
      void (isSave ? save() : publish());
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [save, publish, mayPublish, isReadOnly]);
}
