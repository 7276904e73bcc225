import { findField, isClosedName } from "../../schema/find-field.js";
import { invalidKey, type ParseContext, type ReadShape, wholeOf } from "./parse-context.js";
import type { EntryRequest, PopulateNode, PopulatePlace } from "./selection-request.js";

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
  if (node.place) assertForms(reading, shapes, node, node.place);
  const { on } = node;
  if (!on) return shapes.map((shape) => [shape, ofForm(shape, node)] as const);
  return shapes.flatMap((shape) => {
    const form = on.get(shape.uid);
    return form && !form.isLeftOut ? [[shape, form] as const] : [];
  });
}

/**
 * Checks that the value of an attribute in `populate` has nothing but options.
 *
 * @throws PLINTH_QUERY_INVALID_KEY (400)
 * @source plugins/content-api/WIRE.md#details-of-errors
 */
export function assertOptions(reading: ParseContext, shape: ReadShape, { invalid, place }: EntryRequest): void {
  if (invalid === undefined || !place) return;
  const whole = wholeOf(reading, shape);
  const isId = invalid === "id" || invalid === "documentId";
  const isAttribute = !isId && (findField(whole, invalid) !== undefined || isClosedName(whole, invalid));
  throw invalidKey(reading, invalid, isAttribute ? [...place.attributes, invalid] : place.attributes);
}

/** Only dotted names reach into entries of several forms without `on`, and each has to be known to one of them. */
function assertForms(
  reading: ParseContext,
  shapes: readonly ReadShape[],
  node: PopulateNode,
  { attributes, written }: PopulatePlace,
): void {
  const { on, populate, isByName, invalid } = node;
  if (invalid !== undefined) throw invalidKey(reading, invalid, attributes);
  assertOnly(reading, node, on ? ["on"] : ["populate"]);
  if (populate.length > 0 && !isByName) throw invalidKey(reading, "populate", [written]);
  for (const [uid, form] of on ?? []) {
    const shape = shapes.find((known) => known.uid === uid);
    if (!shape) throw invalidKey(reading, uid, [`${written}.on.${uid}`]);
    assertOptions(reading, shape, form);
    assertOnly(reading, form, ["fields", "filters", "sort", "populate"]);
  }
  for (const { name = "", place } of populate)
    if (!shapes.some((shape) => findField(shape, name) !== undefined))
      throw invalidKey(reading, name, [place?.written ?? name]);
}

function ofForm(shape: ReadShape, node: PopulateNode): EntryRequest {
  if (node.populate.length === 0) return node;
  return { ...node, populate: node.populate.filter(({ name = "" }) => findField(shape, name) !== undefined) };
}

type Option = "fields" | "filters" | "sort" | "count" | "populate" | "on";

function assertOnly(reading: ParseContext, request: EntryRequest, allowed: readonly Option[]): void {
  const given: Readonly<Record<Option, boolean>> = {
    fields: request.names?.fields !== undefined,
    filters: request.filters !== undefined,
    sort: request.sort !== undefined,
    count: request.count !== undefined,
    populate: request.populate.length > 0 || request.names?.isEverything === true,
    on: request.on !== undefined,
  };
  for (const [option, isGiven] of Object.entries(given) as [Option, boolean][]) {
    if (isGiven && !allowed.includes(option)) throw invalidKey(reading, option, request.place?.attributes ?? []);
  }
}
