import type { Pagination } from "@plinth/core/reads";

/** The position of a page; `total` and `pageCount` only where they were asked for. */
export interface PageInfo {
  readonly page: number;
  readonly pageSize: number;
  readonly pageCount?: number;
  readonly total?: number;
}

/**
 * Describes a page. One that was requested by its first row is described as the page that has this row.
 *
 * @source plugins/content-api/WIRE.md#graphql-operations
 */
export function pageInfoOf(pagination: Pagination | undefined, total: number | undefined): PageInfo {
  const { page, pageSize } = pageOf(pagination);
  return total === undefined ? { page, pageSize } : { page, pageSize, pageCount: Math.ceil(total / pageSize), total };
}

function pageOf(pagination: Pagination | undefined): Pick<PageInfo, "page" | "pageSize"> {
  if (!pagination) return { page: 1, pageSize: 1 };
  if (pagination.style === "page") return pagination;
  // The schema has no argument for it.
  if (pagination.style === "cursor") return { page: 1, pageSize: pagination.pageSize };
  return { page: Math.floor(pagination.start / pagination.limit) + 1, pageSize: pagination.limit };
}
