import { ReadTooLargeError } from "../errors.js";
import type { Shape } from "../../schema/model.js";
import type { Populate, PreparedQuery, Selection, Slot } from "./query.js";
import type { Compilation, Scope } from "./relation-join.js";
import { attributeOf } from "./row-source.js";
import { identifier, literal, parameter } from "../sql/sql.js";

/** A slot that no Query has: the most bytes that the JSON of an answer may have. */
export const MOST_BYTES: Slot = -3;

/**
 * For reads without a limit. The text of an answer is one string, and one of more than 512 MiB cannot be made.
 *
 * @source https://github.com/v8/v8/blob/main/include/v8-primitive.h, String::kMaxLength on 64 bits
 */
const LAST_RESORT = 256_000_000;

/** The most bytes that a read may return. */
export const mostBytesOf = ({ limits }: PreparedQuery): number =>
  Math.min(limits?.answerBytes ?? LAST_RESORT, LAST_RESORT);

/** Name of the whole answer where an error says which part of it is too large. */
const WHOLE = "data";

/** The message of a statement that fails for its size; the part follows. */
const SAID = "plinth: answer too large: ";
const SAID_OF = new RegExp(`"${SAID}(.*) [0-9]+"$`);

/**
 * PostgreSQL's code for a text that is not a number.
 *
 * @source https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const INVALID_TEXT = "22P02";

/** SQL of it. */
const MOST = parameter(MOST_BYTES, "int8");

/** Bytes that an entry counts beside its text: an empty one costs as well. */
const ENTRY_BYTES = 100;

/** A setting of the transaction, which adds up what a statement has made so far. */
const COUNTER = "'plinth.bytes'";

/** SQL of the entries of a list, in order. */
export interface ListRows {
  /** Selects the columns of the entries. */
  readonly rows: string;
  /** Columns with lists inside, whose entries have been counted by themselves. */
  readonly lists: readonly string[];
  /** SQL of the JSON of an entry `r`; default: an object of its columns. */
  readonly item?: string;
}

/**
 * SQL of a JSON list. Where the size of the answer is watched, what every entry adds to it is counted as it is made, at
 * all levels together, and the statement fails at the one that is too much. So no query makes more
 * than may be returned. A window function would spool its rows to the disk, and then read all of them.
 */
export function compileListOf(compilation: Compilation, { rows, lists, item = "row_to_json(r)" }: ListRows): string {
  if (!compilation.isWatched) return `(select coalesce(json_agg(${item}), '[]'::json) from (${rows}) r)`;
  const { path = [] } = compilation;
  const counted = lists.map((key) => `coalesce(pg_column_size(r.${identifier(key)}), 0)`);
  const inside = counted.length > 0 ? counted.join(" + ") : "0";
  // The offsets keep PostgreSQL from putting an expression in all places where it is used.
  const items = `select ${item} as item, ${inside} as inside from (select r.* from (${rows}) r offset 0) r offset 0`;
  return `(select coalesce(json_agg(${checkEntry(path.join("."))}), '[]'::json) from (${items}) e)`;
}

/** Keys of the columns of a selection that are, or hold, lists. */
export function listsIn(compilation: Compilation, { row }: Scope, { populate }: Selection): readonly string[] {
  return populate.filter((item) => hasList(compilation, row.shape, item)).map(({ alias, field }) => alias ?? field);
}

function hasList(compilation: Compilation, shape: Shape, populate: Populate): boolean {
  if (populate.kind === "zone") return true;
  // References are no entries yet.
  if (populate.kind === "count" || populate.kind === "morph") return false;
  const hasIn = (inner: Shape | undefined) =>
    inner !== undefined && populate.selection.populate.some((item) => hasList(compilation, inner, item));
  if (populate.kind === "group") return hasIn(shape);
  const attribute = attributeOf(shape, populate.field);
  if (attribute.kind === "component")
    return attribute.repeatable || hasIn(compilation.layout.model.components.get(attribute.component));
  if (attribute.kind !== "relation" && attribute.kind !== "media") return false;
  return attribute.isMany || hasIn(compilation.layout.model.contentTypes.get(attribute.target ?? ""));
}

function checkEntry(part: string): string {
  const counted = `set_config(${COUNTER}, (current_setting(${COUNTER})::int8 + pg_column_size(e.item) - e.inside + ${ENTRY_BYTES})::text, true)::int8`;
  return `case when ${counted} > ${MOST} then to_json(${refuse(part, `current_setting(${COUNTER})`)}) else e.item end`;
}

/** SQL of the text of an answer, with which the counting begins. */
export function compileText({ isWatched }: Compilation, json: string): string {
  return isWatched ? `case when set_config(${COUNTER}, '0', true) = '0' then ${json}::text end` : `${json}::text`;
}

/** SQL of a finished text: the statement fails where it has more bytes than the answer may. @param data - a column */
export function checkText(data: string): string {
  const bytes = `octet_length(${data})`;
  return `case when ${bytes} > ${MOST} then ${refuse("", bytes)}::text else ${data} end`;
}

/** Fails whenever it is evaluated, and, because the size is part of it, not before. */
function refuse(part: string, bytes: string): string {
  return `(${literal(`${SAID}${part || WHOLE} `)} || ${bytes})::int4`;
}

/** The error of a statement that failed for its size; any other as it is. */
export function toAnswerError(error: unknown, most: number): unknown {
  if (!(error instanceof Error) || !("code" in error) || error.code !== INVALID_TEXT) return error;
  const part = SAID_OF.exec(error.message)?.[1];
  return part === undefined ? error : new ReadTooLargeError({ part, limit: most }, { cause: error });
}
