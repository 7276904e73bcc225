import type { Attribute, Component, ComponentAttribute, ContentModel, ZoneAttribute } from "@plinth/core/schema";

/** A stored component, and what kind it is of; undefined where the app has not that kind any more. */
export interface Item {
  readonly component: Component | undefined;
  readonly item: Readonly<Record<string, unknown>>;
}

/** Whether a value has keys. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What is stored of an attribute, under its name or the one that it had before; undefined where nothing is, not even null. */
export const storedOf = (stored: Readonly<Record<string, unknown>>, { name, renamedFrom = name }: Attribute): unknown =>
  stored[name in stored ? name : renamedFrom];

/** Whether an attribute holds a list of components. */
export const isList = (attribute: ComponentAttribute | ZoneAttribute): boolean =>
  attribute.kind === "dynamiczone" || attribute.repeatable;

/** The components that an attribute holds; what is none is passed over. */
export function itemsOf(
  model: ContentModel,
  attribute: ComponentAttribute | ZoneAttribute,
  stored: unknown,
): readonly Item[] {
  return [stored]
    .flat()
    .filter(isObject)
    .map((item) => {
      const uid = attribute.kind === "component" ? attribute.component : String(item["__component"]);
      const isKnown = attribute.kind === "component" || attribute.components.includes(uid);
      return { component: isKnown ? model.components.get(uid) : undefined, item };
    });
}
