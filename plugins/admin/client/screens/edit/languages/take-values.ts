import type { EntryList, RelatedEntry } from "../../../../src/wire/content.js";
import { api } from "../../../app/api.js";
import type { Session } from "../../../app/session.js";
import { readLinked } from "../../../fields/relation/relations-api.js";
import type { FormPlace } from "../../../form/form-context.js";
import type { Path } from "../../../form/paths.js";
import type { Taken } from "../../../form/transfer.js";
import { titleOf } from "../../list/row-title.js";

/** What was taken. */
export interface TakenValues {
  /** Puts back what was there before. */
  readonly undo: () => void;
  /** Links to documents that are not there in the language of the form. */
  readonly missing: number;
}

/** Puts values of another language into a form. Links lead to the same documents, in the language of the form. @throws ApiError */
export async function takeValues(
  session: Session,
  { from, to }: { readonly from: FormPlace; readonly to: FormPlace },
  taken: readonly Taken[],
): Promise<TakenValues> {
  let missing = 0;
  const changes: [Path, unknown][] = [];
  for (const { attribute, value, ...paths } of taken) {
    if (attribute.kind !== "relation") {
      changes.push([paths.to, value]);
      continue;
    }
    await readAll(to, paths.to);
    const links = await readAll(from, paths.from);
    const localised = await inLocale(session, links, to.locale);
    missing += links.length - localised.length;
    changes.push([paths.to, localised]);
  }
  const before = changes.map(([path]): [Path, unknown] => [path, to.store.get(path)]).reverse();
  to.store.apply(changes);
  return { missing, undo: () => to.store.apply(before) };
}

/** All links of a relation: a document comes with the first ones. */
async function readAll(form: FormPlace, path: Path): Promise<readonly RelatedEntry[]> {
  const { store } = form;
  for (;;) {
    const known = ((store.baseOf(path) ?? []) as readonly RelatedEntry[]).length;
    if (known >= (store.base.totals.get(path) ?? 0)) break;
    const more = await readLinked(form, path, known);
    if (more.length === 0) break;
    store.extend(path, more);
  }
  return (store.get(path) ?? []) as readonly RelatedEntry[];
}

/** Documents that a list names at once. */
const MOST = 50;

/** The same documents in another language, those that there are. Documents of types without languages are the same in all. */
async function inLocale(
  session: Session,
  links: readonly RelatedEntry[],
  locale: string | undefined,
): Promise<readonly RelatedEntry[]> {
  const found = new Map<string, RelatedEntry>();
  const uids = new Set(links.filter((link) => link.locale !== null && link.locale !== locale).map(({ uid }) => uid));
  for (const uid of uids) {
    const type = session.types.get(uid);
    const ids = links.filter((link) => link.uid === uid).map(({ documentId }) => documentId);
    for (let start = 0; type && start < ids.length; start += MOST) {
      const query = new URLSearchParams({
        locale: locale ?? "",
        "pagination[pageSize]": String(MOST),
        fields: type.title,
      });
      for (const [index, id] of ids.slice(start, start + MOST).entries())
        query.set(`filters[documentId][$in][${index}]`, id);
      const { data } = await api<EntryList>(`/content/${uid}?${query}`);
      for (const entry of data) {
        const link = links.find((known) => known.uid === uid && known.documentId === entry.documentId);
        const { id, _facts } = entry;
        if (link)
          found.set(`${uid} ${link.documentId}`, {
            ...link,
            id,
            locale: entry.locale,
            title: titleOf(type, entry),
            state: _facts.state,
          });
      }
    }
  }
  return links.flatMap((link) =>
    uids.has(link.uid) && link.locale !== null ? (found.get(`${link.uid} ${link.documentId}`) ?? []) : [link],
  );
}
