import { isRelation } from "../../database/layout/layout.js";
import type { Component, ComponentAttribute, ContentModel, ZoneAttribute } from "../../schema/model.js";
import type { StoredComponent } from "../input.js";

/** A relation that a component holds. */
export interface EmbeddedLink {
  /** `<component uid>#<attribute>`, as layout.ts says. */
  readonly key: string;
  readonly documentId: string;
  /** Uid of the target on polymorphic relations, else `""`. */
  readonly type: string;
}

/** All that the stored components of one attribute link to, each target once per key. */
export function embeddedLinks(
  model: ContentModel,
  attribute: ComponentAttribute | ZoneAttribute,
  stored: unknown,
): readonly EmbeddedLink[] {
  const links: EmbeddedLink[] = [];
  for (const item of itemsOf(stored)) {
    const uid = attribute.kind === "component" ? attribute.component : String(item["__component"]);
    const component = model.components.get(uid);
    if (component) links.push(...linksOf(model, component, item));
  }
  return links;
}

function linksOf(model: ContentModel, component: Component, item: StoredComponent): readonly EmbeddedLink[] {
  return [...component.attributes.values()].flatMap((attribute) => {
    if (attribute.kind === "component" || attribute.kind === "dynamiczone")
      return embeddedLinks(model, attribute, item[attribute.name]);
    if (!isRelation(attribute)) return [];
    const targets = listOf(item[attribute.name]);
    return targets.map((target) => ({ key: `${component.uid}#${attribute.name}`, ...toTarget(target) }));
  });
}

/** An embedded target: a document id, or on polymorphic relations `{ documentId, __type }`. */
function toTarget(stored: unknown): { readonly documentId: string; readonly type: string } {
  if (typeof stored === "string") return { documentId: stored, type: "" };
  const { documentId, __type } = stored as { readonly documentId: string; readonly __type: string };
  return { documentId, type: __type };
}

const listOf = (stored: unknown): readonly unknown[] =>
  stored === null || stored === undefined ? [] : Array.isArray(stored) ? stored : [stored];

/** The components of an attribute as a list: none, one or many. */
export const itemsOf = (stored: unknown): readonly StoredComponent[] => listOf(stored) as readonly StoredComponent[];
