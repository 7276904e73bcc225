import { noList, option, options, type OptionProblem, type OptionsOf, parseOptions, text } from "@plinth/core/options";
import type { RawAttribute } from "@plinth/core/schema";
import * as v from "@plinth/core/valibot";
import { optionsOf } from "../content/naming.js";

const names = v.array(text());

/** `pluginOptions.admin` of a content-type or component. */
const shapeOptions = options({
  visible: option(v.boolean(), "Whether the page shows it. Default: types of `api::` only."),
  group: option(text(), "Heading in the navigation."),
  icon: option(text(), "Name of an icon."),
  title: option(text(), "The attribute that names a document."),
  list: option(names, "Attributes that are columns of the list."),
  layout: option(v.array(names), "Rows of the form."),
  autosave: option(v.boolean(), "Whether the draft is saved when typing rests."),
  history: option(v.boolean(), "Whether earlier versions are kept."),
  preview: option(text(), "Address of the preview."),
});

/** `pluginOptions.admin` of an attribute. */
const attributeOptions = options({
  label: option(text(), "What people call it."),
  hint: option(text(), "A sentence below the field."),
  placeholder: option(text(), "Text in an empty field."),
  width: option(v.picklist([3, 4, 6, 8, 9, 12]), "Columns of twelve."),
  visible: option(v.boolean(), "Whether forms show it."),
  editable: option(v.boolean(), "Whether forms change it."),
  field: option(text(), "Name of the field that an extension brings."),
  options: option(noList(v.record(v.string(), v.unknown())), "What that field gets."),
});

/** What a type or component says to the page. */
export type ShapeOptions = OptionsOf<typeof shapeOptions>;

/** What an attribute says to the page. */
export type AttributeOptions = OptionsOf<typeof attributeOptions>;

/** Options with what is wrong with them. */
export interface ReadOptions<T> {
  readonly value: T;
  readonly problems: readonly OptionProblem[];
}

type WithPluginOptions = { readonly pluginOptions?: Readonly<Record<string, unknown>> };

/** What a type or component says to the page. */
export function readShapeOptions(raw: WithPluginOptions, path: string): ReadOptions<ShapeOptions> {
  const { value = {}, problems = [] } = parseOptions(shapeOptions, raw.pluginOptions?.["admin"], path);
  return { value, problems };
}

/** What an attribute says to the page. Strapi's keys beside it mean the same. */
export function readAttributeOptions(raw: RawAttribute, path: string): ReadOptions<AttributeOptions> {
  const { pluginOptions, description, customField } = raw;
  const { value = {}, problems = [] } = parseOptions(attributeOptions, optionsOf(pluginOptions)["admin"], path);
  const strapi = {
    ...(typeof description === "string" && description !== "" ? { hint: description } : {}),
    ...(typeof customField === "string" ? { field: customField, options: optionsOf(raw["options"]) } : {}),
    ...(raw["visible"] === false ? { visible: false } : {}),
    ...(raw["editable"] === false ? { editable: false } : {}),
  };
  return { value: { ...strapi, ...value }, problems };
}
