import { identifier } from "../sql/sql.js";
import { FOLD_COLLATION } from "../sql/case-insensitive.js";
import {
  ATTEMPTS,
  ATTEMPTS_SQL,
  COMPONENT_IDS,
  COMPONENT_UNIQUES,
  COMPONENT_UNIQUES_SQL,
} from "../layout/system-tables.js";
import { COUNTER_PARTS } from "../layout/counters.js";
import type { DatabaseState } from "./introspect.js";
import { SNAPSHOT_TABLE } from "./snapshot.js";
import type { SyncStep } from "./step.js";

/** The snapshot is `json`, not `jsonb`: its hash needs the order of its keys. */
const SNAPSHOT_SQL = [
  `create table ${SNAPSHOT_TABLE} (only_row boolean primary key default true check (only_row)`,
  "snapshot json not null, hash text not null, applied_at timestamptz(3) not null)",
].join(", ");

/** Steps for what every database needs, with any content model. */
export function planFoundation(state: DatabaseState): readonly SyncStep[] {
  const steps: SyncStep[] = [];
  const missing = (kind: SyncStep["kind"], table: string, sql: string): void => {
    steps.push({ kind, table, sql, undo: "", isDestructive: false, why: "every Plinth database has it" });
  };
  if (!state.hasFoldCollation)
    missing(
      "create collation",
      FOLD_COLLATION,
      `create collation ${FOLD_COLLATION} from ${identifier(state.foldSources[0] ?? "C")}`,
    );
  if (!state.sequences.has(COMPONENT_IDS))
    missing("create sequence", COMPONENT_IDS, `create sequence ${COMPONENT_IDS} increment by 100`);
  if (!state.tables.has(COMPONENT_UNIQUES)) missing("create table", COMPONENT_UNIQUES, COMPONENT_UNIQUES_SQL);
  if (!state.tables.has(SNAPSHOT_TABLE)) missing("create table", SNAPSHOT_TABLE, SNAPSHOT_SQL);
  if (!state.tables.has(ATTEMPTS)) missing("create table", ATTEMPTS, ATTEMPTS_SQL);
  const { table, functions } = COUNTER_PARTS;
  if (!state.tables.has(table.name)) missing("create table", table.name, table.sql);
  for (const { name, sql } of functions) if (!state.functions.has(name)) missing("create function", name, sql);
  return steps;
}
