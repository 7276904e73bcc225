import type { RawComponent, RawContentType } from "../../schema/raw.js";
import { jsonFile, type NewFile } from "../cli/generate/new-file.js";
import { convertComponent, convertContentType, ownAttributes, type SchemaContext } from "./convert-schema.js";
import type { ExportedSchema } from "./export-format.js";
import type { Issues } from "./issues.js";

/** What an app has before the import. */
export interface KnownSchemas {
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
export function planSchemas(exported: readonly ExportedSchema[], known: KnownSchemas, issues: Issues): SchemaPlan {
  const has = new Set([...known.contentTypes, ...known.components].map(({ uid }) => uid));
  const wanted = exported.filter(({ uid }) => !has.has(uid) && isOfApp(uid));
  const context = contextOf(wanted, known, issues);
  const contentTypes = wanted
    .filter(({ modelType }) => modelType === "contentType")
    .map((schema) => ({ uid: schema.uid, ...convertContentType(schema, context) }));
  const components = wanted
    .filter(({ modelType }) => modelType === "component")
    .map((schema) => ({ uid: schema.uid, ...convertComponent(schema, context) }));
  return {
    files: [...contentTypes.map(contentTypeFile), ...components.map(componentFile)],
    after: {
      contentTypes: [...known.contentTypes, ...contentTypes],
      components: [...known.components, ...components],
    },
  };
}

/** Content-types of an api, and components, are the app's own; the rest is brought by plugins. */
const isOfApp = (uid: string): boolean => !uid.includes("::") || uid.startsWith("api::");

function contextOf(wanted: readonly ExportedSchema[], known: KnownSchemas, issues: Issues): SchemaContext {
  const names = new Map<string, ReadonlySet<string>>([
    ...wanted.map((schema) => [schema.uid, new Set(ownAttributes(schema).map(([name]) => name))] as const),
    ...known.contentTypes.map(({ uid, attributes }) => [uid, new Set(Object.keys(attributes ?? {}))] as const),
  ]);
  return {
    issues,
    hasType: (uid) => names.has(uid) || uid === "plugin::upload.file",
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
