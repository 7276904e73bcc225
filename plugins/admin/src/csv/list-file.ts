import type { App } from "@plinth/core";
import type { RequestInfo } from "@plinth/core/http";
import type { PreparedRead, ReadSelection } from "@plinth/core/reads";
import type { Attribute, ContentType } from "@plinth/core/schema";
import { conditionsOf, NEWEST_FIRST, prepareList } from "../content/list.js";
import { columnNames, listColumns } from "../content/list-columns.js";
import { isReadableColumn } from "../content/readable-columns.js";
import { readInTime } from "../content/slow-reads.js";
import { modelViews } from "../model/model-views.js";
import type { Entry } from "../wire/content.js";
import { cellText } from "./cell-text.js";

/** Rows that are read at once; fewer where texts are long. */
const BATCH = 500;
const BATCH_OF_LONG = 50;

/** Titles and file names in one cell; of more there is the number. */
const IN_A_CELL = 50;

const LONG: readonly (Attribute["kind"] | undefined)[] = ["text", "richtext", "blocks", "json"];
const ID = { fields: [{ name: "id" }], populate: [] };

/** Some rows, and the cursor of those after; undefined: these are the last. */
export interface Batch {
  readonly rows: readonly Entry[];
  readonly next: string | undefined;
}

/** A list as a file has it: its columns, and its rows in parts. */
export interface ListFile {
  readonly head: readonly string[];
  cellsOf(row: Entry): readonly string[];
  /** Whether there are more rows than that. */
  hasMoreThan(rows: number): Promise<boolean>;
  /** @param cursor - of the batch before; `*`: the first */
  read(cursor: string): Promise<Batch>;
}

/** The list that a request asks for. Columns that the caller may not read are left out. */
export function openListFile(app: App, request: RequestInfo, type: ContentType): ListFile {
  const { ability } = request.actor;
  const named = columnNames(type, request.query["fields"]);
  const shown = named.filter((name) => !type.attributes.has(name) || isReadableColumn(type, ability, name));
  const list = listColumns(app.model, type, shown, IN_A_CELL);
  const columns = columnsOf(app, type, shown);
  const size = shown.some((name) => LONG.includes(type.attributes.get(name)?.kind)) ? BATCH_OF_LONG : BATCH;
  const limits = { defaultLimit: size, maxLimit: size, withCount: false };
  const prepare = (selection: ReadSelection, params: object): PreparedRead =>
    prepareList(
      app,
      type,
      { ...conditionsOf(request), ...params },
      {
        ...{ selection, limits, ability, asStored: true },
        ...(selection === ID ? {} : { facts: ["state"] }),
      },
    );
  const run = (prepared: PreparedRead) => readInTime(app, app.documents(type.uid).read(prepared));
  return {
    head: columns.map(({ label }) => label),
    cellsOf: (row) => columns.map(({ textOf }) => textOf(row)),
    hasMoreThan: async (rows) => {
      const page = { start: rows, limit: 1, withCount: false };
      return (await run(prepare(ID, { sort: NEWEST_FIRST, pagination: page }))).rows().length > 0;
    },
    read: async (cursor) => {
      const { sort = NEWEST_FIRST } = request.query;
      const result = await run(prepare(list.selection, { sort, pagination: { cursor, pageSize: size } }));
      return { rows: result.rows().map(list.shape), next: result.nextCursor ?? undefined };
    },
  };
}

/** One column of a file. */
interface Column {
  readonly label: string;
  readonly textOf: (row: Entry) => string;
}

/** The id first, by which a row is found again, then the columns of the list, with their labels. */
function columnsOf(app: App, type: ContentType, names: readonly string[]): readonly Column[] {
  const labels = app.service(modelViews).find(type.uid)?.attributes ?? {};
  const own = names.filter((name) => type.attributes.has(name));
  const system = (name: string): Column => ({ label: name, textOf: (row) => cellText(undefined, row[name]) });
  return [
    system("documentId"),
    ...own.map((name) => ({
      label: labels[name]?.label ?? name,
      textOf: (row: Entry) => cellText(type.attributes.get(name)?.kind, row[name]),
    })),
    ...(type.hasDrafts ? [{ label: "state", textOf: ({ _facts }: Entry) => _facts.state }] : []),
    ...(type.isLocalized ? [system("locale")] : []),
    system("updatedAt"),
  ];
}
