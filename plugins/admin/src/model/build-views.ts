import type { OptionProblem } from "@plinth/core/options";
import {
  type Attribute,
  type Component,
  type ContentModel,
  type ContentType,
  hasOrderedIndex,
  isScalarKind,
  type RawAttribute,
  type ScalarAttribute,
  type Shape,
} from "@plinth/core/schema";
import { namingOf } from "../content/naming.js";
import { isShown } from "../content/shown-types.js";
import { previewProblems } from "../preview/preview-address.js";
import type { AttributeView, ComponentView, TypeView } from "../wire/model.js";
import { buildAttributeView, labelOf } from "./attribute-view.js";
import { chooseLayout, chooseList } from "./form-layout.js";
import { readAttributeOptions, readShapeOptions, type ShapeOptions } from "./schema-options.js";

/** What is read of a schema as it is written. */
export type RawShape = {
  readonly info?: { readonly description?: string; readonly icon?: string };
  readonly attributes?: Readonly<Record<string, RawAttribute>>;
  readonly pluginOptions?: Readonly<Record<string, unknown>>;
};

/** Attributes of a type or component as forms show them, by name. */
export type AttributeViews = Readonly<Record<string, AttributeView>>;

/** How a content model is shown, and what its schemas say that the page does not understand. */
export interface BuiltViews {
  readonly types: readonly TypeView[];
  readonly components: ReadonlyMap<string, ComponentView>;
  /** Addresses of previews by uid of the type, with their placeholders. */
  readonly previews: ReadonlyMap<string, string>;
  readonly problems: readonly OptionProblem[];
}

/**
 * Describes lists and forms of a content model.
 *
 * @param rawOf - the schema of a uid as it is written
 * @param origins - those that previews may come from
 * @returns problems with paths such as `api::article.article: pluginOptions.admin.list`
 */
export function buildModelViews(
  model: ContentModel,
  rawOf: (uid: string) => RawShape,
  origins: readonly string[],
): BuiltViews {
  const problems: OptionProblem[] = [];
  const previews = { origins, templates: new Map<string, string>() };
  const shown = [...model.contentTypes.values()].filter(isShown);
  const build = { anyTarget: shown.map(({ uid }) => uid), problems, previews };
  const types = shown.map((type) => typeView(type, rawOf(type.uid), build));
  const components = [...model.components].map(
    ([uid, component]) => [uid, componentView(component, rawOf(uid), build)] as const,
  );
  return { types, components: new Map(components), previews: previews.templates, problems };
}

interface Build {
  readonly anyTarget: readonly string[];
  /** Gets the addresses of previews by type. */
  readonly previews: { readonly origins: readonly string[]; readonly templates: Map<string, string> };
  /** Gets what is wrong. */
  readonly problems: OptionProblem[];
}

function typeView(type: ContentType, raw: RawShape, build: Build): TypeView {
  const { uid, kind, displayName, hasDrafts, isLocalized } = type;
  const options = optionsOf(type, raw, build);
  const attributes = attributeViews(type, raw, build);
  const title = options.title ?? namingOf(type).title ?? "documentId";
  return {
    ...{ uid, kind, label: displayName, hasDrafts, isLocalized, title, attributes },
    hasPreview: notePreview(type, options, build),
    autosaves: hasDrafts && options.autosave === true,
    description: raw.info?.description || null,
    group: options.group ?? null,
    icon: options.icon ?? raw.info?.icon ?? null,
    list: options.list ?? chooseList(attributes, title),
    layout: chooseLayout(attributes, options.layout),
    sortable: ["id", ...[...type.attributes.values()].filter(isSortable).map(({ name }) => name)],
  };
}

function componentView(component: Component, raw: RawShape, build: Build): ComponentView {
  const { uid, displayName, category } = component;
  const options = optionsOf(component, raw, build);
  const attributes = attributeViews(component, raw, build);
  return {
    ...{ uid, category, attributes },
    label: displayName === uid.split(".")[1] ? labelOf(displayName) : displayName,
    icon: options.icon ?? raw.info?.icon ?? null,
    title: options.title ?? namingOf(component).title ?? null,
    layout: chooseLayout(attributes, options.layout),
  };
}

/** What the schema says of the whole. Names of attributes that do not exist are problems. */
function optionsOf({ uid, attributes }: Shape, raw: RawShape, { problems }: Build): ShapeOptions {
  const path = `${uid}: pluginOptions.admin`;
  const read = readShapeOptions(raw, path);
  problems.push(...read.problems);
  const { title, list = [], layout = [] } = read.value;
  const named = { title: title === undefined ? [] : [title], list, layout: layout.flat() };
  for (const [key, names] of Object.entries(named))
    for (const name of names.filter((name) => !attributes.has(name)))
      problems.push({ path: `${path}.${key}`, message: `names "${name}", which is not an attribute` });
  return read.value;
}

/** Whether a type has a preview. What is wrong with its address is a problem. */
function notePreview(type: ContentType, { preview }: ShapeOptions, { problems, previews }: Build): boolean {
  if (preview === undefined) return false;
  const path = `${type.uid}: pluginOptions.admin.preview`;
  problems.push(...previewProblems(preview, type, previews.origins).map((message) => ({ path, message })));
  previews.templates.set(type.uid, preview);
  return true;
}

/** Attributes by name, as forms show them; what the server adds by itself is left out. */
export function attributeViews(
  { uid, attributes }: Shape,
  raw: RawShape,
  { anyTarget, problems }: Pick<Build, "anyTarget" | "problems">,
): AttributeViews {
  const views: Record<string, AttributeView> = {};
  for (const attribute of attributes.values()) {
    const own = raw.attributes?.[attribute.name];
    // What the server adds by itself, such as `localizations`, is in no schema and no form.
    if (!own) continue;
    const path = `${uid}: attributes.${attribute.name}.pluginOptions.admin`;
    const options = readAttributeOptions(own, path);
    problems.push(...options.problems);
    views[attribute.name] = buildAttributeView({ attribute, raw: own, options: options.value, anyTarget });
  }
  return views;
}

const isSortable = (attribute: Attribute): boolean =>
  isScalarKind(attribute.kind) && hasOrderedIndex(attribute as ScalarAttribute);
