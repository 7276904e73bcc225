import { problemAt, wrongType } from "../../schema/value-problem.js";
import type { RelationConnect } from "../input.js";
import { isRecord, ownValue } from "./is-record.js";
import { checkVersion, parseTarget } from "./parse-target.js";
import type { RelationContext } from "./parse-target.js";

type Position = NonNullable<RelationConnect["position"]>;
type Path = readonly string[];

const PLACES = ["before", "after", "start", "end"] as const;

/**
 * Reads where a connected target goes: `{ before }` or `{ after }` with a target, `{ start: true }` or `{ end: true }`.
 *
 * @param type - type of the connected target on polymorphic relations; the reference has the same unless it says otherwise.
 * @returns undefined for no position, which means the end, and when there was a problem.
 */
export function parsePosition(
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
