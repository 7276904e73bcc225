import type { Entry } from "../../../src/wire/content.js";
import { wholeOf } from "../../form/changes.js";
import { FormStore } from "../../form/store.js";
import { conflictIn } from "./document-state.js";
import { createEntry, type DocumentPlace, readEntry } from "./entry-requests.js";

/** Makes a document again of what is in a form. @param id - that it gets @throws ApiError */
export async function recreateEntry(store: FormStore, { type, locale }: DocumentPlace, id: string): Promise<Entry> {
  // As a new form would send it: without ids of what is gone.
  const copy = new FormStore(store.shapes, type.attributes, { leaves: new Map(), totals: new Map() });
  copy.apply(store.leaves);
  const body = { data: wholeOf(copy), status: "draft", documentId: id } as const;
  const { entry } = await createEntry({ type, locale }, body).catch((error: unknown) => {
    if (conflictIn(error)) return readEntry({ type, locale, id });
    throw error;
  });
  return entry;
}
