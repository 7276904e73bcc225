import type { App } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { type Limits, parseReadParams, type PreparedRead, type ReadOptions } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import type { EntryCount, EntryList } from "../wire/content.js";
import { listColumns } from "./list-columns.js";
import { typeFor } from "./shown-types.js";
import { listBudget, readInTime } from "./slow-reads.js";

/** Pages of 25, 50 or 100; nothing is counted unless the request asks for it. */
const LIMITS: Limits = { defaultLimit: 25, maxLimit: 100, withCount: false };

/** Newest first, by the index that every table has. */
export const NEWEST_FIRST = "id:desc";

/** `GET /admin/api/content/:uid`. */
export async function listEntries(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const type = typeFor(app, request, "find");
  const columns = listColumns(app.model, type, request.query["fields"]);
  const { sort = NEWEST_FIRST, pagination } = request.query;
  const params = { ...conditionsOf(request), sort, pagination: byCursor(pagination) };
  const { selection } = columns;
  const { ability } = request.actor;
  const prepared = prepareList(app, type, params, { selection, ability, facts: true, asStored: true });
  const result = await readInTime(app, app.documents(type.uid).read(prepared));
  const body: EntryList = {
    data: result.rows().map(columns.shape),
    meta: { pagination: { ...pageOf(prepared), nextCursor: result.nextCursor ?? null, ...totalOf(result.total) } },
  };
  return { status: 200, body };
}

/** `GET /admin/api/content/:uid/count`. */
export async function countEntries(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const type = typeFor(app, request, "find");
  const params = { ...conditionsOf(request), pagination: { pageSize: 1, withCount: true } };
  const selection = { fields: [{ name: "id" }], populate: [] };
  const prepared = prepareList(app, type, params, { selection, ability: request.actor.ability });
  const { total = 0 } = await readInTime(app, app.documents(type.uid).read(prepared));
  return { status: 200, body: { total } satisfies EntryCount };
}

/** What of a request says which documents it is about; without `fallbackLocale` those that there are in its locale. */
export function conditionsOf({ query }: RequestInfo): object {
  const { filters, _q, locale, status, fallbackLocale = [] } = query;
  return { filters, _q, locale, status, fallbackLocale };
}

/** Prepares the read of a list. @param options - may have other limits and another budget than those of a page */
export function prepareList(
  app: App,
  type: ContentType,
  params: object,
  options: Partial<ReadOptions> & Pick<ReadOptions, "ability">,
): PreparedRead {
  const common = { visibility: "admin", kind: "list", defaultStatus: "draft", budget: listBudget(app) } as const;
  return parseReadParams(app.model, type, params, { ...common, limits: LIMITS, ...options });
}

/** Pages follow a cursor unless the request counts them. The parser refuses all that is not an object. */
function byCursor(pagination: unknown): unknown {
  if (pagination === undefined) return { cursor: "*" };
  const isCounted = ["cursor", "page", "start", "limit"].some((key) =>
    Object.hasOwn(Object(pagination) as object, key),
  );
  return typeof pagination !== "object" || isCounted ? pagination : { ...pagination, cursor: "*" };
}

function pageOf({ pagination }: PreparedRead): { readonly pageSize: number; readonly page?: number } {
  switch (pagination?.style) {
    case "page":
      return { pageSize: pagination.pageSize, page: pagination.page };
    case "offset":
      return { pageSize: pagination.limit };
    default:
      return { pageSize: pagination?.pageSize ?? LIMITS.defaultLimit };
  }
}

const totalOf = (total: number | undefined) => (total === undefined ? {} : { total });
