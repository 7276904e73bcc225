import type { RelatedEntry, RelatedList } from "../../../src/wire/content.js";
import { api } from "../../app/api.js";
import type { FormPlace } from "../../form/form-context.js";
import { below, type Path } from "../../form/paths.js";
import type { FormStore } from "../../form/store.js";

/**
 * The path of a relation as the server has it: behind a zone the component's uid, and ids of items that are stored.
 *
 * @source plugins/admin/src/content/relation-path.ts
 */
export function relationPath(store: FormStore, path: Path): string {
  const steps: string[] = [];
  let place = "";
  for (const part of path.split(".")) {
    const item = store.itemsAt(place).find?.(({ key }) => key === part);
    place = below(place, part);
    if (!item) {
      steps.push(part);
      continue;
    }
    if (isZone(store, steps)) steps.push(item.component);
    if (item.id !== null) steps.push(String(item.id));
  }
  return steps.join(".");
}

/** Whether the last of some steps is a dynamic zone; zones stand in types only. */
const isZone = (store: FormStore, steps: readonly string[]): boolean =>
  steps.length === 1 && store.attributes[steps[0] ?? ""]?.kind === "dynamiczone";

/** What may be linked. */
export function findCandidates(request: CandidatesRequest, signal: AbortSignal): Promise<RelatedList> {
  const { uid, path, text, type, locale, cursor, without } = request;
  const query = new URLSearchParams({
    ...(text === "" ? {} : { _q: text }),
    ...(type === undefined ? {} : { type }),
    ...(locale === undefined ? {} : { locale }),
    ...(cursor === null ? {} : { cursor }),
    ...(without === undefined ? {} : { without }),
  });
  return api<RelatedList>(`/content/${uid}/relations/${encodeURIComponent(path)}?${query}`, { signal });
}

/** Which relation is asked for, and what is looked for. */
export interface CandidatesRequest {
  readonly uid: string;
  readonly path: string;
  readonly text: string;
  /** Of a relation to several types: the one that is looked in. */
  readonly type: string | undefined;
  readonly locale: string | undefined;
  readonly cursor: string | null;
  /** The document whose links are left out. */
  readonly without: string | undefined;
}

/** How many links are read at once. */
const MOST = 100;

/** The links of a document from the n-th on. @param known - how many are there already */
export async function readLinked(
  place: Pick<FormPlace, "uid" | "ownId" | "locale" | "store">,
  path: Path,
  known: number,
): Promise<readonly RelatedEntry[]> {
  const { uid, ownId = "", locale, store } = place;
  const found: RelatedEntry[] = [];
  // The cursor of linked documents is how many come before.
  let cursor: string | null = String(known);
  do {
    const query = new URLSearchParams({
      ...(locale === undefined ? {} : { locale }),
      ...(cursor === null ? {} : { cursor }),
    });
    const address = `/content/${uid}/${ownId}/relations/${encodeURIComponent(relationPath(store, path))}?${query}`;
    const page: RelatedList = await api<RelatedList>(address);
    found.push(...page.data);
    cursor = page.meta.nextCursor;
  } while (cursor !== null && found.length < MOST);
  return found;
}
