import { snakeCase } from "../../../base/case.js";
import { assertName, displayNameOf, parseComponentName, pluralOf } from "./names.js";
import { jsonFile, type NewFile } from "./new-file.js";
import { parseAttributes } from "./parse-attributes.js";

/** What may be said of a new content-type. */
export interface ContentTypeOptions {
  readonly api?: string;
  readonly plural?: string;
  readonly kind?: "collectionType" | "singleType";
  /** `title:string,body:richtext` */
  readonly attributes?: string;
  readonly drafts?: boolean;
}

/** The schema of a content-type; it has a table and endpoints as soon as the app starts. */
export function contentTypeFiles(name: string, options: ContentTypeOptions): readonly NewFile[] {
  const singularName = assertName(name, "a content-type");
  const pluralName = assertName(options.plural ?? pluralOf(name), "the plural of a content-type");
  const api = assertName(options.api ?? name, "an api");
  const schema = {
    kind: options.kind ?? "collectionType",
    collectionName: snakeCase(pluralName),
    info: { singularName, pluralName, displayName: displayNameOf(name) },
    options: { draftAndPublish: options.drafts ?? false },
    attributes: parseAttributes(options.attributes),
  };
  return [jsonFile(`src/api/${api}/content-types/${name}/schema.json`, schema)];
}

/** The schema of a component, `<category>.<name>`. */
export function componentFiles(name: string, { attributes }: { readonly attributes?: string }): readonly NewFile[] {
  const { category, component } = parseComponentName(name);
  const schema = { info: { displayName: displayNameOf(component) }, attributes: parseAttributes(attributes) };
  return [jsonFile(`src/components/${category}/${component}.json`, schema)];
}
