import { Readable } from "node:stream";
import type { App } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import type { AdminConfig } from "../config.js";
import { invalidRequest } from "../content/request-body.js";
import { typeFor } from "../content/shown-types.js";
import { BYTE_ORDER_MARK, csvLine, type Separator } from "./csv-text.js";
import { ExportTooLargeError } from "./errors.js";
import { fileNameHeader } from "./file-name.js";
import { type Batch, type ListFile, openListFile } from "./list-file.js";

const SEPARATORS: Readonly<Record<string, Separator>> = { comma: ",", semicolon: ";" };

/** How a file is written. */
interface FileForm {
  readonly separator: Separator;
  readonly hasMark: boolean;
  readonly maxRows: number;
}

/**
 * `GET /admin/api/content/:uid/export`: the rows of a list as CSV, with its conditions, sort and columns. They are read in
 * batches while they are sent, each by the cursor of the one before, so that few are in memory; a row that is moved in
 * the order meanwhile may be in the file twice, or not at all.
 *
 * @throws PLINTH_ADMIN_EXPORT_TOO_LARGE (413), PLINTH_ADMIN_INVALID (400), and as the list
 */
export async function exportList(
  app: App,
  request: RequestInfo,
  { maxRows }: AdminConfig["csv"],
): Promise<EndpointAnswer> {
  const type = typeFor(app, request, "find");
  const form = { ...formOf(request), maxRows };
  const file = openListFile(app, request, type);
  // Before the answer begins: what is refused is refused with a status.
  const first = await file.read("*");
  if (first.next !== undefined || first.rows.length > maxRows)
    if (await file.hasMoreThan(maxRows)) throw new ExportTooLargeError({ maximum: maxRows });
  const body = Readable.from(linesOf(file, first, form), { highWaterMark: 1 });
  // An answer that has begun has no other way to say that it is not whole.
  body.once("error", () => request.context.res.destroy());
  const headers = {
    "content-type": "text/csv; charset=utf-8",
    "content-disposition": fileNameHeader(type, request.query, app.clock.now()),
  };
  return { status: 200, headers, body };
}

/** The text of the file, a batch at a time. Rows that came after they were counted are not in it. */
async function* linesOf(file: ListFile, first: Batch, { separator, hasMark, maxRows }: FileForm) {
  yield (hasMark ? BYTE_ORDER_MARK : "") + csvLine(file.head, separator);
  let rest = maxRows;
  for (let batch: Batch | undefined = first; batch; ) {
    const rows = batch.rows.slice(0, rest);
    rest -= rows.length;
    if (rows.length > 0) yield rows.map((row) => csvLine(file.cellsOf(row), separator)).join("");
    batch = batch.next === undefined || rest === 0 ? undefined : await file.read(batch.next);
  }
}

/** @throws PLINTH_ADMIN_INVALID (400) */
function formOf({ query: { separator: named = "comma", bom = "false" } }: RequestInfo) {
  const separator = typeof named === "string" ? SEPARATORS[named] : undefined;
  if (!separator) throw invalidRequest([{ path: "separator", message: "must be comma or semicolon" }]);
  if (bom !== "true" && bom !== "false") throw invalidRequest([{ path: "bom", message: "must be true or false" }]);
  return { separator, hasMark: bom === "true" };
}
