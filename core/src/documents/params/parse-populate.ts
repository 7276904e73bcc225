import {
  assertDepth,
  invalidForm,
  invalidKey,
  isObject,
  type Path,
  type ParseContext,
  readBoolean,
} from "./parse-context.js";
import { ALL_VALUES, type PopulateNode, type PopulatePlace, type SelectionRequest } from "./selection-request.js";

/** Where a populate stands. */
interface Place extends PopulatePlace {
  readonly depth: number;
}

const ROOT: Place = { attributes: [], written: "", depth: 0 };

/**
 * Reads the grammar of `populate`: `"*"`, `"author,seo.meta"`, `["author", "seo.meta"]`, or
 * `{ author: true, links: { fields, filters, sort, count, populate, on } }` at any depth. Comma lists are for the root.
 *
 * @returns with all values of the entry itself.
 * @throws PLINTH_QUERY_INVALID_KEY, PLINTH_QUERY_INVALID_SHAPE, PLINTH_QUERY_TOO_DEEP (400)
 * @source plugins/content-api/WIRE.md#populate
 */
export function parsePopulate(reading: ParseContext, input: unknown, place: Place = ROOT): SelectionRequest {
  assertDepth(reading, place.depth);
  if (input === undefined || input === null || input === "") return ALL_VALUES;
  if (typeof input === "string") return parseNames(reading, place.depth === 0 ? input.split(",") : [input], place);
  if (Array.isArray(input)) return parseNames(reading, input, place);
  if (isObject(input)) return parseObject(reading, input, place);
  throw invalidKey(reading, String(input), [String(input)]);
}

/** An attribute is populated, with nothing said about it. */
export function plainNode(name: string): PopulateNode {
  return nodeOf(name, { attributes: [name], written: name }, ALL_VALUES);
}

function parseObject(reading: ParseContext, input: object, { attributes, written, depth }: Place): SelectionRequest {
  const populate = Object.entries(input).map(([name, value]: [string, unknown]) =>
    parseNode(reading, value, {
      name,
      attributes: [...attributes, name],
      written: written === "" ? name : `${written}.${name}`,
      depth,
    }),
  );
  return { ...ALL_VALUES, populate };
}

const EVERYTHING = "*";

function parseNames(reading: ParseContext, items: readonly unknown[], place: Place): SelectionRequest {
  const names = items.flatMap((item) => {
    if (typeof item !== "string") throw invalidForm("populate");
    const steps = item.trim().split(".");
    const last = steps.length > 1 && steps.at(-1) === EVERYTHING ? 2 : 1;
    assertDepth(reading, place.depth + steps.length - last);
    return steps.length === 1 && steps[0] === "" ? [] : [steps];
  });
  return requestOfNames(names, { attributes: place.attributes, written: "" });
}

/** Names that begin alike are one node. */
function requestOfNames(names: readonly Path[], { attributes, written }: PopulatePlace): SelectionRequest {
  const tails = new Map<string, Path[]>();
  let isEverything = false;
  for (const [name = "", ...tail] of names) {
    if (name === EVERYTHING && tail.length === 0) {
      isEverything = true;
      continue;
    }
    const known = tails.get(name) ?? [];
    tails.set(name, known);
    if (tail.length > 0) known.push(tail);
  }
  const populate: PopulateNode[] = [];
  for (const [name, inner] of tails) {
    const place = { attributes: [...attributes, name], written: written === "" ? name : `${written}.${name}` };
    populate.push(nodeOf(name, place, inner.length > 0 ? requestOfNames(inner, place) : ALL_VALUES));
  }
  return { fields: [], populate, names: { fields: undefined, isEverything } };
}

function nodeOf(name: string, place: PopulatePlace, { fields, populate, names }: SelectionRequest): PopulateNode {
  return { name, place, fields, populate, names, isByName: true };
}

interface NodePlace extends Place {
  readonly name: string;
}

function parseNode(reading: ParseContext, value: unknown, place: NodePlace): PopulateNode {
  const { name, attributes, written } = place;
  const node = { ...ALL_VALUES, name, place: { attributes, written } };
  const isWanted = readBoolean(value);
  if (isWanted !== undefined) return isWanted ? node : { ...node, isLeftOut: true };
  if (value === EVERYTHING) return { ...node, names: { fields: undefined, isEverything: true } };
  const [first] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  if (typeof first !== "object" || first === null) return { ...node, invalid: String(first ?? "").split(".")[0] ?? "" };
  return parseOptions(reading, value as object, place);
}

const OPTIONS: ReadonlySet<string> = new Set(["fields", "filters", "sort", "populate", "count", "on"]);

function parseOptions(reading: ParseContext, input: object, place: NodePlace): PopulateNode {
  const { name, attributes, written, depth } = place;
  const { fields, filters, sort, populate, count, on } = input as Readonly<Record<string, unknown>>;
  const request = parsePopulate(reading, populate, {
    attributes,
    written: `${written}.populate`,
    depth: depth + 1,
  });
  const isCount = readBoolean(count);
  const invalid = Object.keys(input).find((key) => !OPTIONS.has(key) || (key === "count" && isCount === undefined));
  return {
    name,
    place: { attributes, written },
    fields: [],
    populate: request.populate,
    names: { fields, isEverything: request.names?.isEverything ?? false },
    filters,
    sort,
    count: isCount,
    on: on === undefined ? undefined : parseOn(reading, on, place),
    ...(invalid === undefined ? {} : { invalid }),
  };
}

function parseOn(reading: ParseContext, value: unknown, place: NodePlace): ReadonlyMap<string, PopulateNode> {
  const { attributes, written, depth } = place;
  if (typeof value !== "object" || value === null) throw invalidKey(reading, "on", [`${written}.on`]);
  const forms = new Map<string, PopulateNode>();
  for (const [uid, item] of Object.entries(value) as [string, unknown][]) {
    const form = { name: uid, attributes, written: `${written}.on[${uid}]`, depth: depth + 1 };
    forms.set(uid, parseNode(reading, item, form));
  }
  return forms;
}
