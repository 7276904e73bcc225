import fc from "fast-check";

/** A schema of a document, to be looked into. */
export type Schema = Readonly<Record<string, unknown>>;

/** What values are made from. */
export interface Samples {
  /** A value that a schema allows; another one each time. */
  of(schema: unknown): unknown;
}

/** What the app has, by uid of the content-type: the document ids that relations may name. */
export type Known = ReadonlyMap<string, readonly string[]>;

const MAX_DEPTH = 5;
const TEXTS: Readonly<Record<string, (next: number) => string>> = {
  date: (next) => `2024-02-${String((next % 28) + 1).padStart(2, "0")}`,
  "date-time": (next) => `2024-03-01T10:20:${String(next % 60).padStart(2, "0")}.000Z`,
  email: (next) => `person${next}@example.org`,
  "uri-reference": (next) => `/page-${next}`,
};

/** Makes values for the schemas of a document. Everything random comes from the seed. */
export function createSamples(
  document: { readonly components: { readonly schemas: object } },
  known: Known,
  seed: number,
): Samples {
  let next = seed * 1000;
  const schemas = document.components.schemas as Readonly<Record<string, Schema>>;
  const pick = <T>(items: readonly T[]): T => {
    next = (next * 31 + 7) % 1_000_003;
    return items[next % items.length] as T;
  };

  const ofSchema = (given: Schema, depth: number, ids: readonly string[] | undefined): unknown => {
    const target = given["x-plinth-target"];
    const reachable = typeof target === "string" ? (known.get(target) ?? []) : ids;
    if (typeof given["$ref"] === "string") return ofReference(given["$ref"], depth, reachable);
    if (Array.isArray(given["allOf"])) return ofAll(given["allOf"] as Schema[], depth, reachable);
    if (Array.isArray(given["anyOf"]))
      return ofSchema(pick(branchesOf(given["anyOf"] as Schema[], depth)), depth, reachable);
    if ("const" in given) return given["const"];
    if (Array.isArray(given["enum"])) return pick(given["enum"]);
    return ofType(given, depth, reachable);
  };
  const ofReference = (ref: string, depth: number, ids: readonly string[] | undefined): unknown => {
    const name = ref.slice(ref.lastIndexOf("/") + 1);
    if (name.startsWith("RelationTyped") || (name.startsWith("Relation") && !ids?.length)) return null;
    return ofSchema(schemas[name] ?? {}, depth, ids);
  };
  const ofAll = (parts: readonly Schema[], depth: number, ids: readonly string[] | undefined): unknown =>
    Object.assign({}, ...parts.map((part) => ofSchema(part, depth, ids)));
  const ofType = (schema: Schema, depth: number, ids: readonly string[] | undefined): unknown => {
    const [type] = [schema["type"]].flat();
    if (type === "object") return ofObject(schema, depth, ids);
    if (type === "array") {
      const count = Math.max(Number(schema["minItems"] ?? 0), depth > MAX_DEPTH ? 0 : 1);
      return Array.from({ length: count }, () => ofSchema((schema["items"] ?? {}) as Schema, depth + 1, ids));
    }
    if (type === "string") return ids ? pick(ids) : textOf(schema, next++);
    if (type === "integer" || type === "number") return numberOf(schema, next++);
    if (type === "boolean") return pick([true, false]);
    return type === "null" ? null : { any: ["json", next++] };
  };
  const ofObject = (schema: Schema, depth: number, ids: readonly string[] | undefined): unknown => {
    const required = (schema["required"] ?? []) as readonly string[];
    const least = Number(schema["minProperties"] ?? 0);
    const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>);
    const optional = properties.filter(([name]) => !required.includes(name) && name !== "id");
    // Of filters one at a time: together they would find nothing.
    const wanted = properties.some(([name]) => name.startsWith("$")) || least > 0 ? [pick(optional)] : optional;
    const shown = depth > MAX_DEPTH ? [] : wanted.filter((entry) => entry !== undefined);
    const chosen = properties.filter((entry) => required.includes(entry[0]) || shown.includes(entry));
    return Object.fromEntries(chosen.map(([name, inner]) => [name, ofSchema(inner, depth + 1, ids)]));
  };
  return { of: (schema) => ofSchema(schema as Schema, 0, undefined) };
}

/** Paths are left to tests of their own, and recursion ends. */
function branchesOf(branches: readonly Schema[], depth: number): readonly Schema[] {
  const plain = branches.filter((branch) => branch["pattern"] !== "\\.");
  const simple = plain.filter((branch) => !("$ref" in branch) && branch["type"] !== "object");
  return depth >= MAX_DEPTH && simple.length > 0 ? simple : plain;
}

function textOf(schema: Schema, next: number): string {
  const make = TEXTS[String(schema["format"])];
  if (make) return make(next);
  const {
    minLength = 0,
    maxLength = 40,
    pattern,
  } = schema as { minLength?: number; maxLength?: number; pattern?: string };
  if (pattern === undefined || pattern === "\\S")
    return `text ${next} `.padEnd(minLength, "x").slice(0, maxLength).trim();
  const matching = fc
    .stringMatching(new RegExp(pattern))
    .filter(({ length }) => length >= minLength && length <= maxLength);
  // The longest of some, none of them of the few that are tried more often: values that have to be unique are not twice the same by chance.
  const samples = fc.sample(fc.noBias(matching), { numRuns: 10, seed: next });
  return samples.reduce((longest, each) => (each.length > longest.length ? each : longest), "");
}

function numberOf(
  { minimum = 1, maximum = 1000 }: { minimum?: number; maximum?: number } & Schema,
  next: number,
): number {
  const low = Math.ceil(Math.max(minimum, Math.min(maximum, 1)));
  return low + (next % Math.max(1, Math.floor(Math.min(maximum, low + 50) - low)));
}
