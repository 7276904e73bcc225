import type { FileView } from "../../src/wire/files.js";
import type { RelatedEntry } from "../../src/wire/content.js";
import type { AttributeView } from "../../src/wire/model.js";
import { isAlike } from "./equal.js";
import { hasItems, type ItemRef, linkKey } from "./shape.js";

/**
 * Whether two values of an attribute are one. Files, links and items are compared by what names them: what the form shows of
 * a file or of a linked document belongs to that one, and changes without this document.
 */
export function isSameValue(attribute: AttributeView | undefined, a: unknown, b: unknown): boolean {
  const nameOf = attribute && namingOf(attribute);
  return nameOf ? isAlike(listOf(a).map(nameOf), listOf(b).map(nameOf)) : isAlike(a ?? null, b ?? null);
}

function namingOf(attribute: AttributeView): ((part: unknown) => unknown) | undefined {
  if (attribute.kind === "media") return (file) => (file as FileView).id;
  if (attribute.kind === "relation") return (link) => linkKey(link as RelatedEntry);
  return hasItems(attribute) ? (item) => [(item as ItemRef).key, (item as ItemRef).component] : undefined;
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
