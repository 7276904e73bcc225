import type { Document, ReadResult } from "@plinth/core";
import { documentVersion, type Pagination, type PreparedRead } from "@plinth/core/reads";
import type { FoundOne, FoundPage, PaginationMeta } from "./contract.js";

/** A page of rows that code made or changed, for services that do not pass the database's own text on. */
export function foundPage(rows: readonly Document[], pagination: PaginationMeta): FoundPage {
  return { text: JSON.stringify(rows), pagination, rows: () => rows };
}

/** One row that code made or changed. */
export function foundOne(row: Document): FoundOne {
  return { text: JSON.stringify(row), version: documentVersion(row), row: () => row };
}

/** A page as the database returned it. */
export function pageOfResult(result: ReadResult, { pagination }: PreparedRead): FoundPage {
  const { text } = result;
  return { text, pagination: pagination ? metaOf(pagination, result) : wholeList(result), rows: () => result.rows() };
}

/** One document as the database returned it; null when there is none. */
export function oneOfResult(result: ReadResult): FoundOne | null {
  const { text, version } = result;
  if (text === "null") return null;
  return { text, version, row: () => result.rows()[0] ?? (JSON.parse(text) as Document) };
}

/** What a read says of its page beside the rows. */
interface PageEnd {
  readonly total: number | undefined;
  readonly nextCursor?: string | null | undefined;
}

/** @source plugins/content-api/WIRE.md#pagination, what a cursor adds is ours */
function metaOf(pagination: Pagination, { total, nextCursor = null }: PageEnd): PaginationMeta {
  if (pagination.style === "cursor") {
    const { pageSize } = pagination;
    return { pageSize, nextCursor, ...(total === undefined ? {} : { pageCount: Math.ceil(total / pageSize), total }) };
  }
  if (pagination.style === "offset") {
    const { start, limit } = pagination;
    return total === undefined ? { start, limit } : { start, limit, total };
  }
  const { page, pageSize } = pagination;
  return total === undefined ? { page, pageSize } : { page, pageSize, pageCount: Math.ceil(total / pageSize), total };
}

/** A list without pages. */
function wholeList(result: ReadResult): PaginationMeta {
  const total = result.rows().length;
  return { start: 0, limit: total, total };
}
