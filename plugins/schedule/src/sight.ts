import type { Ability, App } from "@plinth/core";
import { reachOfDrafts } from "@plinth/core/reads";
import { localeParam, type StoredPlace, typeOf } from "./places.js";

/**
 * Whether a caller sees a document in a locale: its draft, where they may read drafts, or its published version.
 *
 * @param ability - undefined: that of code.
 */
export async function isSeen(app: App, { uid, documentId, locale }: StoredPlace, ability?: Ability): Promise<boolean> {
  const type = typeOf(app, uid);
  const readsDrafts = !ability || reachOfDrafts(app.model, ability, type).rows !== "nothing";
  const params = { documentId, ...localeParam(locale), fallbackLocale: [], fields: ["documentId"] };
  const sees = ability ? { ability } : {};
  for (const status of readsDrafts ? (["draft", "published"] as const) : (["published"] as const))
    if (await app.documents(uid).findOne({ ...params, ...sees, status })) return true;
  return false;
}

/** Whether a caller sees all documents of a type, drafts included: then there is nothing to be asked of the database. */
export function seesAll({ model }: App, ability: Ability | undefined, uid: string): boolean {
  if (!ability) return true;
  const type = model.contentTypes.get(uid);
  if (!type) return ability.reachOf(`${uid}.find`).rows === "everything";
  return [ability.reachOf(`${uid}.find`), reachOfDrafts(model, ability, type)].every(
    ({ rows }) => rows === "everything",
  );
}

/** Those of some documents of one type in one locale that have a draft, and that a caller sees. */
export async function seenAmong(
  app: App,
  { uid, locale }: Pick<StoredPlace, "uid" | "locale">,
  documentIds: readonly string[],
  ability?: Ability,
): Promise<ReadonlySet<string>> {
  const type = app.model.contentTypes.get(uid);
  if (!type?.hasDrafts) return new Set();
  if (ability && (!ability.can(`${uid}.find`) || reachOfDrafts(app.model, ability, type).rows === "nothing"))
    return new Set();
  const found = await app.documents(uid).findMany({
    filters: { documentId: { $in: documentIds } },
    ...{ status: "draft", ...localeParam(locale), fallbackLocale: [], fields: ["documentId"] },
    pagination: { limit: -1 },
    ...(ability ? { ability } : {}),
  });
  return new Set(found.map(({ documentId }) => documentId));
}

/** Those of some places at which a caller sees a draft or a published version: what `isSeen` says of each, in few statements. */
export async function seenPlaces<Each extends StoredPlace>(
  app: App,
  places: readonly Each[],
  ability: Ability | undefined,
): Promise<readonly Each[]> {
  const seen = new Map<string, ReadonlySet<string>>();
  const known = places.filter(({ uid }) => app.model.contentTypes.get(uid)?.hasDrafts);
  if (!ability) return known;
  for (const [key, group] of groupsOf(known)) {
    const [first] = group;
    const ids = [...new Set(group.map(({ documentId }) => documentId))];
    if (first && !seesAll(app, ability, first.uid)) seen.set(key, await seenIn(app, first, ids, ability));
  }
  return known.filter((place) => seen.get(groupKey(place))?.has(place.documentId) ?? true);
}

/** Type and locale of a place, by which places are looked at together. */
export const groupKey = ({ uid, locale }: Pick<StoredPlace, "uid" | "locale">): string => `${uid} ${locale}`;

/** Places by their types and locales. */
export function groupsOf<Each extends StoredPlace>(places: readonly Each[]): ReadonlyMap<string, readonly Each[]> {
  const groups = new Map<string, Each[]>();
  for (const place of places) {
    const own = groups.get(groupKey(place));
    if (own) own.push(place);
    else groups.set(groupKey(place), [place]);
  }
  return groups;
}

async function seenIn(
  app: App,
  { uid, locale }: StoredPlace,
  documentIds: readonly string[],
  ability: Ability,
): Promise<ReadonlySet<string>> {
  const drafts = await seenAmong(app, { uid, locale }, documentIds, ability);
  if (!ability.can(`${uid}.find`)) return drafts;
  const found = await app.documents(uid).findMany({
    filters: { documentId: { $in: documentIds } },
    ...{ status: "published", ...localeParam(locale), fallbackLocale: [], fields: ["documentId"] },
    pagination: { limit: -1 },
    ability,
  });
  return new Set([...drafts, ...found.map(({ documentId }) => documentId)]);
}
