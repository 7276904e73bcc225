import type { Attribute, ContentModel, ContentType, RelationAttribute, Shape } from "../../schema/model.js";

/**
 * What needs a code in a content-type's link table: its to-many attributes, and `<component uid>#<attribute>` for
 * relations and media that its components can hold, nested ones included.
 */
export function linkKeys(model: ContentModel, type: ContentType): readonly string[] {
  const own = [...type.attributes.values()].filter((a) => isRelation(a) && a.storage === "links").map((a) => a.name);
  const embedded = [...componentsIn(model, type)].flatMap((component) =>
    [...component.attributes.values()].filter(isRelation).map((attribute) => `${component.uid}#${attribute.name}`),
  );
  return [...own, ...embedded];
}

/** The components that a shape can hold at any depth, each once. */
export function componentsIn(model: ContentModel, shape: Shape): ReadonlySet<Shape> {
  const found = new Set<Shape>();
  const visit = (holder: Shape): void => {
    for (const uid of [...holder.attributes.values()].flatMap(componentUids)) {
      const component = model.components.get(uid);
      if (!component || found.has(component)) continue;
      found.add(component);
      visit(component);
    }
  };
  visit(shape);
  return found;
}

/** Uids of the components that one attribute can hold. */
export function componentUids(attribute: Attribute): readonly string[] {
  if (attribute.kind === "component") return [attribute.component];
  return attribute.kind === "dynamiczone" ? attribute.components : [];
}

/** Whether an attribute links to documents; media is one. */
export function isRelation(attribute: Attribute): attribute is RelationAttribute {
  return attribute.kind === "relation" || attribute.kind === "media";
}
