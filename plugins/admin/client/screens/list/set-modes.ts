import type { RelationChange } from "../../../src/wire/content.js";
import type { AttributeView } from "../../../src/wire/model.js";

/** What happens to a field of several documents. */
export type SetMode = "set" | "add" | "remove" | "replace" | "clear";

/** What is one value of each document cannot be the same of several. */
export const canBeSet = ({ kind, isEditable, isVisible, isUnique }: AttributeView): boolean =>
  isEditable && isVisible && !isUnique && kind !== "uid" && kind !== "password";

/** What can be done with a field: links are added, taken out and replaced; what is required is not emptied. */
export function modesOf({ kind, isMultiple = false, isRequired }: AttributeView): readonly SetMode[] {
  const values: readonly SetMode[] = kind === "relation" && isMultiple ? ["add", "remove", "replace"] : ["set"];
  return isRequired ? values : [...values, "clear"];
}

/**
 * What is sent of a field.
 *
 * @param change - what its form would send
 */
export function sentBy(mode: SetMode, { kind, isMultiple = false }: AttributeView, change: unknown): unknown {
  if (mode === "clear") {
    if (kind === "relation") return { set: [] };
    return isMultiple || kind === "dynamiczone" ? [] : null;
  }
  if (mode !== "remove" && mode !== "replace") return change;
  const { connect = [] } = change as RelationChange;
  const targets = connect.map(({ position: _position, ...target }) => target);
  return mode === "remove" ? { disconnect: targets } : { set: targets };
}
