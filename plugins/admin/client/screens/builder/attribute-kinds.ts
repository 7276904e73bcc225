import type { AttributeKind } from "../../../src/wire/model.js";
import type { MessageKey } from "../../messages/text.js";
import type { IconName } from "../../ui/icon-paths.js";
import type { RawAttribute } from "./draft.js";

/** How an option of an attribute is entered. */
export type OptionControl = "switch" | "count" | "number" | "text" | "pattern" | "lines" | "default" | "field";

/** An option that a kind of attribute has. */
export interface KindOption {
  /** Key of the schema file. */
  readonly key: string;
  readonly control: OptionControl;
}

/** What the builder knows of a kind of attribute. */
export interface KindInfo {
  readonly kind: AttributeKind;
  readonly icon: IconName;
  readonly group: "text" | "numbers" | "time" | "choice" | "parts";
  readonly options: readonly KindOption[];
  /** Type of its column; kinds of the same one hold the same values. */
  readonly column: string;
}

const option = (key: string, control: OptionControl): KindOption => ({ key, control });
const UNIQUE = option("unique", "switch");
const INDEX = option("index", "switch");
const DEFAULT = option("default", "default");
const LENGTHS = [option("minLength", "count"), option("maxLength", "count")];
const REGEX = option("regex", "pattern");
const BOUNDS = [option("min", "number"), option("max", "number")];
const COUNTS = [option("min", "count"), option("max", "count")];
const TEXT = [UNIQUE, INDEX, ...LENGTHS, REGEX, DEFAULT];
const NUMBER = [UNIQUE, INDEX, ...BOUNDS, DEFAULT];
const TIME = [UNIQUE, INDEX, DEFAULT];
const UID = [option("targetField", "field"), option("autoGenerate", "switch"), INDEX, ...LENGTHS, REGEX, DEFAULT];

type Row = readonly [AttributeKind, IconName, KindInfo["group"], string, readonly KindOption[]];

/** Of each kind: icon, group, column, options. Relations have controls of their own. @source core/src/schema/attribute.ts */
const ROWS: readonly Row[] = [
  ["string", "type", "text", "text", TEXT],
  ["text", "pilcrow", "text", "text", TEXT],
  ["richtext", "heading", "text", "text", [...LENGTHS, REGEX, DEFAULT]],
  ["blocks", "layout-list", "text", "json", []],
  ["email", "mail", "text", "text", TEXT],
  ["uid", "link", "text", "text", UID],
  ["password", "key", "text", "text", [...LENGTHS, REGEX]],
  ["integer", "hash", "numbers", "integer", NUMBER],
  ["biginteger", "hash", "numbers", "bigint", NUMBER],
  ["decimal", "hash", "numbers", "numeric", NUMBER],
  ["float", "hash", "numbers", "double", NUMBER],
  ["date", "calendar", "time", "date", TIME],
  ["time", "clock", "time", "time", TIME],
  ["datetime", "calendar", "time", "timestamp", TIME],
  ["timestamp", "clock", "time", "timestamp", TIME],
  ["boolean", "toggle-left", "choice", "boolean", [INDEX, DEFAULT]],
  ["enumeration", "list", "choice", "text", [option("enum", "lines"), UNIQUE, INDEX, DEFAULT]],
  ["json", "braces", "choice", "json", [DEFAULT]],
  ["media", "image", "parts", "media", [option("multiple", "switch")]],
  ["relation", "arrow-up-down", "parts", "relation", []],
  ["component", "component", "parts", "component", [option("repeatable", "switch"), ...COUNTS]],
  ["dynamiczone", "layers", "parts", "zone", COUNTS],
];

/** All kinds, in the order in which they are offered. */
export const KINDS: readonly KindInfo[] = ROWS.map(([kind, icon, group, column, options]) => ({
  ...{ kind, icon, group, column, options },
}));

/** Groups of kinds, in their order. */
export const GROUPS = ["text", "numbers", "time", "choice", "parts"] as const;

/** What is known of a kind by its name; undefined for one that the builder does not know. */
export const kindOf = ({ type }: RawAttribute): KindInfo | undefined => KINDS.find(({ kind }) => kind === type);

/** Kinds that an attribute may become. A password is a hash: no other kind can do anything with it, nor it with them. */
export const kindsAfter = (attribute: RawAttribute): readonly KindInfo[] =>
  attribute["type"] === "password"
    ? KINDS.filter(({ kind }) => kind === "password")
    : KINDS.filter(({ kind }) => kind !== "password");

/** What people call a kind. */
export const kindLabel = (kind: AttributeKind): MessageKey => `builder.kind.${kind}`;

/** When a kind is the right one. */
export const kindText = (kind: AttributeKind): MessageKey => `builder.kind.${kind}.text`;

/** An attribute of a kind with what it cannot do without. */
export function newAttribute(kind: AttributeKind): RawAttribute {
  switch (kind) {
    case "enumeration":
      return { type: kind, enum: [] };
    case "media":
      return { type: kind, multiple: false, allowedTypes: ["images"] };
    case "relation":
      return { type: kind, relation: "manyToOne" };
    case "component":
      return { type: kind, component: "" };
    case "dynamiczone":
      return { type: kind, components: [] };
    default:
      return { type: kind };
  }
}

const COMMON = ["required", "private", "writable", "searchable", "renamedFrom", "pluginOptions", "displayName"];

/** An attribute of another kind, with the options that this one has as well. */
export function withKind(attribute: RawAttribute, kind: AttributeKind): RawAttribute {
  const fresh = newAttribute(kind);
  const known = KINDS.find((info) => info.kind === kind)?.options.map(({ key }) => key) ?? [];
  const kept = [...COMMON, "conditions", "description", ...known.filter((key) => key !== "default")];
  const options = Object.entries(attribute).filter(([key]) => kept.includes(key));
  return { ...fresh, ...Object.fromEntries(options), type: kind };
}

/** What becomes of stored values: all stay; those that do not fit are lost; all are lost. */
export type Conversion = "kept" | "converted" | "lost";

const WIDER: Readonly<Record<string, readonly string[]>> = { integer: ["bigint", "double"] };
/** Numbers in JSON. */
const WIDER_IN_JSON: typeof WIDER = { integer: ["bigint", "double", "numeric"], numeric: ["double"] };
const VALUES = ["text", "integer", "bigint", "numeric", "double", "date", "time", "timestamp", "boolean", "json"];

/**
 * What the database does with the values of an attribute that becomes one of another kind.
 *
 * @param isInComponent - it lives in the JSON of another attribute, where nothing is cast
 * @source core/src/database/sync/plan-columns.ts
 * @source core/src/database/sync/plan-components.ts
 */
export function conversionOf(from: RawAttribute, to: RawAttribute, isInComponent = false): Conversion {
  const [one, other] = [kindOf(from)?.column ?? "", kindOf(to)?.column ?? ""];
  if (one === other) return "kept";
  if (!VALUES.includes(one) || !VALUES.includes(other)) return "lost";
  const wider = isInComponent ? WIDER_IN_JSON : WIDER;
  if (wider[one]?.includes(other)) return "kept";
  if (other === "text" && !(isInComponent && one === "json")) return "kept";
  return isInComponent ? "lost" : "converted";
}
