/** `Blog post` -> `blog-post`. */
export function kebab(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "");
}

/** `blog-posts` -> `blog_posts`: the table of a type. */
export const snake = (name: string): string => name.replaceAll("-", "_");

/** The plural of an English noun by the simple rules; it can be corrected. */
export function pluralOf(singular: string): string {
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(singular) ? `${singular}es` : `${singular}s`;
}

/** What attributes may be called. @source core/src/schema/build-attributes.ts */
export const ATTRIBUTE_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Names that the server has for itself. */
export const RESERVED: readonly string[] = [
  ...["id", "documentId", "constructor", "prototype", "createdAt", "updatedAt", "publishedAt"],
  ...["createdBy", "updatedBy", "locale", "localizations", "status", "meta"],
];
