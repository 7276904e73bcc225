import { camelCase, parseUid, pascalCase } from "@plinth/core";
import type { Component, ContentType, ScalarAttribute } from "@plinth/core/schema";

/** Words begin after digits, too: the plugin `i18n` is `I18N`, and its type `locale` is `I18NLocale`. */
const splitAtDigits = (text: string): string => text.replace(/(\d)(\p{L})/gu, "$1 $2");

const pascal = (text: string): string => pascalCase(splitAtDigits(text));

/** What stands before the names of a plugin's content-types: `users-permissions`; nothing for those of the app. */
function ownerOf({ uid }: ContentType): string {
  const parts = parseUid(uid);
  return parts.namespace === "plugin" ? `${parts.owner} ` : "";
}

/**
 * Name of the type of a content-type or component: `Article`, `UploadFile`, `I18NLocale`, `ComponentSharedSeo`.
 *
 * @source plugins/content-api/WIRE.md#graphql-types
 */
export function typeName(shape: ContentType | Component): string {
  if (shape.shape === "content-type") return pascal(`${ownerOf(shape)}${shape.singularName}`);
  const [category = "", name = ""] = shape.uid.split(".");
  return pascal(`component ${category} ${name}`);
}

/** Names of the fields of Query: `article`, `articles` and `articles_connection`. */
export function queryNames(type: ContentType): {
  readonly one: string;
  readonly list: string;
  readonly connection: string;
} {
  const list = camelCase(splitAtDigits(`${ownerOf(type)}${type.pluralName}`));
  const one = camelCase(splitAtDigits(`${ownerOf(type)}${type.singularName}`));
  return { one, list, connection: connectionName(list) };
}

/** Name of the field that shows a list as `{ nodes }`: `categories_connection`. */
export function connectionName(field: string): string {
  return `${field}_connection`;
}

/** Name of a field of Mutation: `createArticle`. */
export function mutationName(operation: "create" | "update" | "delete", type: ContentType): string {
  return `${operation}${typeName(type)}`;
}

/** Name of what a list of root documents answers with: `ArticleEntityResponseCollection`. */
export function rootCollectionName(type: ContentType): string {
  return `${typeName(type)}EntityResponseCollection`;
}

/** Name of what a list of related documents answers with: `ArticleRelationResponseCollection`. */
export function relationCollectionName(type: ContentType): string {
  return `${typeName(type)}RelationResponseCollection`;
}

/** Name of the filters of a content-type or component: `ArticleFiltersInput`. */
export function filtersName(shape: ContentType | Component): string {
  return `${typeName(shape)}FiltersInput`;
}

/** Name of what writes take: `ArticleInput`. */
export function inputName(shape: ContentType | Component): string {
  return `${typeName(shape)}Input`;
}

/** Name of the union of a dynamic zone's items: `ArticleSectionsDynamicZone`. */
export function zoneName(shape: ContentType | Component, attribute: string): string {
  return `${typeName(shape)}${pascal(attribute)}DynamicZone`;
}

/** Name of what writes of a dynamic zone take for each item: `ArticleSectionsDynamicZoneInput`. */
export function zoneInputName(shape: ContentType | Component, attribute: string): string {
  return `${zoneName(shape, attribute)}Input`;
}

/** Name of the enum of an enumeration: `ENUM_ARTICLE_KIND`, or what the schema file says. */
export function enumName(shape: ContentType | Component, { name, enumName: given }: ScalarAttribute): string {
  return given ?? `ENUM_${typeName(shape)}_${name}`.toUpperCase();
}

/**
 * Names of the values of an enumeration, in their order: letters, digits and `_` stay, everything else is `_`. Equal
 * names get a number, and reserved words of GraphQL an underscore.
 */
export function enumValueNames(values: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return values.map((value) => {
    const plain = value.normalize("NFD").replace(/\p{M}/gu, "").replace(/\W/g, "_");
    const name = /^(\d|__|(true|false|null)$|$)/.test(plain) ? `_${plain.replace(/^_+/, "")}` : plain;
    let free = name;
    for (let count = 2; taken.has(free); count += 1) free = `${name.replace(/_$/, "")}_${count}`;
    taken.add(free);
    return free;
  });
}

/** The names of a schema and their owners; two owners of one name are a problem. */
export class NameTable {
  readonly #owners = new Map<string, string>();
  readonly #problems: string[] = [];

  /**
   * Gives a name to what has none yet.
   *
   * @param owner - what gets the name, for the message: `api::article.article`, `its attribute kind`.
   * @returns false when the owner has it already.
   */
  claim(name: string, owner: string): boolean {
    const other = this.#owners.get(name);
    if (other === owner) return false;
    if (other === undefined) this.#owners.set(name, owner);
    else this.clash(name, owner, other);
    return true;
  }

  /** Notes that two things would have one name. */
  clash(name: string, owner: string, other: string): void {
    this.#problems.push(`"${name}" would be the name of ${owner} and of ${other}`);
  }

  /** Every name that something has, those of types among them. */
  get taken(): ReadonlySet<string> {
    return new Set(this.#owners.keys());
  }

  /** The conflicts, one line each. */
  get problems(): readonly string[] {
    return this.#problems;
  }
}
