import type { Attribute } from "../../schema/model.js";
import { ownValue } from "./is-record.js";

/**
 * The value that a new object gets for a uid attribute with `autoGenerate` which its body leaves out: the text of the
 * attribute that the uid is made from, in lower case, with a dash for what a uid cannot hold: `Über uns!` is `uber-uns`.
 * It is not made unique: a second document of the same title is refused, and its client names another.
 *
 * @returns undefined for other attributes, and when nothing is left of the text.
 * @source wire.md, section 0: generated only where the attribute says so
 */
export function generateUid(attribute: Attribute, data: Readonly<Record<string, unknown>>): string | undefined {
  if (attribute.kind !== "uid" || !attribute.autoGenerate || attribute.targetField === undefined) return undefined;
  const source = ownValue(data, attribute.targetField);
  return typeof source === "string" ? toSlug(source) || undefined : undefined;
}

function toSlug(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
  return plain
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .join("-");
}
