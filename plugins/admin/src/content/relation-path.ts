import type { Ability } from "@plinth/core";
import { shapeOf } from "@plinth/core/reads";
import {
  type Attribute,
  type Component,
  type ContentModel,
  type ContentType,
  isVirtual,
  type RelationAttribute,
} from "@plinth/core/schema";
import { UnknownRelationError } from "../errors.js";

/** One attribute on the way to a relation. */
export interface PathStep {
  readonly name: string;
  /** The component that follows; undefined for the relation itself. */
  readonly component: Component | undefined;
  /** Whether the attribute holds items of several components. */
  readonly isZone: boolean;
  /** Id of the item that is meant; undefined: any. */
  readonly item: number | undefined;
}

/** A relation of a content-type, or of a component in it. */
export interface RelationPath {
  readonly steps: readonly PathStep[];
  readonly relation: RelationAttribute;
}

/** The id of a component's item: no component has such a name. */
const ITEM = /^\d{1,15}$/;

/**
 * Follows a path to a relation: names of attributes with dots between them. Behind a zone stands the component's uid,
 * whose category and name are two parts of the path; behind any list of components the id of an item may follow:
 * `author`, `seo.image`, `sections.shared.quote.17.author`.
 *
 * @param ability - what it may not find of the type is not there.
 * @throws PLINTH_ADMIN_UNKNOWN_RELATION (404)
 */
export function parseRelationPath(
  model: ContentModel,
  type: ContentType,
  ability: Ability,
  path: string,
): RelationPath {
  const parts = path.split(".");
  const steps: PathStep[] = [];
  let shape: ContentType | Component = shapeOf(type, ability.reachOf(`${type.uid}.find`));
  for (let name = parts.shift(); name !== undefined; name = parts.shift()) {
    const attribute: Attribute | undefined = shape.attributes.get(name);
    if (attribute?.kind === "relation" && !isVirtual(attribute) && parts.length === 0)
      return { steps: [...steps, { name, component: undefined, isZone: false, item: undefined }], relation: attribute };
    const component: Component | undefined = attribute && componentBehind(model, attribute, parts);
    if (!attribute || !component) break;
    const item = ITEM.test(parts[0] ?? "") ? Number(parts.shift()) : undefined;
    steps.push({ name, component, isZone: attribute.kind === "dynamiczone", item });
    shape = component;
  }
  throw new UnknownRelationError({ uid: type.uid, path });
}

/** The component that an attribute leads to. @param parts - the rest of the path; the uid of a zone's item is taken off it. */
function componentBehind(model: ContentModel, attribute: Attribute, parts: string[]): Component | undefined {
  if (attribute.kind === "component") return model.components.get(attribute.component);
  if (attribute.kind !== "dynamiczone") return undefined;
  const uid = parts.splice(0, 2).join(".");
  return attribute.components.includes(uid) ? model.components.get(uid) : undefined;
}
