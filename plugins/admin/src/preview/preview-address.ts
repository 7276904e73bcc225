import type { ContentType } from "@plinth/core/schema";
import { isScalarKind } from "@plinth/core/schema";

/** Something in braces: `{slug}`. */
const PLACEHOLDER = /\{([A-Za-z_]\w*)\}/g;

/** Placeholders that are no attributes. */
const OWN = ["locale", "documentId", "token"];

/** Kinds whose values are no part of an address. */
const LONG: ReadonlySet<string> = new Set(["json", "blocks", "richtext", "password"]);

/** The names in the braces of a template. */
export const namesIn = (template: string): readonly string[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);

/** The attributes that a template names. */
export const attributesIn = (template: string): readonly string[] =>
  [...new Set(namesIn(template))].filter((name) => !OWN.includes(name));

/**
 * The template with its origin: one that begins with a slash stands on the first of the configured origins, so that each
 * environment has its own.
 */
export const wholeTemplate = (template: string, origins: readonly string[]): string =>
  template.startsWith("/") && origins[0] !== undefined ? new URL(origins[0]).origin + template : template;

/** What is wrong with `pluginOptions.admin.preview` of a type. */
export function previewProblems(template: string, type: ContentType, origins: readonly string[]): readonly string[] {
  const known = origins.map((origin) => new URL(origin).origin);
  const addresses = ["a", "b"].map((value) => wholeTemplate(template, known).replaceAll(PLACEHOLDER, value));
  const found = addresses.map((address) => (URL.canParse(address) ? new URL(address).origin : undefined));
  const isKnown = found[0] !== undefined && found[0] === found[1] && known.includes(found[0]);
  return [
    ...(isKnown ? [] : ["has to be on one of the origins in `preview.origins` of the plugin's configuration"]),
    ...attributesIn(template).flatMap((name) => problemOf(name, type)),
  ];
}

function problemOf(name: string, { attributes }: ContentType): readonly string[] {
  const attribute = attributes.get(name);
  if (!attribute) return [`names "${name}", which is not an attribute, and not ${OWN.join(", ")}`];
  const isShort = isScalarKind(attribute.kind) && !LONG.has(attribute.kind);
  return isShort && !attribute.isPrivate ? [] : [`names "${name}", whose values cannot stand in an address`];
}

/** Fills a template in; every value is escaped. */
export const fillTemplate = (template: string, values: Readonly<Record<string, unknown>>): string =>
  template.replaceAll(PLACEHOLDER, (_all, name: string) => encodeURIComponent(String(values[name] ?? "")));
