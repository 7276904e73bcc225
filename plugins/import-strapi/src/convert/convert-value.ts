import { cleanJson, hasNul, parseValue, type ScalarAttribute } from "@plinth/core/schema";
import type { Issues } from "../issues.js";

/** Where a value is: what to call its attribute, and its document. */
export interface ValuePlace {
  /** `api::article.article#score` */
  readonly where: string;
  readonly documentId: string;
}

/** A value of an export in the form that is stored; null, and an issue, when there is no such form. */
export function convertValue(attribute: ScalarAttribute, value: unknown, place: ValuePlace, issues: Issues): unknown {
  if (value === null || value === undefined) return null;
  // Exports hold hashes, which are stored as they are.
  if (attribute.kind === "password") return typeof value === "string" && !hasNul(value) ? value : null;
  const context = { path: [attribute.name], use: "body" as const };
  const isJson = attribute.kind === "json" || attribute.kind === "blocks";
  const parsed = isJson ? cleanJson(value, context) : parseValue(attribute, value, context);
  if (parsed.problems) {
    const reasons = parsed.problems.map(({ message }) => message).join("; ");
    issues.add(place.where, `a value is left out: ${reasons}`, place.documentId);
    return null;
  }
  if (attribute.kind === "decimal" && Number(value) !== parsed.value)
    issues.add(place.where, "a value is rounded: decimals have two digits after the point", place.documentId);
  return parsed.value;
}
