import { createHash } from "node:crypto";
import type { OptionProblem } from "@plinth/core/options";
import { type Ability, type App, type ServiceRef, serviceRef } from "@plinth/core";
import { SchemaOptionsError } from "../errors.js";
import { wholeTemplate } from "../preview/preview-address.js";
import type { ComponentView, Model, TypeView } from "../wire/model.js";
import { type AttributeViews, attributeViews, buildModelViews, type RawShape } from "./build-views.js";

const HASH_LENGTH = 16;

/** Describes content-types that have screens of their own and are not among those of the content: `plugin::admin.model-views`. */
export interface TypeDescriber {
  /** Attributes of a type by name, as forms show them to a caller who may do everything; none of an unknown type. */
  attributesOf(uid: string): AttributeViews;
}

/** What the page knows of the content model. Made once: the model never changes while the app runs. */
export class ModelViews implements TypeDescriber {
  readonly #types: readonly TypeView[];
  readonly #components: ReadonlyMap<string, ComponentView>;
  readonly #previews: ReadonlyMap<string, string>;
  /** Changes when the content model does. */
  readonly version: string;

  /** @throws PLINTH_ADMIN_SCHEMA_OPTIONS (500) with every problem of every schema */
  constructor(
    private readonly app: App,
    /** Those that previews may come from. */
    readonly previewOrigins: readonly string[],
  ) {
    const { contentTypes } = app.model;
    const rawOf = (uid: string) => this.#rawOf(contentTypes.has(uid) ? "content-type" : "component", uid);
    const { types, components, previews, problems } = buildModelViews(app.model, rawOf, previewOrigins);
    if (problems.length > 0) throw new SchemaOptionsError({ problems });
    this.#types = types;
    this.#components = components;
    this.#previews = previews;
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

  attributesOf(uid: string): AttributeViews {
    const type = this.app.model.contentTypes.get(uid);
    const problems: OptionProblem[] = [];
    const views = type
      ? attributeViews(type, this.#rawOf("content-type", uid), { anyTarget: this.uids(), problems })
      : {};
    if (problems.length > 0) throw new SchemaOptionsError({ problems });
    return views;
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
