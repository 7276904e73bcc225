import { problemAt, wrongType } from "../../schema/value-problem.js";
import type { RelationChange, RelationConnect, RelationTarget } from "../input.js";
import { isRecord, ownValue } from "./is-record.js";
import { checkVersion, parseTarget, type RelationContext } from "./parse-target.js";
import { isChange, toList } from "./relation-keys.js";

type Path = readonly string[];

/**
 * Parses the value of one relation or media attribute in a body, whose keys are checked already. Targets that are
 * named twice collapse.
 *
 * @param value - a target, a list of targets, null, `{ set }` or `{ connect, disconnect, options }`; a target is a
 *   document id, a row id (also as text) or `{ documentId }` or `{ id }`, with `__type` where the relation has no type.
 * @returns undefined when the value asks for no change, as `{}` does.
 * @source plugins/content-api/WIRE.md#relations-in-bodies
 */
export function parseRelation(path: Path, value: unknown, context: RelationContext): RelationChange | undefined {
  return isChange(value) ? parseChange(path, value, context) : { set: parseSet(path, value, context) };
}

function parseChange(
  path: Path,
  value: Readonly<Record<string, unknown>>,
  context: RelationContext,
): RelationChange | undefined {
  const isStrict = parseStrict([...path, "options"], ownValue(value, "options"), context);
  const connect = parseConnects([...path, "connect"], ownValue(value, "connect"), isStrict, context);
  const disconnect = parseTargets([...path, "disconnect"], ownValue(value, "disconnect"), context);
  const set = ownValue(value, "set");
  const hasOthers = connect.length > 0 || disconnect.length > 0;
  if (set === undefined) return hasOthers ? { connect, disconnect } : undefined;
  if (hasOthers) context.problems.push(problemAt([...path, "set"], "cannot be combined with connect or disconnect"));
  return { set: parseSet([...path, "set"], set, context) };
}

function parseSet(path: Path, value: unknown, context: RelationContext): readonly RelationTarget[] {
  const targets = parseTargets(path, value, context);
  assertSingle(path, toList(value), context);
  return targets;
}

function parseConnects(
  path: Path,
  value: unknown,
  isStrict: boolean,
  context: RelationContext,
): readonly RelationConnect[] {
  const connects = eachItem(path, value, (item, itemPath) => parseConnect(item, itemPath, isStrict, context));
  assertSingle(path, toList(value), context);
  return unique(connects);
}

function parseConnect(
  item: unknown,
  path: Path,
  isStrict: boolean,
  context: RelationContext,
): RelationConnect | undefined {
  const target = parseTarget(item, path, context);
  if (!target) return undefined;
  const given = isRecord(item) ? ownValue(item, "position") : undefined;
  const position = parsePosition(given, [...path, "position"], target.type, context);
  return position ? { target, position, isStrict } : { target, isStrict };
}

function parseTargets(path: Path, value: unknown, context: RelationContext): readonly RelationTarget[] {
  return unique(eachItem(path, value, (item, itemPath) => parseTarget(item, itemPath, context)));
}

/** The results of a value or of each item of a list; the path of an item has its index. */
function eachItem<T>(path: Path, value: unknown, parse: (item: unknown, path: Path) => T | undefined): T[] {
  const results = toList(value).map((item, index) =>
    parse(item, Array.isArray(value) ? [...path, String(index)] : path),
  );
  return results.filter((result) => result !== undefined);
}

function parseStrict(path: Path, options: unknown, context: RelationContext): boolean {
  if (options === undefined || options === null) return true;
  if (!isRecord(options)) {
    context.problems.push(problemAt(path, wrongType("object", options), options));
    return true;
  }
  const strict = ownValue(options, "strict") ?? true;
  if (typeof strict === "boolean") return strict;
  context.problems.push(problemAt([...path, "strict"], wrongType("boolean", strict), strict));
  return true;
}

function assertSingle(path: Path, items: readonly unknown[], context: RelationContext): void {
  if (context.attribute.isMany || items.length <= 1) return;
  context.problems.push(problemAt(path, `must be one entry at most, but ${items.length} were given`, items));
}

/** One of each group of equal items, at the place of the first. */
function unique<T>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item] as const)).values()];
}

type Position = NonNullable<RelationConnect["position"]>;
const PLACES = ["before", "after", "start", "end"] as const;

/**
 * Reads where a connected target goes: `{ before }` or `{ after }` with a target, `{ start: true }` or `{ end: true }`.
 *
 * @param type - type of the connected target on polymorphic relations; the reference has the same unless it says otherwise.
 * @returns undefined for no position, which means the end, and when there was a problem.
 */
function parsePosition(
  value: unknown,
  path: Path,
  type: string | undefined,
  context: RelationContext,
): Position | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) {
    context.problems.push(problemAt(path, wrongType("object", value), value));
    return undefined;
  }
  checkVersion(value, path, context);
  const places = PLACES.filter((place) => !isAbsent(ownValue(value, place)));
  const [place] = places;
  if (place === undefined) return undefined;
  if (places.length === 1) return parsePlace(place, value, path, { ...context, type });
  context.problems.push(problemAt(path, "must have only one of before, after, start and end", value));
  return undefined;
}

function parsePlace(
  place: (typeof PLACES)[number],
  position: Readonly<Record<string, unknown>>,
  path: Path,
  context: RelationContext & { readonly type: string | undefined },
): Position | undefined {
  const value = ownValue(position, place);
  if (place === "before" || place === "after") {
    const reference = parseTarget(value, [...path, place], context, ownValue(position, "__type") ?? context.type);
    if (!reference) return undefined;
    return place === "before" ? { before: reference } : { after: reference };
  }
  if (value === true) return place === "start" ? { start: true } : { end: true };
  context.problems.push(problemAt([...path, place], wrongType("boolean", value), value));
  return undefined;
}

/** `false` says the same as leaving the key out. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === false;
}
