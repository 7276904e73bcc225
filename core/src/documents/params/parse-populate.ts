import {
  assertDepth,
  invalidKey,
  invalidShape,
  isObject,
  type Path,
  type ParseContext,
  readBoolean,
} from "./parse-context.js";
import { ALL_VALUES, type PopulateNode, type SelectionRequest } from "./selection-request.js";

/** Where a populate stands. */
interface Place {
  readonly path: Path;
  readonly depth: number;
}

/**
 * Reads the grammar of `populate`: `"*"`, `"author,seo.meta"`, `["author", "seo.meta"]`, or
 * `{ author: true, links: { fields, filters, sort, count, populate, on } }` at any depth. Comma lists are for the root.
 *
 * @returns with all values of the entry itself.
 * @throws PLINTH_QUERY_INVALID_KEY, PLINTH_QUERY_INVALID_SHAPE, PLINTH_QUERY_TOO_DEEP (400)
 * @source plugins/content-api/WIRE.md#populate
 */
export function parsePopulate(
  reading: ParseContext,
  input: unknown,
  place: Place = { path: [], depth: 0 },
): SelectionRequest {
  assertDepth(reading, place.depth);
  if (input === undefined || input === null || input === "") return ALL_VALUES;
  if (typeof input === "string") return parseNames(reading, place.depth === 0 ? input.split(",") : [input], place);
  if (Array.isArray(input)) return parseNames(reading, input, place);
  if (isObject(input)) return parseObject(reading, input, place);
  throw invalidKey(reading, String(input), [...place.path, String(input)]);
}

/** An attribute is populated, with nothing said about it. */
export function plainNode(name: string): PopulateNode {
  return nodeOf(name, [name], ALL_VALUES);
}

function parseObject(reading: ParseContext, input: object, { path, depth }: Place): SelectionRequest {
  const populate: PopulateNode[] = [];
  for (const [name, value] of Object.entries(input) as [string, unknown][]) {
    const inner = [...path, name];
    const node = parseNode(reading, value, { name, path: inner, options: inner, depth });
    if (node) populate.push(node);
  }
  return { ...ALL_VALUES, populate };
}

const EVERYTHING = "*";

function parseNames(reading: ParseContext, items: readonly unknown[], { path, depth }: Place): SelectionRequest {
  const names = items.flatMap((item, index) => {
    if (typeof item !== "string") throw invalidKey(reading, String(index), [...path, String(index)]);
    const steps = item.trim().split(".");
    const last = steps.length > 1 && steps.at(-1) === EVERYTHING ? 2 : 1;
    assertDepth(reading, depth + steps.length - last);
    return steps.length === 1 && steps[0] === "" ? [] : [steps];
  });
  return requestOfNames(names, path);
}

/** Names that begin alike are one node. */
function requestOfNames(names: readonly Path[], path: Path): SelectionRequest {
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
    const place = [...path, name];
    populate.push(nodeOf(name, place, inner.length > 0 ? requestOfNames(inner, place) : ALL_VALUES));
  }
  return { fields: [], populate, names: { fields: undefined, isEverything } };
}

function nodeOf(name: string, path: Path, { fields, populate, names }: SelectionRequest): PopulateNode {
  return { name, path, fields, populate, names, isByName: true };
}

interface NodePlace extends Place {
  readonly name: string;
  /** The path for errors of options; differs from `path` inside `on`, below which paths begin again. */
  readonly options: Path;
}

/** Undefined when the value says no. */
function parseNode(reading: ParseContext, value: unknown, place: NodePlace): PopulateNode | undefined {
  const { name, path, options } = place;
  const isWanted = readBoolean(value);
  if (isWanted !== undefined) return isWanted ? { ...ALL_VALUES, name, path } : undefined;
  if (value === EVERYTHING) return { ...ALL_VALUES, names: { fields: undefined, isEverything: true }, name, path };
  if (typeof value !== "object" || value === null) throw invalidKey(reading, String(value ?? ""), options);
  return parseOptions(reading, value, place);
}

const OPTIONS: ReadonlySet<string> = new Set(["fields", "filters", "sort", "populate", "count", "on"]);

function parseOptions(reading: ParseContext, input: object, { name, path, options, depth }: NodePlace): PopulateNode {
  for (const key of Object.keys(input)) if (!OPTIONS.has(key)) throw invalidKey(reading, key, options);
  const { fields, filters, sort, populate, count, on } = input as Readonly<Record<string, unknown>>;
  const nested = { path: path.length > 0 ? [...path, "populate"] : path, depth: depth + 1 };
  const request = parsePopulate(reading, populate, nested);
  return {
    name,
    path,
    fields: [],
    populate: request.populate,
    names: { fields, isEverything: request.names?.isEverything ?? false },
    filters,
    sort,
    count: count === undefined ? undefined : parseCount(reading, count, options),
    on: on === undefined ? undefined : parseOn(reading, on, { path: options, depth }),
  };
}

function parseCount(reading: ParseContext, value: unknown, path: Path): boolean {
  const count = readBoolean(value);
  if (count === undefined) throw invalidShape(reading, "count", path, "true or false");
  return count;
}

function parseOn(reading: ParseContext, value: unknown, { path, depth }: Place): ReadonlyMap<string, PopulateNode> {
  if (!isObject(value)) throw invalidShape(reading, "on", path, "an object of components");
  const forms = new Map<string, PopulateNode>();
  for (const [uid, item] of Object.entries(value)) {
    const form = parseNode(reading, item, { name: uid, path: [], options: [...path, "on", uid], depth: depth + 1 });
    if (form) forms.set(uid, form);
  }
  return forms;
}
