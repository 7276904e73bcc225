import type { Attribute, RawAttribute, RelationAttribute, ScalarAttribute } from "@plinth/core/schema";
import type { AttributeView } from "../wire/model.js";
import { widthOf } from "./form-layout.js";
import type { AttributeOptions } from "./schema-options.js";

/** What an attribute is shown from. */
export interface AttributeSource {
  readonly attribute: Attribute;
  readonly raw: RawAttribute;
  readonly options: AttributeOptions;
  /** Uids that a relation of any type leads to. */
  readonly anyTarget: readonly string[];
}

/** An attribute as a form shows it to a caller who may change everything. */
export function buildAttributeView(source: AttributeSource): AttributeView {
  const { attribute, raw, options } = source;
  const condition = (raw["conditions"] as { readonly visible?: unknown } | undefined)?.visible;
  return {
    kind: attribute.kind,
    label: options.label ?? attribute.displayName ?? labelOf(attribute.name),
    hint: options.hint ?? null,
    placeholder: options.placeholder ?? null,
    width: options.width ?? widthOf(attribute),
    isRequired: attribute.required,
    isEditable: options.editable !== false && attribute.isWritable,
    isVisible: options.visible !== false,
    isLocalized: attribute.isLocalized,
    isUnique: "unique" in attribute && attribute.unique,
    ...ofKind(source),
    ...present({ field: options.field, options: options.options, condition }),
  };
}

/** `pubDate`, `pub_date` -> `Pub date`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1).replace(/[A-Z](?![A-Z])/g, (letter) => letter.toLowerCase());
}

type Details = Partial<AttributeView>;

function ofKind({ attribute, raw, anyTarget }: AttributeSource): Details {
  switch (attribute.kind) {
    case "relation":
      return relationDetails(attribute, anyTarget);
    case "media":
      return { isMultiple: attribute.isMany, allowedTypes: attribute.allowedTypes };
    case "component":
      return { component: attribute.component, isMultiple: attribute.repeatable, ...boundsOf(attribute) };
    case "dynamiczone":
      return { components: attribute.components, isMultiple: true, ...boundsOf(attribute) };
    default:
      return scalarDetails(attribute, raw);
  }
}

function relationDetails({ target, isMany, isPolymorphic }: RelationAttribute, anyTarget: readonly string[]): Details {
  if (!isPolymorphic || target !== undefined) return { isMultiple: isMany, target: target ?? null };
  return { isMultiple: isMany, target: null, targets: anyTarget };
}

function scalarDetails(attribute: ScalarAttribute, raw: RawAttribute): Details {
  const { kind, minLength, maxLength, regex, values, targetField } = attribute;
  return {
    ...boundsOf(attribute),
    ...present({ default: raw["default"] ?? undefined, minLength, maxLength, regex, targetField }),
    ...(kind === "enumeration" ? { values } : {}),
  };
}

const boundsOf = ({ min, max }: Pick<ScalarAttribute, "min" | "max">): Details => present({ min, max });

/** Without the keys that have no value. */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
