import type { Project, RawContentType } from "@plinth/core";
import { buildModel, type ContentModel, type RawComponent } from "@plinth/core/schema";
import { convertComponent, convertContentType, ownAttributes, type SchemaContext } from "./convert-schema.js";
import { type ExportedSchema, STRAPI, type StrapiExport } from "../source/export-format.js";
import type { Issues } from "../issues.js";
import { isSilentKey } from "./known-types.js";

/** The changes of an app by an import, before anything is changed. */
export interface PreparedImport {
  /** Schema files that the app lacks. */
  readonly schemas: SchemaPlan;
  /** The app's content model once they are there. */
  readonly model: ContentModel;
}

/** The schemas of an export. */
export async function readSchemas(source: StrapiExport): Promise<readonly ExportedSchema[]> {
  const schemas: ExportedSchema[] = [];
  for await (const schema of source.lines("schemas")) schemas.push(schema);
  return schemas;
}

/**
 * Plans what schemas an app has to get.
 *
 * @throws PLINTH_SCHEMA_INVALID when the schemas of both do not go together
 */
export function prepareImport(project: Project, exported: readonly ExportedSchema[], issues: Issues): PreparedImport {
  const { app, model } = project;
  const list = <Raw extends object>(entries: readonly (readonly [string, Raw])[]) =>
    entries.map(([uid, raw]) => ({ ...raw, uid }));
  const known = {
    contentTypes: list(app.registry("content-type").entries()),
    components: list(app.registry("component").entries()),
  };
  const schemas = planSchemas(exported, known, issues);
  const { defaultLocale, locales } = model;
  return { schemas, model: buildModel({ ...schemas.after, defaultLocale, locales }) };
}

/** A file to be written: its path from the project's folder, with slashes, and its text. */
interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** What an app has before the import. */
interface KnownSchemas {
  readonly contentTypes: readonly RawContentType[];
  readonly components: readonly RawComponent[];
}

/** What the schemas of an export mean for an app: those that it lacks, ready to be written. */
export interface SchemaPlan {
  readonly files: readonly NewFile[];
  /** All of the app once the files are there. */
  readonly after: KnownSchemas;
}

/** Plans the schema files that an app lacks; what it has stays as it is. */
function planSchemas(exported: readonly ExportedSchema[], known: KnownSchemas, issues: Issues): SchemaPlan {
  const has = new Set([...known.contentTypes, ...known.components].map(({ uid }) => uid));
  const wanted = exported.filter(({ uid }) => !has.has(uid) && isOfApp(uid));
  const extended = exported.flatMap((schema) => addedTo(schema, known));
  const context = contextOf([...wanted, ...extended], known, issues);
  const extensions = extended.flatMap((schema) => {
    const { attributes = {} } = convertContentType(schema, context);
    return Object.keys(attributes).length > 0 ? [{ uid: schema.uid, attributes }] : [];
  });
  const contentTypes = wanted
    .filter(({ modelType }) => modelType === "contentType")
    .map((schema) => ({ uid: schema.uid, ...convertContentType(schema, context) }));
  const components = wanted
    .filter(({ modelType }) => modelType === "component")
    .map((schema) => ({ uid: schema.uid, ...convertComponent(schema, context) }));
  return {
    files: [...contentTypes.map(contentTypeFile), ...components.map(componentFile), ...extensions.map(extensionFile)],
    after: {
      contentTypes: [...known.contentTypes.map((type) => extendBy(type, extensions)), ...contentTypes],
      components: [...known.components, ...components],
    },
  };
}

function jsonFile(path: string, content: unknown): NewFile {
  return { path, text: `${JSON.stringify(content, undefined, 2)}\n` };
}

/** Content-types of an api, and components, are the app's own; the rest is brought by plugins. */
const isOfApp = (uid: string): boolean => !uid.includes("::") || uid.startsWith("api::");

/** Content-types of plugins that apps extend. */
const EXTENDED: readonly string[] = [STRAPI.user, STRAPI.file];

/** What a content-type of a plugin has there and not here: the attributes that an app added to it. */
function addedTo(schema: ExportedSchema, known: KnownSchemas): readonly ExportedSchema[] {
  const own = known.contentTypes.find(({ uid }) => uid === schema.uid)?.attributes;
  if (!own || !EXTENDED.includes(schema.uid)) return [];
  const added = ownAttributes(schema).filter(([name]) => !Object.hasOwn(own, name) && !isSilentKey(schema.uid, name));
  return added.length > 0 ? [{ ...schema, attributes: Object.fromEntries(added) }] : [];
}

/** Attributes that an app adds to a content-type of a plugin. */
type Extension = Pick<RawContentType, "uid" | "attributes">;

function extendBy(type: RawContentType, extensions: readonly Extension[]): RawContentType {
  const extension = extensions.find(({ uid }) => uid === type.uid);
  return extension ? { ...type, attributes: { ...type.attributes, ...extension.attributes } } : type;
}

function extensionFile({ uid, attributes }: Extension): NewFile {
  const [plugin, name] = uid.slice("plugin::".length).split(".");
  return jsonFile(`src/extensions/${plugin}/content-types/${name}/schema.json`, { attributes });
}

function contextOf(wanted: readonly ExportedSchema[], known: KnownSchemas, issues: Issues): SchemaContext {
  const names = new Map<string, ReadonlySet<string>>([
    ...wanted.map((schema) => [schema.uid, new Set(ownAttributes(schema).map(([name]) => name))] as const),
    ...known.contentTypes.map(({ uid, attributes }) => {
      const added = wanted.find((schema) => schema.uid === uid)?.attributes;
      return [uid, new Set(Object.keys({ ...attributes, ...added }))] as const;
    }),
  ]);
  return {
    issues,
    hasType: (uid) => names.has(uid) || uid === STRAPI.file,
    hasAttribute: (uid, name) => names.get(uid)?.has(name) === true,
  };
}

function contentTypeFile({ uid, ...schema }: RawContentType): NewFile {
  const [api, name] = uid.slice("api::".length).split(".");
  return jsonFile(`src/api/${api}/content-types/${name}/schema.json`, schema);
}

function componentFile({ uid, ...schema }: RawComponent): NewFile {
  const [category, name] = uid.split(".");
  return jsonFile(`src/components/${category}/${name}.json`, schema);
}
