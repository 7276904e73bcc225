/** Content-types and components as JSON, for tools. */
import type { App, RawContentType } from "@plinth/core";
import type { Attribute, Component, ContentModel, ContentType, RawAttribute, RawComponent } from "@plinth/core/schema";

/**
 * Whether tools may know a content-type: those of the app, and of plugins those on which actions can be granted. A schema
 * decides otherwise by `pluginOptions["content-api"].visible`.
 */
export function isListed({ uid, options, pluginOptions }: ContentType): boolean {
  const visible = visibleFor("content-api", pluginOptions);
  if (visible !== undefined) return visible;
  const { limitable } = options;
  return uid.startsWith("api::") || !(Array.isArray(limitable) && limitable.length === 0);
}

/**
 * A content-type as JSON: `{ uid, plugin, apiID, schema: { kind, displayName, ..., attributes } }`; `plugin` of types of
 * plugins only. Attributes are those of the schema file.
 */
export function describeType(app: App, type: ContentType): object {
  const raw = app.registry("content-type").get(type.uid);
  const { uid, kind, singularName, pluralName, displayName, table: collectionName, hasDrafts, pluginOptions } = type;
  const [, plugin] = /^plugin::([^.]+)/.exec(uid) ?? [];
  const visible = visibleFor("content-type-builder", pluginOptions) ?? true;
  return {
    ...{ uid, plugin, apiID: singularName },
    schema: {
      // Those of a plugin are for this server.
      ...(plugin === undefined ? type.options : {}),
      ...{ draftAndPublish: hasDrafts, displayName, singularName, pluralName },
      ...{ description: raw.info?.description ?? "", kind, collectionName },
      pluginOptions: plugin === undefined ? pluginOptions : aboutTools(pluginOptions),
      attributes: describeAttributes(app.model, type, raw),
      ...{ visible, restrictRelationsTo: visible ? null : [] },
    },
  };
}

/** A component as JSON: `{ uid, category, apiId, schema: { displayName, ..., attributes } }`. */
export function describeComponent(app: App, component: Component): object {
  const { uid, category, displayName } = component;
  const raw = app.registry("component").get(uid);
  const { info: { description = "", icon } = {}, pluginOptions } = raw;
  const apiId = uid.slice(category.length + 1);
  // Components have no table here, but tools of Strapi know each by a name of one.
  const collectionName = raw.collectionName ?? `components_${category}_${apiId}`.replaceAll("-", "_");
  const attributes = describeAttributes(app.model, component, raw);
  return {
    uid,
    category,
    apiId,
    schema: { displayName, description, icon, collectionName, pluginOptions, attributes },
  };
}

function describeAttributes(
  { contentTypes }: ContentModel,
  { attributes }: ContentType | Component,
  raw: Omit<RawContentType, "uid"> | RawComponent,
): Readonly<Record<string, object>> {
  /** A tool follows each relation to the schema of its target. */
  const leadsAway = (attribute: Attribute) => {
    const target = attribute.kind === "relation" ? contentTypes.get(attribute.target ?? "") : undefined;
    return target !== undefined && !isListed(target);
  };
  const described = Object.entries(raw.attributes ?? {}).flatMap(([name, written]) => {
    const attribute = attributes.get(name);
    if (!attribute || written["visible"] === false || leadsAway(attribute)) return [];
    return [[name, describeAttribute(attribute, written)]];
  });
  return Object.fromEntries(described);
}

/** As it is written, but for what Strapi completes. */
function describeAttribute(attribute: Attribute, written: RawAttribute): object {
  const { kind: type, required, isPrivate } = attribute;
  if (type === "media") return { ...written, type, multiple: attribute.isMany, required, private: isPrivate };
  if (type !== "relation") return { ...written, type, ...(isPrivate ? { private: true } : {}) };
  const targetAttribute = attribute.inversedBy ?? attribute.mappedBy ?? null;
  return { ...written, type, targetAttribute, private: isPrivate };
}

/** What the type of a plugin says to tools; the rest is for this server. */
function aboutTools(pluginOptions: ContentType["pluginOptions"]): object {
  return Object.fromEntries(
    Object.entries(pluginOptions).filter(([tool]) => visibleFor(tool, pluginOptions) !== undefined),
  );
}

/** What a schema says in `pluginOptions` about its being seen by a tool. */
function visibleFor(tool: string, pluginOptions: ContentType["pluginOptions"]): boolean | undefined {
  const { visible } = Object(pluginOptions[tool]) as { readonly visible?: unknown };
  return typeof visible === "boolean" ? visible : undefined;
}
