import type { App } from "@plinth/core";
import type { Attribute, ContentModel, Shape } from "@plinth/core/schema";
import type { StoredAction } from "../act.js";
import type { Caller, ReleaseWarning } from "../contract.js";
import { localeParam } from "../places.js";

/** Components inside of components that are looked into. */
const DEEPEST = 6;

/** Where the links are kept that a document publishes; those of other sides are not its own. */
const OWN: readonly string[] = ["column", "links", "embedded"];

/** A target that is linked to, and where. */
interface Target {
  readonly path: readonly string[];
  readonly type: string;
  readonly documentId: string;
}

/**
 * The relations of a published document that lead to documents which have a draft and are not published: readers find
 * nothing there. Of those that the caller sees.
 */
export async function unpublishedTargets(
  app: App,
  { uid, documentId, locale }: StoredAction,
  { actor }: Caller,
): Promise<readonly ReleaseWarning[]> {
  const { model } = app;
  const type = model.contentTypes.get(uid);
  const withPrivate = !actor || actor.kind === "admin";
  const populate = type && populateOf({ model, withPrivate }, type, 0);
  if (!type || !populate) return [];
  const params = {
    documentId,
    populate,
    fields: ["documentId"],
    ...localeParam(locale),
    fallbackLocale: [],
    withPrivate,
  };
  const sees = actor ? { ability: actor.ability } : {};
  const targetsIn = async (status: "draft" | "published") => {
    const found = await app.documents(uid).findOne({ ...params, ...sees, status });
    return found ? targetsOf(model, type, found, []) : [];
  };
  const published = new Set((await targetsIn("published")).map(keyOf));
  const missing = (await targetsIn("draft")).filter((target) => !published.has(keyOf(target)));
  const place = { type: uid, documentId, locale: locale === "" ? null : locale };
  return missing.map(({ path, ...target }) => ({ ...place, path, target }));
}

const keyOf = ({ path, type, documentId }: Target): string => `${path.join(".")} ${type} ${documentId}`;

/** Relations to documents that are published by themselves. */
function hasDrafts(model: ContentModel, attribute: Attribute): boolean {
  if (attribute.kind !== "relation" || !OWN.includes(attribute.storage)) return false;
  return attribute.target !== undefined && (model.contentTypes.get(attribute.target)?.hasDrafts ?? false);
}

/** What of the content model a caller sees. */
interface Sight {
  readonly model: ContentModel;
  readonly withPrivate: boolean;
}

/** What leads to such documents; undefined where nothing does. */
function populateOf(sight: Sight, { attributes }: Shape, depth: number): object | undefined {
  const entries = [...attributes.values()].flatMap((attribute) => {
    if (attribute.isPrivate && !sight.withPrivate) return [];
    const inside = hasDrafts(sight.model, attribute) ? { fields: ["documentId"] } : insideOf(sight, attribute, depth);
    return inside ? [[attribute.name, inside] as const] : [];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function insideOf(sight: Sight, attribute: Attribute, depth: number): object | undefined {
  if (depth >= DEEPEST) return undefined;
  const into = (uid: string) => {
    const component = sight.model.components.get(uid);
    const populate = component && populateOf(sight, component, depth + 1);
    return populate && { populate };
  };
  if (attribute.kind === "component") return into(attribute.component);
  if (attribute.kind !== "dynamiczone") return undefined;
  const on = attribute.components.flatMap((uid) => {
    const inside = into(uid);
    return inside ? [[uid, inside] as const] : [];
  });
  return on.length === 0 ? undefined : { on: Object.fromEntries(on) };
}

type Value = Readonly<Record<string, unknown>>;

function targetsOf(
  model: ContentModel,
  { attributes }: Shape,
  value: Value,
  path: readonly string[],
): readonly Target[] {
  return [...attributes.values()].flatMap((attribute) => {
    const own = [...path, attribute.name];
    const items = [value[attribute.name]]
      .flat()
      .filter((item): item is Value => typeof item === "object" && item !== null);
    if (hasDrafts(model, attribute) && "target" in attribute)
      return items.map((item) => ({ path: own, type: attribute.target ?? "", documentId: String(item["documentId"]) }));
    if (attribute.kind !== "component" && attribute.kind !== "dynamiczone") return [];
    return items.flatMap((item) => {
      const uid = attribute.kind === "component" ? attribute.component : String(item["__component"]);
      const component = model.components.get(uid);
      return component ? targetsOf(model, component, item, own) : [];
    });
  });
}
