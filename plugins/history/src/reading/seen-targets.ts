import type { App } from "@plinth/core";
import { reachOfDrafts } from "@plinth/core/reads";
import {
  type Attribute,
  type Component,
  type ContentModel,
  isRelation,
  type RelationAttribute,
} from "@plinth/core/schema";
import { isObject, itemsOf } from "./items.js";
import type { Content } from "./kept-versions.js";
import type { Sight } from "./sight.js";

/** A document that a version links to. */
export interface Target {
  readonly uid: string;
  readonly documentId: string;
}

/** Which documents that versions link to are there, and may be seen by the viewer. */
export type SeenTargets = (target: Target) => boolean;

/** What is known of the documents that versions link to. */
export interface KnownTargets {
  readonly isSeen: SeenTargets;
  /** Whether it is not there any more. Who does not see all documents of a type is not told that of any of them. */
  readonly isGone: SeenTargets;
}

/**
 * Looks up what some versions link to: one read for each content-type, as the viewer.
 *
 * @param locale - of the versions; `""` on types that are not localised.
 */
export async function readTargets(
  app: App,
  sight: Sight,
  contents: readonly Content[],
  locale: string,
): Promise<KnownTargets> {
  const wanted = new Map<string, Set<string>>();
  const collect = ({ uid, documentId }: Target) => wanted.set(uid, (wanted.get(uid) ?? new Set()).add(documentId));
  for (const content of contents)
    for (const attribute of sight.attributes) targetsOf(app.model, sight, attribute, content).forEach(collect);
  const seen = new Set<string>();
  for (const [uid, ids] of wanted)
    for (const id of await findSeen(app, sight, uid, { ids: [...ids], locale })) seen.add(`${uid} ${id}`);
  const isSeen: SeenTargets = ({ uid, documentId }) => seen.has(`${uid} ${documentId}`);
  return { isSeen, isGone: (target) => !isSeen(target) && seesEvery(app, sight, target.uid) };
}

/** Whether a viewer who does not see a document of a type knows by that that there is none. */
function seesEvery({ model }: App, { ability, visibility, isTrusted }: Sight, uid: string): boolean {
  const type = model.contentTypes.get(uid);
  if (!type || visibility === "public") return false;
  if (isTrusted) return true;
  const reaches = [ability.reachOf(`${uid}.find`), reachOfDrafts(model, ability, type)];
  return reaches.every(({ rows }) => rows === "everything");
}

async function findSeen(
  app: App,
  { ability, visibility, isTrusted }: Sight,
  uid: string,
  { ids, locale }: { readonly ids: readonly string[]; readonly locale: string },
): Promise<readonly string[]> {
  const type = app.model.contentTypes.get(uid);
  if (!type) return [];
  // As populated from a draft: of those who read no drafts of it, what is published.
  const status = isTrusted || reachOfDrafts(app.model, ability, type).rows !== "nothing" ? "draft" : "published";
  const found = await app.documents(uid).findMany({
    ...{ filters: { documentId: { $in: ids } }, fields: ["documentId"], asStored: true, status, fallbackLocale: [] },
    ...(locale === "" ? {} : { locale }),
    ...(visibility === "admin" ? { visibility } : {}),
    ability,
  });
  return found.map(({ documentId }) => documentId);
}

/** What an attribute of a version links to, with the components that it holds. */
function targetsOf(
  model: ContentModel,
  sight: Sight,
  attribute: Attribute,
  { values, links }: Content,
): readonly Target[] {
  if (isRelation(attribute)) return targetsIn(attribute, links[attribute.name] ?? links[attribute.renamedFrom ?? ""]);
  if (attribute.kind !== "component" && attribute.kind !== "dynamiczone") return [];
  return itemsOf(model, attribute, values[attribute.name] ?? values[attribute.renamedFrom ?? ""]).flatMap(
    ({ component, item }) => (component ? embeddedIn(model, sight, component, item) : []),
  );
}

function embeddedIn(
  model: ContentModel,
  sight: Sight,
  { attributes }: Component,
  item: Readonly<Record<string, unknown>>,
): readonly Target[] {
  return [...attributes.values()].filter(sight.sees).flatMap((attribute) => {
    if (isRelation(attribute)) return targetsIn(attribute, item[attribute.name]);
    return targetsOf(model, sight, attribute, { values: item, links: {} });
  });
}

/** What a relation holds, inside of a component or not: ids, or `{ documentId, __type }` where it leads to several types. */
export function targetsIn({ target }: RelationAttribute, stored: unknown): readonly Target[] {
  return [stored].flat().flatMap((each) => {
    if (typeof each === "string") return target === undefined ? [] : [{ uid: target, documentId: each }];
    if (!isObject(each)) return [];
    return [{ uid: target ?? String(each["__type"]), documentId: String(each["documentId"]) }];
  });
}
