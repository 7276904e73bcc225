import type { Component, ContentModel, ContentType } from "@plinth/core/schema";
import { HiddenSortError } from "../errors.js";
import type { ShadowRules } from "../plan.js";

type Shape = ContentType | Component;

/**
 * Rejects sorting by what cannot be filtered by: the order of rows reveals values as well as a filter does.
 *
 * @param shape - of the entries.
 * @throws PLINTH_GRAPHQL_SORT_HIDDEN (400)
 */
export function checkSort(model: ContentModel, rules: ShadowRules, shape: Shape, sort: unknown): void {
  for (const path of pathsOf(sort)) checkPath(path, shape, { model, rules });
}

interface Hiding {
  readonly model: ContentModel;
  readonly rules: ShadowRules;
}

/** `["author.name:desc,title"]` is `[["author", "name"], ["title"]]`. */
function pathsOf(sort: unknown): readonly (readonly string[])[] {
  const texts = (Array.isArray(sort) ? sort : [sort]).filter((text) => typeof text === "string");
  return texts.flatMap((text) =>
    text.split(",").map((each) => (each.split(":")[0] ?? "").split(".").map((name) => name.trim())),
  );
}

function checkPath(path: readonly string[], root: Shape, { model, rules }: Hiding): void {
  let shape: Shape | undefined = root;
  for (const name of path) {
    if (!shape) return;
    if (!rules.type(shape.uid).isEnabled || !rules.field(shape.uid, name).hasFilters) {
      throw new HiddenSortError({ key: name, path: path.join("."), source: "query", param: "sort" });
    }
    shape = targetOf(shape, name, model);
  }
}

function targetOf(shape: Shape, name: string, { contentTypes, components }: ContentModel): Shape | undefined {
  const attribute = shape.attributes.get(name);
  if (attribute?.kind === "component") return components.get(attribute.component);
  return attribute && "target" in attribute ? contentTypes.get(attribute.target ?? "") : undefined;
}
