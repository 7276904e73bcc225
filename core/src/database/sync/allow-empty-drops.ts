import { identifier } from "../sql/sql.js";
import type { Database } from "../driver/database.js";
import type { SyncStep } from "./step.js";
import type { TableMatch } from "./table-match.js";

/**
 * Allows steps that would lose content where there is none: an attribute that was added and never filled, a
 * content-type without documents. Asks the tables, one statement for each such step.
 *
 * @returns the steps, those without a loss no longer marked as destructive; they check again when they run.
 */
export async function allowEmptyDrops(
  db: Database,
  steps: readonly SyncStep[],
  matches: readonly TableMatch[],
): Promise<readonly SyncStep[]> {
  const checked: SyncStep[] = [];
  for (const step of steps) checked.push(await allowIfEmpty(db, step, matches));
  return checked;
}

async function allowIfEmpty(db: Database, step: SyncStep, matches: readonly TableMatch[]): Promise<SyncStep> {
  const content = step.isDestructive ? contentOf(step) : undefined;
  if (content === undefined) return step;
  const match = matches.find(({ spec }) => spec.table === step.table || spec.links === step.table);
  const now = match?.spec.links === step.table ? match?.old?.links : match?.oldTable;
  const rows = await db.query({
    text: `select 1 from ${identifier(now ?? step.table)} where ${content} limit 1`,
    values: [],
  });
  if (rows.length > 0) return step;
  return {
    ...step,
    ...undoOf(step, match),
    sql: [...guard(step.table, content), ...step.sql],
    isDestructive: false,
    why: `${step.why}; it is empty`,
  };
}

/** The condition that finds what a step would lose; undefined for steps that rewrite content. */
function contentOf({ kind, column, attributeCode }: SyncStep): string | undefined {
  if (kind === "drop column") return `${identifier(column ?? "")} is not null`;
  if (kind === "drop table") return "true";
  return kind === "delete links" && attributeCode !== undefined ? `attribute = ${attributeCode}` : undefined;
}

/** An empty column is made again by its type; a table that is gone would need its whole definition. */
function undoOf({ kind, table, column = "" }: SyncStep, match: TableMatch | undefined): Pick<SyncStep, "undo"> {
  if (kind === "delete links") return { undo: [] };
  const type = kind === "drop column" ? match?.columns?.get(column) : undefined;
  return type === undefined
    ? {}
    : { undo: [`alter table ${identifier(table)} add column ${identifier(column)} ${type}`] };
}

/** The table is locked against writes from the check to the end of the transaction. */
function guard(table: string, content: string): readonly string[] {
  const t = identifier(table);
  return [
    `lock table ${t} in access exclusive mode`,
    `do $guard$ begin if exists (select 1 from ${t} where ${content}) then raise exception 'it has content by now'; end if; end $guard$`,
  ];
}
