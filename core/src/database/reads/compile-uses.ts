import { type Pointers, pointersTo } from "../layout/pointers.js";
import { tableOf } from "../layout/layout.js";
import type { MorphPopulate } from "./query.js";
import type { ContentType } from "../../schema/model.js";
import { compileFilter, compileVisible } from "./compile-filter.js";
import { type Compilation, type Scope, tableScope, versionCondition } from "./relation-join.js";
import { allOf, identifier, literal, newAlias, readTable } from "../sql/sql.js";

/** Makes the reference to a document, of its type, its document id and its locale, each as SQL. */
type Reference = (type: string, document: string, locale: string) => string;

/**
 * The documents that link to the current one, from any attribute, as a JSON list of references: each version once,
 * of the status that is read, in the locale of its own. What the caller may not see is left out, so that a limit
 * counts what they see.
 */
export function compileUses(
  compilation: Compilation,
  scope: Scope,
  populate: MorphPopulate,
  reference: Reference,
): string {
  const parts = populate.items.flatMap((item) => usesIn(compilation, scope, item) ?? []);
  if (parts.length === 0) return "'[]'::json";
  const use = newAlias();
  const item = reference(`${use}.uid`, `${use}.document_id`, `${use}.locale`);
  const uses = `(${parts.join(" union all ")}) ${use}`;
  const first =
    populate.most === undefined ? uses : `(select * from ${uses} order by uid, id limit ${populate.most}) ${use}`;
  return `(select coalesce(json_agg(${item} order by ${use}.uid, ${use}.id), '[]'::json) from ${first})`;
}

/** The rows of one type that link to the document; undefined where it has no attribute that could. */
function usesIn(compilation: Compilation, scope: Scope, item: MorphPopulate["items"][number]): string | undefined {
  const { layout, status } = compilation;
  const { type, table } = tableOf(layout, item.type);
  const target = scope.holder.type;
  const known = pointersTo(layout, target).find(({ table: holder }) => holder.type.uid === type.uid);
  const pointers = known && withoutHidden(known, item.hiddenLinks);
  if (!pointers) return undefined;
  const alias = newAlias();
  const row = tableScope(compilation, type, alias, status);
  const conditions = [
    `${alias}.id in (${rowsOf(pointers, target, `${scope.row.alias}.document_id`)})`,
    versionCondition(compilation, { type, alias }, { status, locales: undefined }),
    compileVisible(compilation, row, item.visible),
    ...(item.filter ? [compileFilter(compilation, row, item.filter)] : []),
  ].filter((condition) => condition !== "true");
  return `select ${literal(type.uid)} as uid, ${alias}.document_id, ${alias}.locale, ${alias}.id from ${readTable(table)} ${alias} where ${allOf(conditions)}`;
}

/** What is left of the pointers of a table; undefined where nothing is. */
function withoutHidden({ table, columns, links }: Pointers, hidden: readonly string[] = []): Pointers | undefined {
  const left = {
    table,
    columns: columns.filter(({ name }) => !hidden.includes(name)),
    links: links.filter(({ key }) => !hidden.includes(key)),
  };
  return left.columns.length + left.links.length > 0 ? left : undefined;
}

/** The ids of the rows of one table that link to a document; each of its parts has an index of its own. */
function rowsOf({ table, columns, links }: Pointers, target: ContentType, document: string): string {
  const alias = newAlias();
  const byColumn = columns.map((relation) => {
    const column = `${alias}.${identifier(relation.column ?? "")}`;
    const isOfType = relation.isPolymorphic
      ? ` and ${alias}.${identifier(`${relation.column}_type`)} = ${literal(target.uid)}`
      : "";
    return `select ${alias}.id from ${readTable(table.table)} ${alias} where ${column} = ${document}${isOfType}`;
  });
  const byLink = links.map(
    ({ code, relation }) =>
      `select ${alias}.source from ${readTable(table.links ?? "")} ${alias} where ${alias}.target = ${document} and ${alias}.attribute = ${code} and ${alias}.target_type = ${literal(relation.isPolymorphic ? target.uid : "")}`,
  );
  return [...byColumn, ...byLink].join(" union all ");
}
