import type { Filter, Sort } from "../../database/reads/query.js";
import { traitsOf } from "../../schema/attribute.js";
import { InvalidOrderError, SortStepsError } from "./errors.js";
import {
  assertDepth,
  canFindTarget,
  componentOf,
  type Field,
  invalidForm,
  invalidKey,
  isObject,
  isScalar,
  isToMany,
  lookUp,
  type Path,
  type ParseContext,
  type ReadShape,
  type VisibleType,
  targetOf,
} from "./parse-context.js";

const DIRECTIONS: Readonly<Record<string, Sort["direction"]>> = { asc: "asc", ASC: "asc", desc: "desc", DESC: "desc" };

/** How many names a path may have. Every list on it multiplies what is compared for one row, so it stays far below MAX_DEPTH. */
const MAX_NAMES = 6;

/** One key as written: a path of names, and an order that is still to be read. */
interface SortEntry {
  readonly path: Path;
  readonly order: unknown;
  /** A name without an order. */
  readonly isPlain?: boolean;
}

/**
 * Turns `sort` into keys, each looked up: `"title:desc,author.name"`, lists of such texts, `{ author: { name: "asc" } }`,
 * lists of such objects. A key that was named before is left out: it could not change the order.
 *
 * @returns empty when nothing is asked for; the database's own order is by row id then.
 * @throws PLINTH_QUERY_INVALID_KEY, PLINTH_QUERY_INVALID_ORDER, PLINTH_QUERY_INVALID_SHAPE, PLINTH_QUERY_TOO_DEEP, PLINTH_QUERY_SORT_STEPS, PLINTH_QUERY_TOO_MANY (400)
 * @source plugins/content-api/WIRE.md#sorting
 */
export function parseSort(reading: ParseContext, shape: ReadShape, input: unknown): readonly Sort[] {
  const keys = new Map<string, Sort>();
  const { meter } = reading;
  let lists = 0;
  for (const entry of entriesOf(reading, input)) {
    const { path, order } = entry;
    meter.count("conditions", reading.param);
    const { visible, lists: passed } = checkSteps(reading, shape, entry);
    lists += keys.has(path.join(".")) ? 0 : passed;
    if (lists > meter.budget.sortSteps)
      throw new SortStepsError({ key: path.join("."), limit: meter.budget.sortSteps });
    const direction = typeof order === "string" && Object.hasOwn(DIRECTIONS, order) ? DIRECTIONS[order] : undefined;
    if (!direction) throw new InvalidOrderError({});
    const key = path.join(".");
    if (!keys.has(key)) keys.set(key, { path, direction, ...(visible ? { visible } : {}) });
  }
  return [...keys.values()];
}

function entriesOf(reading: ParseContext, input: unknown): readonly SortEntry[] {
  if (input === undefined || input === null) return [];
  const items = Array.isArray(input) ? (input as readonly unknown[]) : [input];
  return items.flatMap((item) => {
    if (typeof item === "string") return entriesOfText(item);
    if (isObject(item)) return entriesOfObject(reading, item, []);
    throw invalidForm("sort");
  });
}

function entriesOfText(text: string): readonly SortEntry[] {
  const parts = text.split(",").map((part) => part.trim());
  return parts.flatMap((part) => {
    const colon = part.indexOf(":");
    const name = (colon < 0 ? part : part.slice(0, colon)).trim();
    if (name === "") return [];
    const path = name.split(".");
    return colon < 0 ? [{ path, order: "asc", isPlain: true }] : [{ path, order: part.slice(colon + 1).trim() }];
  });
}

function entriesOfObject(reading: ParseContext, object: object, path: Path): readonly SortEntry[] {
  assertDepth(reading, path.length);
  return Object.entries(object).flatMap(([name, value]: [string, unknown]) => {
    const inner = [...path, name];
    return typeof value === "object" && value !== null
      ? entriesOfObject(reading, value, inner)
      : [{ path: inner, order: value }];
  });
}

interface CheckedPath extends Pick<Sort, "visible"> {
  /** To-many relations that it goes through. */
  readonly lists: number;
}

/**
 * Checks that a path leads to what can be sorted by.
 *
 * @returns also the conditions for the targets of its steps to be visible to the actor; none where there are none.
 */
function checkSteps(reading: ParseContext, shape: ReadShape, entry: SortEntry): CheckedPath {
  const { path } = entry;
  assertDepth(reading, path.length, MAX_NAMES);
  let lists = 0;
  const visible: Record<number, Filter> = {};
  let current: ReadShape | undefined = shape;
  path.forEach((name, index) => {
    const above = path.slice(0, index);
    if (!current) throw invalidKey(reading, name, above);
    const field = lookUp(reading, current, name, above);
    const isLast = index === path.length - 1;
    if (isLast ? !isSortable(field) : !isPassable(reading, field))
      throw invalidKey(reading, isLast ? wrongEnd(reading, field, entry) : name, [...above, name]);
    if (isToMany(field)) lists += 1;
    const next = nextSight(reading, field);
    current = next.shape;
    if (next.tested && !isLast) visible[index] = next.tested;
  });
  return { lists, ...(Object.keys(visible).length > 0 ? { visible } : {}) };
}

/** What a path that ends at no value names wrongly: an order stands where a name inside of the last one belongs. */
function wrongEnd(reading: ParseContext, field: Field, { order, isPlain }: SortEntry): string {
  const isInside = !isScalar(field) && isPassable(reading, field) && !isPlain;
  return isInside && typeof order === "string" && order !== "" ? order : field.name;
}

function isSortable(field: Field): boolean {
  return isScalar(field) && traitsOf(field).isSortable;
}

/** Whether a path may lead through a field; a scalar may be passed, and what follows it is then unknown. */
function isPassable(reading: ParseContext, field: Field): boolean {
  if (field.kind === "relation" || field.kind === "media")
    return field.target !== undefined && canFindTarget(reading, field);
  return field.kind !== "dynamiczone";
}

function nextSight(reading: ParseContext, field: Field): Partial<Omit<VisibleType, "shape">> & { shape?: ReadShape } {
  if (field.kind === "relation" || field.kind === "media") return targetOf(reading, field) ?? {};
  const shape = field.kind === "component" ? componentOf(reading, field.component) : undefined;
  return shape ? { shape } : {};
}
