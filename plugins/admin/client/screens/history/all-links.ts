import { ApiError } from "../../app/api.js";
import { readLinked } from "../../fields/relation/relations-api.js";
import type { OpenDocument } from "../edit/open-document.js";

/** Links of one relation that are read; of more the rest stays as it is. */
const MOST = 1_000;

/** Reads the links of every relation of a form that has more than were read. */
export async function readAllLinks({ store, place, state, isNew }: OpenDocument): Promise<void> {
  if (isNew) return;
  const documentId = state.entry?.documentId ?? null;
  const form = { store, uid: place.type.uid, documentId, ownId: place.id, locale: place.locale };
  for (const [path, total] of store.base.totals) {
    const count = () => ((store.baseOf(path) ?? []) as readonly unknown[]).length;
    while (count() < Math.min(total, MOST)) {
      const more = await readLinked(form, path, count()).catch((error: unknown) => {
        if (error instanceof ApiError) return [];
        throw error;
      });
      if (more.length === 0) break;
      store.extend(path, more);
    }
  }
}
