import type { FieldRequest, PopulateNode, SelectionRequest } from "@plinth/core/reads";
import type { ContentModel, ContentType, RelationAttribute } from "@plinth/core/schema";
import type { DocumentState, RelatedEntry, RelationValue } from "../wire/content.js";
import { fileNode, THUMBNAIL_FIELDS, thumbnailOf } from "./file-view.js";
import { namingOf } from "./naming.js";

/** The facts by which a document that something links to is shown. */
export const STATE = ["state"] as const;

/** What a read returns of a document that something else names; relatedOf makes it what the page gets. */
export function relatedRequest(model: ContentModel, type: ContentType): SelectionRequest {
  const { title, subtitle, picture } = namingOf(type);
  const named = (name: string | undefined, alias: string): readonly FieldRequest[] =>
    name === undefined ? [] : [{ name, alias }];
  return {
    fields: [
      { constant: type.uid, alias: "uid" },
      { name: "documentId" },
      { name: "id" },
      ...(type.isLocalized ? [{ name: "locale" }] : []),
      ...named(title, "title"),
      ...named(subtitle, "subtitle"),
    ],
    populate: picture === undefined ? [] : [{ ...fileNode(model, picture, THUMBNAIL_FIELDS), alias: "picture" }],
  };
}

/** A row that was read by relatedRequest. */
interface RelatedRow {
  readonly uid: string;
  readonly documentId: string;
  readonly id: number;
  readonly locale?: string | null;
  readonly title?: unknown;
  readonly subtitle?: unknown;
  readonly picture?: unknown;
  readonly _facts?: { readonly state: DocumentState };
}

/** A document as something else names it. Without a title, or one that the caller may not see, it has its id. */
export function relatedOf(row: object): RelatedEntry {
  const { uid, documentId, id, locale, title, subtitle, picture, _facts } = row as RelatedRow;
  return {
    ...{ uid, documentId, id },
    locale: locale ?? null,
    title: textOf(title) ?? documentId,
    subtitle: textOf(subtitle) ?? null,
    picture: pictureOf(picture),
    state: _facts?.state ?? "published",
  };
}

/** A value as text; undefined where there is none. */
export function textOf(value: unknown): string | undefined {
  return value === null || value === undefined || value === "" ? undefined : String(value);
}

/** The smallest form of a picture, or of the first of several. */
function pictureOf(value: unknown): string | null {
  const [file] = [value].flat();
  return file ? thumbnailOf(file) : null;
}

/**
 * A relation of an entry: its first documents, and how many there are.
 *
 * @param most - of the documents; a relation to several types has no pages, and is cut by the budget of the read.
 */
export function relationNode(model: ContentModel, attribute: RelationAttribute, most: number, start = 0): PopulateNode {
  const { name, isMany } = attribute;
  const items: PopulateNode = { ...itemsRequest(model, attribute), name, alias: "items", facts: STATE };
  const paged: PopulateNode = isMany && attribute.target ? { ...items, pagination: { start, limit: most } } : items;
  const total: PopulateNode = { name, alias: "total", count: true, fields: [], populate: [] };
  const isCounted = isMany && attribute.target !== undefined;
  return { name: undefined, alias: name, fields: [], populate: isCounted ? [paged, total] : [paged] };
}

function itemsRequest(model: ContentModel, { target }: RelationAttribute): SelectionRequest & Pick<PopulateNode, "on"> {
  if (target === undefined) return { fields: [], populate: [], on: formsOf(model) };
  const type = model.contentTypes.get(target);
  return type ? relatedRequest(model, type) : { fields: [], populate: [] };
}

/** What of each type a relation to several types may lead to. */
function formsOf(model: ContentModel): NonNullable<PopulateNode["on"]> {
  const types = [...model.contentTypes.values()];
  return new Map(types.map((type) => [type.uid, { ...relatedRequest(model, type), facts: STATE }]));
}

/** What relationNode read; undefined where the caller may not see the relation. */
export function relationOf(value: unknown, most: number): RelationValue | undefined {
  const { items, total } = (value ?? {}) as { items?: object | null; total?: { count: number } };
  if (items === undefined) return undefined;
  const rows = (items === null ? [] : [items].flat()) as readonly object[];
  return { total: total?.count ?? rows.length, items: rows.slice(0, most).map(relatedOf) };
}
