import { assertDepth, invalidKey, invalidShape, isObject, type Path, type Reading, readBoolean } from "./reading.js";

/** What a `populate` asks for, before any name in it is looked up. */
export interface Asks {
  /** `*`: every relation, media, component and zone. */
  isEverything: boolean;
  /** By attribute name. */
  readonly names: Map<string, Ask>;
}

/** What is asked of one attribute, component of a zone, or type of a polymorphic relation. */
export interface Ask {
  readonly fields?: unknown;
  readonly filters?: unknown;
  readonly sort?: unknown;
  readonly count?: boolean;
  readonly populate: Asks;
  /** `on`: what is asked of each component or type, by uid. */
  readonly on?: ReadonlyMap<string, Ask>;
  /** Where this was asked, the attribute's name included, as errors name it. */
  readonly path: Path;
  /** Asked by a dotted name such as `sections.image`, which in a zone reaches into every component that has the name. */
  readonly isByName: boolean;
}

/** Where a populate stands. */
interface AskPlace {
  readonly path: Path;
  readonly depth: number;
}

/** Nothing is asked beyond the scalars. */
export const NO_ASKS: Asks = Object.freeze({ isEverything: false, names: new Map<string, Ask>() });

/** An attribute is asked for, with nothing said about it. */
export function plainAsk(path: Path): Ask {
  return { populate: NO_ASKS, path, isByName: true };
}

/**
 * Reads the grammar of `populate`: `"*"`, `"author,seo.meta"`, `["author", "seo.meta"]`, or
 * `{ author: true, links: { fields, filters, sort, count, populate, on } }` at any depth. Comma lists are for the root.
 *
 * @throws PLINTH_QUERY_INVALID_KEY, PLINTH_QUERY_INVALID_SHAPE, PLINTH_QUERY_TOO_DEEP (400)
 * @source plugins/content-api/WIRE.md#populate
 */
export function parseAsks(reading: Reading, input: unknown, place: AskPlace = { path: [], depth: 0 }): Asks {
  assertDepth(reading, place.depth);
  if (input === undefined || input === null || input === "") return NO_ASKS;
  if (typeof input === "string") return asksOfNames(reading, place.depth === 0 ? input.split(",") : [input], place);
  if (Array.isArray(input)) return asksOfNames(reading, input, place);
  if (isObject(input)) return asksOfObject(reading, input, place);
  throw invalidKey(reading, String(input), [...place.path, String(input)]);
}

function asksOfObject(reading: Reading, input: object, { path, depth }: AskPlace): Asks {
  const names = new Map<string, Ask>();
  for (const [name, value] of Object.entries(input) as [string, unknown][]) {
    const inner = [...path, name];
    const ask = parseAsk(reading, value, { path: inner, options: inner, depth });
    if (ask) names.set(name, ask);
  }
  return { isEverything: false, names };
}

function asksOfNames(reading: Reading, items: readonly unknown[], { path, depth }: AskPlace): Asks {
  const asks: Asks = { isEverything: false, names: new Map() };
  items.forEach((item, index) => {
    if (typeof item !== "string") throw invalidKey(reading, String(index), [...path, String(index)]);
    const name = item.trim();
    if (name === "*") asks.isEverything = true;
    else if (name !== "") addName(reading, asks, name.split("."), { path, depth });
  });
  return asks;
}

function addName(
  reading: Reading,
  asks: Asks,
  [name = "", ...rest]: readonly string[],
  { path, depth }: AskPlace,
): void {
  assertDepth(reading, depth);
  const inner = [...path, name];
  const ask = asks.names.get(name) ?? {
    ...plainAsk(inner),
    populate: { isEverything: false, names: new Map<string, Ask>() },
  };
  asks.names.set(name, ask);
  if (rest.length === 1 && rest[0] === "*") ask.populate.isEverything = true;
  else if (rest.length > 0) addName(reading, ask.populate, rest, { path: inner, depth: depth + 1 });
}

interface OptionsPlace extends AskPlace {
  /** Where wrong options are reported; differs from `path` inside `on`, below which paths begin anew. */
  readonly options: Path;
}

/** Undefined when the value says no. */
function parseAsk(reading: Reading, value: unknown, place: OptionsPlace): Ask | undefined {
  const { path, options } = place;
  const wanted = readBoolean(value);
  if (wanted !== undefined) return wanted ? { populate: NO_ASKS, path, isByName: false } : undefined;
  if (value === "*") return { populate: { isEverything: true, names: new Map() }, path, isByName: false };
  if (typeof value !== "object" || value === null) throw invalidKey(reading, String(value ?? ""), options);
  return parseOptions(reading, value, place);
}

const OPTIONS: ReadonlySet<string> = new Set(["fields", "filters", "sort", "populate", "count", "on"]);

function parseOptions(reading: Reading, input: object, { path, options, depth }: OptionsPlace): Ask {
  for (const key of Object.keys(input)) if (!OPTIONS.has(key)) throw invalidKey(reading, key, options);
  const { fields, filters, sort, populate, count, on } = input as Readonly<Record<string, unknown>>;
  const nested = { path: path.length > 0 ? [...path, "populate"] : path, depth: depth + 1 };
  return {
    fields,
    filters,
    sort,
    path,
    isByName: false,
    populate: parseAsks(reading, populate, nested),
    ...(count === undefined ? {} : { count: parseCount(reading, count, options) }),
    ...(on === undefined ? {} : { on: parseOn(reading, on, { path: options, depth }) }),
  };
}

function parseCount(reading: Reading, value: unknown, path: Path): boolean {
  const count = readBoolean(value);
  if (count === undefined) throw invalidShape(reading, "count", path, "true or false");
  return count;
}

function parseOn(reading: Reading, value: unknown, { path, depth }: AskPlace): ReadonlyMap<string, Ask> {
  if (!isObject(value)) throw invalidShape(reading, "on", path, "an object of components");
  const asks = new Map<string, Ask>();
  for (const [uid, asked] of Object.entries(value)) {
    const ask = parseAsk(reading, asked, { path: [], options: [...path, "on", uid], depth: depth + 1 });
    if (ask) asks.set(uid, ask);
  }
  return asks;
}
