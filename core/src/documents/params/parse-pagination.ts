import { CursorWithPageError, InvalidPaginationError, InvalidWithCountError, MixedPaginationError } from "./errors.js";
import {
  detailsOf,
  invalidKey,
  invalidShape,
  isObject,
  parseText,
  type ParseContext,
  readBoolean,
} from "./parse-context.js";

/** How many rows a list may have; numbers of rows. */
export interface Limits {
  /** Rows of a list whose request names no number. */
  readonly defaultLimit: number;
  /** Larger numbers are cut to this; Infinity for no limit. */
  readonly maxLimit: number;
  /** Whether the total is counted when the request does not say. */
  readonly withCount: boolean;
}

/** The rows of a page, in the style of the request. */
export type Pagination =
  | { readonly style: "page"; readonly page: number; readonly pageSize: number; readonly withCount: boolean }
  | { readonly style: "offset"; readonly start: number; readonly limit: number; readonly withCount: boolean }
  /** A page after a cursor, whose cost does not grow with the distance from the first row. */
  | { readonly style: "cursor"; readonly cursor: string; readonly pageSize: number; readonly withCount: boolean };

const KEYS: ReadonlySet<string> = new Set(["cursor", "page", "pageSize", "start", "limit", "withCount"]);

/**
 * Turns `pagination` into rows to return. Numbers out of range are clamped; by page is the default.
 *
 * @param input - `{ page: "2", pageSize: "10" }`, `{ start: "10", limit: "5" }` or `{ cursor: "*", pageSize: "10" }`, and
 * `withCount`; an empty text counts as absent, but for a cursor, which it is none. With a cursor nothing is counted unless it is asked for. From code the number -1 as limit or pageSize means the maximum.
 * @throws PLINTH_QUERY_MIXED_PAGINATION, _CURSOR_WITH_PAGE, _INVALID_PAGINATION, _INVALID_WITH_COUNT, _INVALID_KEY, _INVALID_SHAPE (400)
 * @source plugins/content-api/WIRE.md#pagination
 */
export function parsePagination(reading: ParseContext, input: unknown, limits: Limits): Pagination {
  const given = input ?? {};
  if (!isObject(given)) throw invalidShape(reading, "pagination", [], "an object");
  for (const key of Object.keys(given)) if (!KEYS.has(key)) throw invalidKey(reading, key, []);
  if (given["cursor"] !== undefined) return parseCursorPage(reading, given, limits);
  const has = (key: string) => given[key] !== undefined;
  const isOffset = has("start") || has("limit");
  if (isOffset && (has("page") || has("pageSize"))) throw new MixedPaginationError({});
  const withCount = parseWithCount(given["withCount"], limits.withCount);
  const count = (key: string) => parseCount(reading, key, given[key], limits);
  const at = (key: string, first: number, last: number) =>
    clamp(parseWhole(reading, key, given[key]) ?? first, first, last);
  if (isOffset)
    return { style: "offset", start: at("start", 0, Number.MAX_SAFE_INTEGER), limit: count("limit"), withCount };
  const pageSize = count("pageSize");
  return { style: "page", page: at("page", 1, Math.floor(Number.MAX_SAFE_INTEGER / pageSize)), pageSize, withCount };
}

function parseCursorPage(reading: ParseContext, given: Readonly<Record<string, unknown>>, limits: Limits): Pagination {
  const has = (key: string) => given[key] !== undefined;
  if (has("page") || has("start")) throw new CursorWithPageError({});
  if (has("pageSize") && has("limit")) throw new MixedPaginationError({});
  const size = has("limit") ? "limit" : "pageSize";
  return {
    style: "cursor",
    cursor: parseText(reading, "cursor", given["cursor"]),
    pageSize: parseCount(reading, size, given[size], limits),
    withCount: parseWithCount(given["withCount"], false),
  };
}

/** A page that is counted off from the first row. */
export type CountedPage = Exclude<Pagination, { readonly style: "cursor" }>;

/** The first row, counted from 0, and the number of rows. */
export function rangeOf(pagination: CountedPage): { readonly start: number; readonly limit: number } {
  if (pagination.style === "offset") return { start: pagination.start, limit: pagination.limit };
  return { start: (pagination.page - 1) * pagination.pageSize, limit: pagination.pageSize };
}

function parseCount(reading: ParseContext, key: string, input: unknown, { defaultLimit, maxLimit }: Limits): number {
  const most = Math.min(maxLimit, Number.MAX_SAFE_INTEGER);
  if (input === -1) return most;
  return clamp(parseWhole(reading, key, input) ?? defaultLimit, 1, most);
}

function parseWhole(reading: ParseContext, key: string, input: unknown): number | undefined {
  if (input === undefined || input === "") return undefined;
  const number =
    typeof input === "number" ? input : typeof input === "string" && input.trim() !== "" ? Number(input) : Number.NaN;
  if (!Number.isInteger(number))
    throw new InvalidPaginationError({ ...detailsOf(reading, key, ["pagination"]), value: input });
  return number;
}

const clamp = (number: number, first: number, last: number) => Math.min(Math.max(number, first), last);

function parseWithCount(input: unknown, byDefault: boolean): boolean {
  if (input === undefined) return byDefault;
  const withCount = readBoolean(input);
  if (withCount === undefined) throw new InvalidWithCountError({});
  return withCount;
}
