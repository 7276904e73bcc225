import { createHash } from "node:crypto";
import { type Ability, type App, type ServiceRef, serviceRef } from "@plinth/core";
import type { OptionProblem } from "@plinth/core/options";
import {
  type Attribute,
  type Component,
  type ContentType,
  hasOrderedIndex,
  isScalarKind,
  type RawAttribute,
  type ScalarAttribute,
  type Shape,
} from "@plinth/core/schema";
import { namingOf } from "../content/naming.js";
import { isShown } from "../content/shown-types.js";
import { previewProblems, wholeTemplate } from "../preview/preview-address.js";
import { SchemaOptionsError } from "../errors.js";
import type { AttributeView, ComponentView, Model, TypeView } from "../wire/model.js";
import { buildAttributeView, labelOf } from "./attribute-view.js";
import { chooseLayout, chooseList } from "./form-layout.js";
import { readAttributeOptions, readShapeOptions, type ShapeOptions } from "./schema-options.js";

type RawShape = {
  readonly info?: { readonly description?: string; readonly icon?: string };
  readonly attributes?: Readonly<Record<string, RawAttribute>>;
  readonly pluginOptions?: Readonly<Record<string, unknown>>;
};

type AttributeViews = Readonly<Record<string, AttributeView>>;

const HASH_LENGTH = 16;

/** What the page knows of the content model. Made once: the model never changes while the app runs. */
export class ModelViews {
  readonly #types: readonly TypeView[];
  readonly #components: ReadonlyMap<string, ComponentView>;
  readonly #previews = new Map<string, string>();
  /** Changes when the content model does. */
  readonly version: string;

  /** @throws PLINTH_ADMIN_SCHEMA_OPTIONS (500) with every problem of every schema */
  constructor(
    private readonly app: App,
    private readonly previewOrigins: readonly string[],
  ) {
    const problems: OptionProblem[] = [];
    const { contentTypes, components } = app.model;
    const shown = [...contentTypes.values()].filter(isShown);
    const anyTarget = shown.map(({ uid }) => uid);
    const previews = { origins: previewOrigins, templates: this.#previews };
    const build = { anyTarget, problems, previews };
    this.#types = shown.map((type) => typeView(type, this.#rawOf("content-type", type.uid), build));
    this.#components = new Map(
      [...components].map(([uid, component]) => [uid, componentView(component, this.#rawOf("component", uid), build)]),
    );
    if (problems.length > 0) throw new SchemaOptionsError({ problems });
    const text = JSON.stringify([this.#types, [...this.#components]]);
    this.version = createHash("sha256").update(text).digest("base64url").slice(0, HASH_LENGTH);
  }

  /** The types that an ability may find, with the attributes that it may read, and the components in them. */
  of(ability: Ability): Model {
    const types = this.#types.flatMap((type) => typeFor(ability, type));
    const used = new Set<string>();
    for (const { attributes } of types) this.#collect(attributes, used);
    return { types, components: [...this.#components.values()].filter(({ uid }) => used.has(uid)) };
  }

  /** Uids of the types that the page shows. */
  uids(): readonly string[] {
    return this.#types.map(({ uid }) => uid);
  }

  /** A type as the page shows it to a caller who may do everything; undefined for others. */
  find(uid: string): TypeView | undefined {
    return this.#types.find((type) => type.uid === uid);
  }

  /** The address of a type's preview, with its placeholders; undefined for a type without one. */
  previewOf(uid: string): string | undefined {
    const template = this.#previews.get(uid);
    return template === undefined ? undefined : wholeTemplate(template, this.previewOrigins);
  }

  /** A component can hold itself. */
  #collect(attributes: AttributeViews, used: Set<string>): void {
    for (const { component, components = [] } of Object.values(attributes))
      for (const uid of component === undefined ? components : [component]) {
        if (used.has(uid)) continue;
        used.add(uid);
        this.#collect(this.#components.get(uid)?.attributes ?? {}, used);
      }
  }

  #rawOf(kind: "content-type" | "component", uid: string): RawShape {
    return this.app.registry(kind).get(uid) as RawShape;
  }
}

/** The plugin's own: what the page knows of the content model. */
export const modelViews: ServiceRef<ModelViews> = serviceRef<ModelViews>("plugin::admin.model-views");

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
    autosaves: hasDrafts && options.autosave === true,
    hasPreview: notePreview(type, options, build),
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

function attributeViews({ uid, attributes }: Shape, raw: RawShape, { anyTarget, problems }: Build): AttributeViews {
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

/** A type as an ability may see it; none where it may find nothing. */
function typeFor(ability: Ability, type: TypeView): readonly TypeView[] {
  const found = ability.reachOf(`${type.uid}.find`);
  if (found.rows === "nothing") return [];
  const mayRead = (name: string) => found.fields === undefined || found.fields.has(name);
  const writes = ["create", "update"].map((action) => ability.reachOf(`${type.uid}.${action}`));
  const mayWrite = (name: string) =>
    writes.some((reach) => reach.rows !== "nothing" && (reach.fields === undefined || reach.fields.has(name)));
  const attributes = Object.fromEntries(
    Object.entries(type.attributes)
      .filter(([name]) => mayRead(name))
      .map(([name, view]) => [name, { ...view, isEditable: view.isEditable && mayWrite(name) }]),
  );
  const list = type.list.filter(mayRead);
  const layout = type.layout.map((row) => row.filter(mayRead)).filter((row) => row.length > 0);
  return [{ ...type, attributes, list, layout, title: mayRead(type.title) ? type.title : "documentId" }];
}
