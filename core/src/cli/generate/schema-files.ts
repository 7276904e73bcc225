import { snakeCase } from "../../base/case.js";
import { describeKnown } from "../../base/suggest.js";
import { isScalarKind, SCALAR_TRAITS } from "../../schema/attribute.js";
import { InvalidAttributeError } from "../errors.js";
import { assertName, displayNameOf, jsonFile, type NewFile, parseComponentName, pluralOf } from "./new-file.js";

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

/** Attributes of a schema file by name. */
export type NewAttributes = Readonly<Record<string, { readonly type: string }>>;

/** Kinds that need nothing beside their name. */
const KINDS = Object.keys(SCALAR_TRAITS).filter((kind) => kind !== "enumeration" && isScalarKind(kind));

/**
 * Reads `title:string,body:richtext`; without a type an attribute is a string.
 *
 * @throws PLINTH_CLI_INVALID_ATTRIBUTE
 */
export function parseAttributes(text: string | undefined): NewAttributes {
  const attributes: Record<string, { readonly type: string }> = {};
  for (const attribute of (text ?? "title:string").split(",").map((part) => part.trim())) {
    const [name = "", type = "string"] = attribute.split(":");
    if (!/^[a-zA-Z][a-zA-Z0-9_]*$/.test(name))
      throw new InvalidAttributeError({ attribute, reason: "has to begin with a name of letters, digits and _." });
    if (name in attributes) throw new InvalidAttributeError({ attribute, reason: "is named twice." });
    if (!isScalarKind(type) || type === "enumeration")
      throw new InvalidAttributeError({ attribute, reason: `has an unknown type. ${describeKnown(type, KINDS)}` });
    attributes[name] = { type };
  }
  return attributes;
}
