import { isScalarKind, traitsOf } from "../../schema/attribute.js";
import type { ContentType, ScalarAttribute } from "../../schema/model.js";
import { caseInsensitiveSql } from "../sql/case-insensitive.js";
import type { Slot } from "./query.js";
import type { Scope } from "./relation-join.js";
import { anyOf, parameter } from "../sql/sql.js";

/** Phrases that are searched for in numbers. */
const NUMBER = "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)$";

/**
 * The condition of `_q`: the phrase as a whole, in any case, somewhere in a text attribute or the document id; of a
 * phrase that is a number, also somewhere in the digits of a number attribute. Private attributes and passwords are not
 * searched, so a search cannot reveal their values.
 *
 * @param names - the attributes to look into; undefined: all.
 * @source plugins/content-api/WIRE.md#search
 */
export function compileSearch(
  scope: Scope,
  type: ContentType,
  { slot, names }: { readonly slot: Slot; readonly names: readonly string[] | undefined },
): string {
  const phrase = parameter(slot, "text");
  const contains = (value: string) => `strpos(${caseInsensitiveSql(value)}, ${caseInsensitiveSql(phrase)}) > 0`;
  const conditions = [contains(scope.row.value("documentId"))];
  const digits: string[] = [];
  for (const attribute of type.attributes.values()) {
    if (!isSearchable(attribute) || names?.includes(attribute.name) === false) continue;
    const value = scope.row.value(attribute.name);
    const { search } = traitsOf(attribute);
    if (search === "text") conditions.push(contains(value));
    if (search === "digits") digits.push(`strpos(${value}::text, ${phrase}) > 0`);
  }
  return anyOf(digits.length > 0 ? [...conditions, `(${phrase} ~ '${NUMBER}' and ${anyOf(digits)})`] : conditions);
}

function isSearchable(attribute: { readonly kind: string; readonly isPrivate: boolean }): attribute is ScalarAttribute {
  return isScalarKind(attribute.kind) && !attribute.isPrivate && (attribute as ScalarAttribute).searchable;
}
