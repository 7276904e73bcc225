import { findField } from "../../schema/find-field.js";
import { invalidKey, type Path, type ParseContext, type ReadShape } from "./parse-context.js";
import type { EntryRequest, PopulateNode } from "./selection-request.js";

/**
 * What is asked of each form of entry in a list of several, a dynamic zone or polymorphic relation: of those listed in
 * `on`, else of all, each with what of the dotted names of `populate` it has.
 *
 * @param shapes - of the forms that there are; the answer has their order.
 * @throws PLINTH_QUERY_INVALID_KEY (400) for forms that there are not, and for options that need one form of entry
 * @source plugins/content-api/WIRE.md#dynamic-zones
 */
export function entryForms<Shape extends ReadShape>(
  reading: ParseContext,
  shapes: readonly Shape[],
  node: PopulateNode,
): readonly (readonly [Shape, EntryRequest])[] {
  if (node.path) assertForms(reading, shapes, node, node.path);
  const { on } = node;
  if (!on) return shapes.map((shape) => [shape, ofForm(shape, node)] as const);
  return shapes.flatMap((shape) => {
    const form = on.get(shape.uid);
    return form ? [[shape, form] as const] : [];
  });
}

/** Only dotted names reach into entries of several forms without `on`, and each has to be known to one of them. */
function assertForms(reading: ParseContext, shapes: readonly ReadShape[], node: PopulateNode, path: Path): void {
  const { on, populate, isByName } = node;
  assertOnly(reading, node, path, on ? ["on"] : ["populate"]);
  for (const [uid, form] of on ?? []) {
    const place = [...path, "on", uid];
    if (!shapes.some((shape) => shape.uid === uid)) throw invalidKey(reading, uid, place);
    assertOnly(reading, form, place, ["fields", "filters", "sort", "populate"]);
  }
  for (const { name = "", path: place = [] } of populate) {
    const isKnown = isByName && shapes.some((shape) => findField(shape, name) !== undefined);
    if (!isKnown) throw invalidKey(reading, name, place);
  }
}

function ofForm(shape: ReadShape, node: PopulateNode): EntryRequest {
  if (node.populate.length === 0) return node;
  return { ...node, populate: node.populate.filter(({ name = "" }) => findField(shape, name) !== undefined) };
}

type Option = "fields" | "filters" | "sort" | "count" | "populate" | "on";

function assertOnly(reading: ParseContext, request: EntryRequest, path: Path, allowed: readonly Option[]): void {
  const given: Readonly<Record<Option, boolean>> = {
    fields: request.names?.fields !== undefined,
    filters: request.filters !== undefined,
    sort: request.sort !== undefined,
    count: request.count !== undefined,
    populate: request.populate.length > 0 || request.names?.isEverything === true,
    on: request.on !== undefined,
  };
  for (const [option, isGiven] of Object.entries(given) as [Option, boolean][]) {
    if (isGiven && !allowed.includes(option)) throw invalidKey(reading, option, path);
  }
}
