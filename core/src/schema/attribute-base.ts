import { describeKnown } from "../base/suggest.js";
import type { Attribute } from "./model.js";
import { booleanOption, isRecord, textOption } from "./read-options.js";
import type { AttributeSource } from "./read-options.js";

/** Options that every kind takes. Those of the admin panel and of other servers' storage are accepted and ignored. */
const COMMON_OPTIONS = [
  ...["type", "required", "private", "writable", "searchable", "renamedFrom", "pluginOptions"],
  ...["displayName", "customField", "description"],
  ...["configurable", "visible", "hidden", "editable", "sortable", "column", "conditions", "useJoinTable"],
];

/** Options that attributes with a `customField` take: they are for its form. */
const CUSTOM_FIELD_OPTIONS = ["options"];

type AttributeBase = Pick<
  Attribute,
  "name" | "required" | "isPrivate" | "isWritable" | "isLocalized" | "renamedFrom" | "displayName" | "customField"
>;

/** What attributes of all kinds have in common. */
export function attributeBase(source: AttributeSource): AttributeBase {
  const { name, owner, raw } = source;
  return {
    name,
    required: booleanOption(source, "required"),
    isPrivate: booleanOption(source, "private") || owner.privateNames.includes(name),
    isWritable: raw["writable"] !== false,
    isLocalized: isLocalized(source),
    renamedFrom: textOption(source, "renamedFrom"),
    ...labelsOf(source),
  };
}

/** Options for tools only; absent where the schema has none. */
function labelsOf(source: AttributeSource): Pick<AttributeBase, "displayName" | "customField"> {
  const displayName = textOption(source, "displayName");
  const customField = textOption(source, "customField");
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...(customField === undefined ? {} : { customField }),
  };
}

/** Reports options that the kind does not take; one that is false, null or empty passes. */
export function checkOptions(source: AttributeSource, options: readonly string[]): void {
  const ofField = source.raw["customField"] === undefined ? [] : CUSTOM_FIELD_OPTIONS;
  const known = [...COMMON_OPTIONS, ...ofField, ...options];
  for (const [key, value] of Object.entries(source.raw)) {
    if (known.includes(key) || value === false || value === null || value === "") continue;
    source.report(key, `The type ${source.raw["type"]} has no option "${key}".`, describeKnown(key, known));
  }
}

/**
 * @source plugins/content-api/WIRE.md#locales, relations and uids are always per locale, the rest when the schema says
 *   so
 */
function isLocalized({ raw, owner }: AttributeSource): boolean {
  if (!owner.isLocalized || raw["type"] === "relation" || raw["type"] === "uid") return true;
  const options = raw["pluginOptions"];
  const i18n = isRecord(options) ? options["i18n"] : undefined;
  return isRecord(i18n) && i18n["localized"] === true;
}
