import { recountSql } from "../layout/counters.js";
import { identifier } from "../sql/sql.js";
import type { DatabaseState } from "./introspect.js";
import type { SyncStep } from "./step.js";
import type { TableMatch } from "./table-match.js";

/** The last one that is made: where it is, the others are. */
const LAST_TRIGGER = "plinth_count_truncate";

type Event = "insert" | "update" | "delete" | "truncate";
const EVENTS: readonly Event[] = ["insert", "update", "delete", "truncate"];
const ROWS: Readonly<Record<Event, string>> = {
  insert: "referencing new table as added ",
  update: "referencing new table as added old table as removed ",
  delete: "referencing old table as removed ",
  truncate: "",
};
const CHANGES: Readonly<Record<Event, string>> = {
  insert: "referencing new table as changed ",
  update: "referencing new table as changed ",
  delete: "referencing old table as changed ",
  truncate: "",
};

/** Steps that let the tables of a content-type be counted from now on, beginning with what is in them. */
export function planCounters({ spec, old, oldTable }: TableMatch, state: DatabaseState): readonly SyncStep[] {
  const { table, links, type } = spec;
  const why = `totals of ${type.uid} are kept`;
  const step = (name: string, sql: string): SyncStep => ({
    kind: "create counter",
    table: name,
    sql,
    // Counting what an earlier version does not ask for is harmless.
    undo: "",
    isDestructive: false,
    why,
  });
  const isCounted = (name: string | undefined) => name !== undefined && state.triggers.has(`${name}.${LAST_TRIGGER}`);
  const steps: SyncStep[] = [];
  if (!isCounted(oldTable))
    steps.push(step(table, `${createTriggers(table, "plinth_count_rows", ROWS)}; ${recountSql(table)}`));
  if (links !== undefined && !isCounted(links) && !isCounted(old?.links))
    steps.push(step(links, createTriggers(links, "plinth_count_changes", CHANGES)));
  return steps;
}

function createTriggers(table: string, run: string, rows: Readonly<Record<Event, string>>): string {
  const created = EVENTS.map(
    (event) =>
      `create trigger plinth_count_${event} after ${event} on ${identifier(table)} ${rows[event]}for each statement execute function ${run}()`,
  );
  return created.join("; ");
}
