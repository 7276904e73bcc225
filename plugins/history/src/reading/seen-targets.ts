import type { App } from "@plinth/core";
import { reachOfDrafts } from "@plinth/core/reads";
import {
  type Attribute,
  type Component,
  type ContentModel,
  isRelation,
  type RelationAttribute,
} from "@plinth/core/schema";
import { isObject, itemsOf, storedOf } from "./items.js";
import type { Content } from "./kept-versions.js";
import type { Sight } from "./sight.js";

/** A document that a version links to. */
export interface Target {
  readonly uid: string;
  readonly documentId: string;
}

/** What is known of a document that versions link to. */
export type KnowsTarget = (target: Target) => boolean;

/** What a viewer sees of the documents that versions link to, in any locale of those. */
export class Targets {
  readonly #asked = new Set<string>();
  readonly #seen = new Set<string>();

  constructor(
    private readonly app: App,
    private readonly sight: Sight,
  ) {}

  /** Looks up what some versions link to: one read for each content-type, as the viewer. */
  async lookUp(contents: readonly Content[]): Promise<void> {
    const { model } = this.app;
    const wanted = new Map<string, Set<string>>();
    for (const content of contents)
      for (const attribute of this.sight.attributes)
        for (const target of targetsOf(model, this.sight, attribute, content)) {
          if (this.#asked.has(keyOf(target))) continue;
          this.#asked.add(keyOf(target));
          wanted.set(target.uid, (wanted.get(target.uid) ?? new Set()).add(target.documentId));
        }
    for (const [uid, ids] of wanted)
      for (const documentId of await findSeen(this.app, this.sight, uid, [...ids]))
        this.#seen.add(keyOf({ uid, documentId }));
  }

  readonly isSeen: KnowsTarget = (target) => this.#seen.has(keyOf(target));

  /** Whether it is not there any more. Who does not see all documents of a type is not told that of any of them. */
  readonly isGone: KnowsTarget = (target) => !this.isSeen(target) && seesEvery(this.app, this.sight, target.uid);
}

const keyOf = ({ uid, documentId }: Target): string => `${uid} ${documentId}`;

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
  ids: readonly string[],
): Promise<readonly string[]> {
  const type = app.model.contentTypes.get(uid);
  if (!type) return [];
  // As populated from a draft: of those who read no drafts of it, what is published.
  const status = isTrusted || reachOfDrafts(app.model, ability, type).rows !== "nothing" ? "draft" : "published";
  const found = await app.documents(uid).findMany({
    ...{ filters: { documentId: { $in: ids } }, fields: ["documentId"], asStored: true, status, locale: "*" },
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
  if (isRelation(attribute)) return targetsIn(attribute, storedOf(links, attribute));
  if (attribute.kind !== "component" && attribute.kind !== "dynamiczone") return [];
  return itemsOf(model, attribute, storedOf(values, attribute)).flatMap(({ component, item }) =>
    component ? embeddedIn(model, sight, component, item) : [],
  );
}

function embeddedIn(
  model: ContentModel,
  sight: Sight,
  { attributes }: Component,
  item: Readonly<Record<string, unknown>>,
): readonly Target[] {
  return [...attributes.values()].filter(sight.sees).flatMap((attribute) => {
    if (isRelation(attribute)) return targetsIn(attribute, storedOf(item, attribute));
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
