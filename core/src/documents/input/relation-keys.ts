import type { RelationAttribute } from "../../schema/model.js";
import { isRecord } from "./is-record.js";

/** Keys of an object that changes the links of a relation. */
export const CHANGE_KEYS: readonly string[] = ["connect", "disconnect", "set", "options"];

/** Keys of `options` beside `connect`. */
export const OPTION_KEYS: readonly string[] = ["strict"];

/** Keys of an object that names a target. */
const TARGET_KEYS: readonly string[] = ["id", "documentId", "status", "locale"];

/** Keys of the `position` of a target that is connected. */
const POSITION_KEYS: readonly string[] = ["before", "after", "start", "end", "status", "locale"];

/** Keys of an object that names a target of this relation. */
export function targetKeys(attribute: RelationAttribute): readonly string[] {
  return isTyped(attribute) ? [...TARGET_KEYS, "__type"] : TARGET_KEYS;
}

/** Keys of the `position` of a target of this relation; `__type` is the type of the reference. */
export function positionKeys(attribute: RelationAttribute): readonly string[] {
  return isTyped(attribute) ? [...POSITION_KEYS, "__type"] : POSITION_KEYS;
}

/** Whether each target has to name its type: relations that are not bound to one. */
export function isTyped(attribute: RelationAttribute): boolean {
  return attribute.target === undefined;
}

/** Whether the value of a relation is a change (`{ connect: ... }`, also `{}`), not a target (`{ documentId: ... }`). */
export function isChange(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const keys = Object.keys(value);
  return (
    keys.some((key) => CHANGE_KEYS.includes(key)) ||
    !keys.some((key) => key === "id" || key === "documentId" || key === "__type")
  );
}

/** A value or a list of values, as a list; nothing for null and undefined. */
export function toList(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
