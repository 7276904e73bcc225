import { type App, NotFoundError } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import type { PopulateNode } from "@plinth/core/reads";
import type { ContentModel } from "@plinth/core/schema";
import type { RelatedList, RelationValue } from "../wire/content.js";
import { NESTED_LIMITS } from "./entry-selection.js";
import { type EntryPlace, placeOf, prepareOne, readRows } from "./read-entry.js";
import { parseRelationPath, type PathStep, type RelationPath } from "./relation-path.js";
import { relationNode, relationOf } from "./related.js";
import { invalidRequest } from "./request-body.js";

/** Documents on a page of what is linked, or may be. */
export const PAGE_SIZE = 20;

/** `GET /admin/api/content/:uid/:id/relations/:path`: what is linked, in its order. */
export async function listLinked(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const place = placeOf(app, request, "find");
  const path = parseRelationPath(app.model, place.type, place.ability, request.params["path"] ?? "");
  const start = startOf(request.query["cursor"]);
  const { total, items } = await readLinked(app, place, path, { start, limit: PAGE_SIZE });
  const end = start + items.length;
  const body: RelatedList = { data: items, meta: { nextCursor: end < total ? String(end) : null } };
  return { status: 200, body };
}

/** Which of the documents of a relation are read. */
interface LinkedPage {
  readonly start: number;
  readonly limit: number;
}

/** Lists below a row are paged by their places. @throws PLINTH_ADMIN_INVALID (400) */
function startOf(cursor: unknown): number {
  if (cursor === undefined) return 0;
  if (typeof cursor === "string" && /^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw invalidRequest([{ path: "cursor", message: "must be the nextCursor of the page before" }]);
}

/** Reads what a relation of a document links to. @throws PLINTH_HTTP_NOT_FOUND (404) */
export async function readLinked(
  app: App,
  place: EntryPlace,
  { steps, relation }: RelationPath,
  { start, limit }: LinkedPage,
): Promise<RelationValue> {
  // A relation to several types has no pages in SQL: its first documents are read, and the page is cut of them.
  const isPaged = relation.target !== undefined;
  const leaf = relationNode(app.model, relation, limit, isPaged ? start : 0);
  const selection = { fields: [{ name: "id" }], populate: [nodeTo(app.model, steps, leaf)], limits: NESTED_LIMITS };
  const { rows } = await readRows(app, place, prepareOne(app, place, { selection, asStored: true }));
  const [row] = rows;
  const holder = row && holderOf(row, steps.slice(0, -1));
  const found =
    holder && relationOf((holder as Record<string, unknown>)[relation.name], isPaged ? limit : start + limit);
  if (!found) throw new NotFoundError({});
  return isPaged ? found : { ...found, items: found.items.slice(start) };
}

/** What is populated on the way to a relation. */
function nodeTo(model: ContentModel, [step, ...rest]: readonly PathStep[], leaf: PopulateNode): PopulateNode {
  if (!step?.component) return leaf;
  const { name, component, isZone, item } = step;
  const filters = item === undefined ? {} : { filters: { id: item } };
  const inside = { fields: [{ name: "id" }], populate: [nodeTo(model, rest, leaf)], ...filters };
  if (isZone) return { name, fields: [], populate: [], on: new Map([[component.uid, inside]]) };
  return { ...inside, name, pagination: { limit: -1 } };
}

/** The row, or the first item of a component on the way, that holds the relation. */
function holderOf(row: object, steps: readonly PathStep[]): object | undefined {
  let holder: object | undefined = row;
  for (const { name } of steps) {
    const value = (holder as Record<string, unknown> | undefined)?.[name] as
      | object
      | readonly object[]
      | null
      | undefined;
    holder = (Array.isArray(value) ? (value[0] as object | undefined) : value) ?? undefined;
  }
  return holder;
}
