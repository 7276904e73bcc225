import type { App } from "@plinth/core";
import { type Component, type ContentModel, type ContentType, findField, isScalarKind } from "@plinth/core/schema";
import type { GraphQLSchema } from "graphql";
import type { Arguments } from "../contract.js";
import { HiddenSortError } from "../errors.js";
import { rulesOf, type ShadowRules } from "../plan.js";

type Shape = ContentType | Component;
type Input = Readonly<Record<string, unknown>>;

const LOGIC: ReadonlySet<string> = new Set(["and", "or", "not"]);
/** The same, and what is said of the entries of a list together. */
const GROUPS: ReadonlySet<string> = new Set([...LOGIC, "some", "none", "every"]);

/** What arguments are read with. */
export interface ArgumentContext {
  readonly app: Pick<App, "model">;
  readonly schema: GraphQLSchema;
}

/** The arguments of a list in the grammar of requests. */
export interface ListArguments {
  readonly filters?: unknown;
  readonly sort?: unknown;
  readonly pagination?: unknown;
}

/**
 * Turns the arguments of a list, root or nested, into the grammar of requests: `{ title: { eq: "a" } }` becomes
 * `{ title: { $eq: "a" } }`. An argument that is null counts as absent, and so does a null in `pagination`.
 *
 * @param shape - of the entries; undefined for media as long as no plugin brings the file type.
 * @throws PLINTH_GRAPHQL_SORT_HIDDEN (400)
 */
export function readListArguments(
  { app: { model }, schema }: ArgumentContext,
  shape: Shape | undefined,
  args: Arguments,
): ListArguments {
  const { filters, sort, pagination } = args;
  const rules = rulesOf(schema);
  if (rules && shape) checkSort(model, rules, shape, sort);
  return {
    ...(isInput(filters) ? { filters: shape ? readFilters(model, shape, filters) : filters } : {}),
    ...(sort === undefined || sort === null ? {} : { sort }),
    ...(isInput(pagination) ? { pagination: withoutNulls(pagination) } : {}),
  };
}

/**
 * The arguments of a field of Query in the grammar of requests.
 *
 * @source plugins/content-api/WIRE.md#graphql-operations
 */
export function readRootArguments(context: ArgumentContext, type: ContentType, args: Arguments): Input {
  const { status, publicationFilter, hasPublishedVersion, locale, fallbackLocale } = args;
  return withoutNulls({
    ...readListArguments(context, type, args),
    locale,
    fallbackLocale,
    hasPublishedVersion,
    status: wireWord(status),
    publicationFilter: wireWord(publicationFilter),
  });
}

/** The value of an enum, as requests write it: `NEVER_PUBLISHED` is `never-published`. */
export function wireWord(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase().replaceAll("_", "-") : value;
}

function readFilters(model: ContentModel, shape: Shape, input: Input): Input {
  return mapEntries(input, (key, value) => {
    const field = findField(shape, key);
    if (!field && GROUPS.has(key)) return [`$${key}`, eachInput(value, (item) => readFilters(model, shape, item))];
    if (!field || field.kind === "id" || isScalarKind(field.kind)) return [key, eachInput(value, readOperators)];
    const inner = shapeOf(model, field);
    return [key, eachInput(value, (item) => (inner ? readFilters(model, inner, item) : item))];
  });
}

/** Operators on one field; `and`, `or` and `not` hold more of them, or plain values. */
function readOperators(input: Input): Input {
  return mapEntries(input, (key, value) => [`$${key}`, LOGIC.has(key) ? eachInput(value, readOperators) : value]);
}

function shapeOf(
  { contentTypes, components }: ContentModel,
  field: NonNullable<ReturnType<typeof findField>>,
): Shape | undefined {
  if (field.kind === "component") return components.get(field.component);
  return "target" in field && field.target !== undefined ? contentTypes.get(field.target) : undefined;
}

function eachInput(value: unknown, read: (input: Input) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => eachInput(item, read));
  return isInput(value) ? read(value) : value;
}

function mapEntries(input: Input, change: (key: string, value: unknown) => readonly [string, unknown]): Input {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => change(key, value)));
}

function withoutNulls(input: Input): Input {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));
}

function isInput(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/**
 * Rejects sorting by what cannot be filtered by: the order of rows reveals values as well as a filter does.
 *
 * @param shape - of the entries.
 * @throws PLINTH_GRAPHQL_SORT_HIDDEN (400)
 */
function checkSort(model: ContentModel, rules: ShadowRules, shape: Shape, sort: unknown): void {
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
