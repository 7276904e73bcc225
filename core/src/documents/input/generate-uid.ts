import anyAscii from "any-ascii";
import { isGenerated } from "../../schema/attribute.js";
import type { Attribute, Shape } from "../../schema/model.js";

/**
 * The value of a uid attribute whose body leaves it out: the text of the attribute that it is made from, in Latin letters
 * and lower case, with a dash for what a uid cannot hold. `Über uns!` is `uber-uns`, `Привет, мир` is `privet-mir`, `日本語`
 * is `ri-ben-yu`. A text without letters or digits gives the singular name of its type. It may be taken: see `number-uids`.
 *
 * @param textOf - the value of an attribute of the object that is written.
 * @returns undefined for other attributes, and where there is no text.
 */
export function generateUid(attribute: Attribute, shape: Shape, textOf: (name: string) => unknown): string | undefined {
  if (!isGenerated(attribute)) return undefined;
  const source = textOf(attribute.targetField);
  if (typeof source !== "string" || source === "") return undefined;
  const slug = toSlug(source) || singularNameOf(shape);
  return shorten(slug, attribute.maxLength) || undefined;
}

const singularNameOf = (shape: Shape): string => ("singularName" in shape ? String(shape.singularName) : "");

/** Cuts a uid to the length that its attribute allows, minus the length of the suffix. */
export function shorten(uid: string, maxLength: number | undefined, suffix = ""): string {
  if (maxLength === undefined) return `${uid}${suffix}`;
  return `${uid.slice(0, Math.max(0, maxLength - suffix.length)).replace(/-+$/, "")}${suffix}`;
}

function toSlug(text: string): string {
  // Han characters are syllables, and stand without spaces between them.
  const spaced = text.normalize("NFKC").replace(/\p{Script=Han}/gu, " $& ");
  return anyAscii(spaced)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .join("-");
}
