import { identifier } from "../compiler/sql.js";
import { FOLD_COLLATION } from "../case-insensitive.js";
import { COUNTER_PARTS } from "./counters.js";
import type { DatabaseState } from "./introspect.js";
import { SNAPSHOT_TABLE } from "./snapshot.js";
import type { SyncStep } from "./step.js";

/** Sequence of the ids of components; a process takes 100 of them at a time: `nextval` up to `nextval + 99`. */
export const COMPONENT_IDS = "plinth_component_ids";

/**
 * Table that keeps unique attributes inside components unique, one row per published value: `type` (uid of the owner),
 * `path` (of the attribute: `seo.slug`), `locale`, `hash` (of the value), `document_id`.
 * Unique (type, path, locale, hash); index (type, document_id).
 */
export const COMPONENT_UNIQUES = "plinth_component_uniques";

const COMPONENT_UNIQUES_SQL = [
  `create table ${COMPONENT_UNIQUES} (type text not null, path text not null, locale text not null default '', hash text not null, document_id text not null)`,
  `create unique index ${COMPONENT_UNIQUES}_value on ${COMPONENT_UNIQUES} (type, path, locale, hash)`,
  `create index ${COMPONENT_UNIQUES}_document on ${COMPONENT_UNIQUES} (type, document_id)`,
].join("; ");

/**
 * Table of what is counted against guessing, in fixed intervals: `key` (a hash), `value`, `ends_at`. Unlogged: after a
 * crash of the server counting starts anew.
 */
export const ATTEMPTS = "plinth_attempts";

const ATTEMPTS_SQL = [
  `create unlogged table ${ATTEMPTS} (key text primary key, value bigint not null, ends_at timestamptz not null) with (fillfactor = 70)`,
  `create index ${ATTEMPTS}_end on ${ATTEMPTS} (ends_at)`,
].join("; ");

/** The snapshot is `json`, not `jsonb`: its hash needs the order of its keys. */
const SNAPSHOT_SQL = [
  `create table ${SNAPSHOT_TABLE} (only_row boolean primary key default true check (only_row)`,
  "snapshot json not null, hash text not null, applied_at timestamptz(3) not null)",
].join(", ");

/** Steps for what every database needs, whatever its content model is. */
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
