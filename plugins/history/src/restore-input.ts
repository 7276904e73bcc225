import type { Visibility } from "@plinth/core/reads";
import { type Attribute, type Component, type ContentModel, isRelation } from "@plinth/core/schema";
import { type Item, itemsOf } from "./reading/items.js";
import { changeOfLinks } from "./restore-links.js";

/** Makes bodies of writes from what is seen of versions. */
export class RestoreInput {
  constructor(
    private readonly model: ContentModel,
    private readonly visibility: Visibility,
  ) {}

  /**
   * A value as a body has it.
   *
   * @param shown - of a view with ids.
   * @param present - the same of the document: components that are there still keep their ids, and with them what is in no
   *   version, and relations the links that are not seen.
   */
  of(attribute: Attribute, shown: unknown, present: unknown): unknown {
    if (isRelation(attribute)) return changeOfLinks(attribute, shown, present);
    if (attribute.kind !== "component" && attribute.kind !== "dynamiczone") return shown ?? null;
    const known = itemsOf(this.model, attribute, present);
    const inputs = itemsOf(this.model, attribute, shown).map((each) => {
      const old = known.find(({ component, item }) => component === each.component && item["id"] === each.item["id"]);
      return this.#component(each, old);
    });
    return Array.isArray(shown) ? inputs : (inputs[0] ?? null);
  }

  #component({ component, item }: Item, old: Item | undefined): Item["item"] {
    // A view has known components only.
    const { attributes } = component as Component;
    const values = [...attributes.values()]
      .filter(({ name, isWritable }) => name in item && (isWritable || this.visibility === "code"))
      .map((attribute) => [attribute.name, this.of(attribute, item[attribute.name], old?.item[attribute.name])]);
    const kind = item["__component"];
    return {
      ...(kind === undefined ? {} : { __component: kind }),
      ...(old ? { id: old.item["id"] } : {}),
      ...Object.fromEntries(values),
    };
  }
}
