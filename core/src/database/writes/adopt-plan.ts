import type { ContentType } from "../../schema/model.js";
import { type Layout, tableOf } from "../layout/layout.js";
import { pointersTo } from "../layout/pointers.js";
import { identifier } from "../sql/sql.js";

/** Statements that give documents of a content-type other document ids. */
export interface AdoptPlan {
  readonly type: ContentType;
  /**
   * `$1` document id, then the values of the columns as texts: `document_id` of the document that has them, and
   * `is_as_made` where it has not been changed since; none when the first id is taken.
   */
  find(columns: readonly string[]): string;
  /** `$1` new document id, `$2` the one before: the document itself and what leads to it. */
  readonly rename: readonly string[];
}

/** Plans for one type; undefined where components may lead to it, whose JSON holds ids. @throws PLINTH_LAYOUT_MISSING (500) */
export function planAdoption(layout: Layout, uid: string): AdoptPlan | undefined {
  const { type } = tableOf(layout, uid);
  const pointers = pointersTo(layout, type);
  if (pointers.some(({ links }) => links.some(({ relation }) => relation.storage === "embedded"))) return undefined;
  const table = identifier(type.table);
  const referring = pointers.flatMap(({ table: from, columns, links }) => [
    ...columns
      .filter(({ isPolymorphic }) => !isPolymorphic)
      .map(({ column }) => renameIn(from.type.table, column ?? "")),
    ...links
      .filter(({ relation }) => !relation.isPolymorphic)
      .map(({ code }) => `${renameIn(from.links ?? "", "target")} and attribute = ${code}`),
  ]);
  return {
    type,
    find: (columns) =>
      [
        `select t.document_id, t.updated_at - t.created_at < interval '1 second' as is_as_made from ${table} t where`,
        columns.map((column, index) => `t.${identifier(column)}::text = $${index + 2} and`).join(" "),
        `not exists (select from ${table} o where o.document_id = $1) limit 1`,
      ].join(" "),
    rename: [renameIn(type.table, "document_id"), ...referring],
  };
}

function renameIn(table: string, column: string): string {
  return `update ${identifier(table)} set ${identifier(column)} = $1 where ${identifier(column)} = $2`;
}
