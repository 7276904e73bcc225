import type { Statement } from "../driver/database.js";
import { type Layout, tableOf } from "../layout/layout.js";
import { identifier } from "../sql/sql.js";

/** What is looked up of one type. */
export interface NamedTargets {
  readonly documentIds: ReadonlySet<string>;
  readonly rowIds: ReadonlySet<number>;
}

/** A row that was looked up. */
export interface TargetRow {
  /** Place of its type among those that are looked up. */
  readonly part: number;
  readonly id: string;
  readonly document: string;
}

/** Greater numbers cannot be row ids, and would not fit the parameter's type. */
const MAX_ROW_ID = Number.MAX_SAFE_INTEGER;

/**
 * The statement that finds rows of documents by type, as TargetRow. A transaction that deletes a found document waits
 * until this one has ended, and then removes its links as well.
 */
export function findTargets(
  layout: Layout,
  named: readonly (readonly [uid: string, names: NamedTargets])[],
): Statement {
  const values: unknown[] = [];
  const parts = named.map(([uid, { documentIds, rowIds }], part) => {
    const parameter = (value: unknown, type: string) => `any($${values.push(value)}::${type}[])`;
    const conditions = [`document_id = ${parameter([...documentIds], "text")}`];
    const ids = [...rowIds].filter((id) => id > 0 && id <= MAX_ROW_ID);
    if (ids.length > 0) conditions.push(`id = ${parameter(ids, "int8")}`);
    const table = identifier(tableOf(layout, uid).type.table);
    const rows = `select ${part} as part, id::text as id, document_id as document from ${table} where ${conditions.join(" or ")}`;
    return `select * from (${rows} for key share) p${part}`;
  });
  return { text: parts.join(" union all "), values, isPlan: true };
}

/** The statement that finds files and their MIME types, which are in `mimeColumn`: `$1` document ids, `$2` row ids. */
export const findFilesSql = (table: string, mimeColumn: string): string =>
  `select id::text as id, document_id as "documentId", ${identifier(mimeColumn)} as mime from ${identifier(table)} where document_id = any($1::text[]) or id = any($2::int8[])`;
