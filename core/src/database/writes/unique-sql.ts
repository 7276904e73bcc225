import { identifier, literal } from "../sql/sql.js";
import { isGenerated } from "../../schema/attribute.js";
import type { ContentType, ScalarAttribute } from "../../schema/model.js";

/**
 * The statement that says which unique attributes of a refused row another document holds: `$1` row as JSON by column,
 * `$2` locale, `$3` document id. It runs only after an index has refused the row, to list all conflicts at once.
 */
export function planConflicts(type: ContentType, uniques: readonly ScalarAttribute[]): string | undefined {
  if (uniques.length === 0) return undefined;
  const table = identifier(type.table);
  const checks = uniques.map(({ name, column }) => {
    const held = `t.${identifier(column)} = r.${identifier(column)}`;
    return `select ${literal(name)} as name from r where exists (select 1 from ${table} t where ${held} and t.locale = $2 and t.published_at is not null and t.document_id <> $3)`;
  });
  return `with r as (select * from jsonb_populate_record(null::${table}, $1::jsonb)) ${checks.join(" union all ")}`;
}

/** The statement that finds which of several values a uid attribute has in other documents: `$1` values, `$2` locale, `$3` document id. */
export function planTakenUids(table: string, attributes: readonly ScalarAttribute[]): ReadonlyMap<string, string> {
  return new Map(
    attributes.filter(isGenerated).map(({ name, column }) => {
      const value = identifier(column);
      const text = `select ${value} as value from ${identifier(table)} where ${value} = any($1::text[]) and locale = $2 and document_id <> $3`;
      return [name, text];
    }),
  );
}
