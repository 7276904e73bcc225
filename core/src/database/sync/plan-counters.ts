import type { ContentModel } from "../../schema/model.js";
import {
  ATTEMPTS,
  ATTEMPTS_SQL,
  COMPONENT_IDS,
  COMPONENT_UNIQUES,
  COMPONENT_UNIQUES_IDENTITY,
  COMPONENT_UNIQUES_SQL,
} from "../layout/counters.js";
import type { Engine } from "../driver/engine.js";
import { identitySql } from "../layout/index-spec.js";
import type { TableLayout } from "../layout/layout.js";
import {
  DELTAS,
  FORMER_COUNTS,
  foldSql,
  recountSql,
  REPLACE_COUNTS_SQL,
  TOTALS_FUNCTIONS,
  TOTALS_TABLES,
  TRIGGER_FUNCTIONS,
} from "../layout/totals.js";
import { FOLD_COLLATION, identifier } from "../sql/sql.js";
import type { DatabaseState } from "./introspect.js";
import { MODELS_SQL, MODELS_TABLE } from "./model-history.js";
import { PROCESSES_SQL, PROCESSES_TABLE } from "./processes.js";
import { SNAPSHOT_TABLE } from "./snapshot.js";
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
  const step = (name: string, sql: readonly string[]): SyncStep => ({
    kind: "create counter",
    table: name,
    sql,
    // Counting what an earlier version does not ask for is harmless.
    undo: [],
    isDestructive: false,
    why,
  });
  const isCounted = (name: string | undefined) => name !== undefined && state.triggers.has(`${name}.${LAST_TRIGGER}`);
  const steps: SyncStep[] = [];
  if (!isCounted(oldTable))
    steps.push(step(table, [...createTriggers(table, "plinth_count_rows", ROWS), recountSql(table)]));
  if (links !== undefined && !isCounted(links) && !isCounted(old?.links))
    steps.push(step(links, createTriggers(links, "plinth_count_changes", CHANGES)));
  return steps;
}

function createTriggers(table: string, run: string, rows: Readonly<Record<Event, string>>): readonly string[] {
  return EVENTS.map(
    (event) =>
      `create trigger plinth_count_${event} after ${event} on ${identifier(table)} ${rows[event]}for each statement execute function ${run}()`,
  );
}

/** The snapshot is `json`, not `jsonb`: its hash needs the order of its keys. */
const SNAPSHOT_SQL = [
  `create table ${SNAPSHOT_TABLE} (only_row boolean primary key default true check (only_row)`,
  "snapshot json not null, hash text not null, applied_at timestamptz(3) not null)",
].join(", ");

/** Steps for the tables of plugins. One that is no longer asked for stays: it may hold work that is not done. */
export const planPluginTables = ({ tables }: DatabaseState, { tables: wanted }: ContentModel): readonly SyncStep[] =>
  wanted
    .filter(({ name }) => !tables.has(name))
    .map(({ name, sql }) => ({
      ...{
        kind: "create table",
        table: name,
        sql,
        undo: [],
        isDestructive: false,
        why: "a plugin keeps its own in it",
      },
    }));

/** Tables whose rows a crash of the server may take. */
const UNLOGGED_TABLES: readonly (readonly [string, readonly string[]])[] = [
  [PROCESSES_TABLE, [PROCESSES_SQL]],
  [ATTEMPTS, ATTEMPTS_SQL],
];

/** Citus moves a schema to another worker by its log, and refuses where one of its tables has none. */
const asLogged = (text: string): string => text.replace("create unlogged table", "create table");

const setLogged = (table: string): SyncStep => ({
  ...{ kind: "set logged", table, isDestructive: false, undo: [] },
  sql: [`alter table ${identifier(table)} set logged`],
  why: "Citus does not move a schema to another worker that has a table without a log",
});

/** Steps for what every database needs, with any content model. */
export function planFoundation(state: DatabaseState, engine: Engine): readonly SyncStep[] {
  const steps: SyncStep[] = [];
  const missing = (kind: SyncStep["kind"], table: string, ...sql: readonly string[]): void => {
    steps.push({ kind, table, sql, undo: [], isDestructive: false, why: "every Plinth database has it" });
  };
  if (!state.hasFoldCollation)
    missing(
      "create collation",
      FOLD_COLLATION,
      `create collation ${FOLD_COLLATION} from ${identifier(state.foldSources[0] ?? "C")}`,
    );
  if (!state.sequences.has(COMPONENT_IDS))
    missing("create sequence", COMPONENT_IDS, `create sequence ${COMPONENT_IDS} increment by 100`);
  if (!state.tables.has(COMPONENT_UNIQUES)) missing("create table", COMPONENT_UNIQUES, ...COMPONENT_UNIQUES_SQL);
  if (!state.tables.has(SNAPSHOT_TABLE)) missing("create table", SNAPSHOT_TABLE, SNAPSHOT_SQL);
  if (!state.tables.has(MODELS_TABLE)) missing("create table", MODELS_TABLE, MODELS_SQL);
  for (const [name, sql] of UNLOGGED_TABLES) {
    if (!state.tables.has(name)) missing("create table", name, ...(engine === "citus" ? sql.map(asLogged) : sql));
    else if (engine === "citus" && state.unlogged.has(name)) steps.push(setLogged(name));
  }
  if (!state.identities.has(COMPONENT_UNIQUES_IDENTITY))
    missing("set identity", COMPONENT_UNIQUES, identitySql(COMPONENT_UNIQUES, COMPONENT_UNIQUES_IDENTITY));
  for (const { name, sql } of TOTALS_TABLES) if (!state.tables.has(name)) missing("create table", name, ...sql);
  if (engine === "citus") return [...steps, ...dropTriggers(state)];
  if (state.tables.has(FORMER_COUNTS)) missing("create counter", FORMER_COUNTS, ...REPLACE_COUNTS_SQL);
  else
    for (const { name, sql } of TOTALS_FUNCTIONS) if (!state.functions.has(name)) missing("create function", name, sql);
  for (const table of state.foreignTotals) missing("create counter", table, foldSql(table));
  return steps;
}

/** Who writes notes changes on an engine without triggers: with those of before, they would be noted twice. */
function dropTriggers({ functions }: DatabaseState): readonly SyncStep[] {
  const found = TRIGGER_FUNCTIONS.filter((name) => functions.has(name));
  if (found.length === 0) return [];
  const sql = found.map((name) => `drop function ${name}() cascade`);
  const why = "Citus has no triggers of statements: writes note what they change";
  return [{ kind: "drop counters", table: DELTAS, sql, isDestructive: false, why }];
}

/** The place of each content-type in the database, old codes kept, by uid. */
export function buildLayouts(matches: readonly TableMatch[], model: ContentModel): ReadonlyMap<string, TableLayout> {
  return new Map(
    matches.map((match) => {
      const { type, table, links } = match.spec;
      return [type.uid, { type, table, links, codes: giveCodes(match, model) }];
    }),
  );
}

/** Renamed attributes keep their code, new ones get the next, and codes of removed ones are not given again. */
function giveCodes({ spec, old, attributes }: TableMatch, model: ContentModel): ReadonlyMap<string, number> {
  const codes = new Map(Object.entries(old?.codes ?? {}));
  let last = Math.max(0, ...codes.values());
  for (const key of spec.linkKeys) {
    const formerKey = attributes.find(({ name }) => name === key)?.oldName ?? formerEmbeddedKey(key, model);
    const former = codes.get(formerKey);
    if (codes.has(key)) continue;
    if (former !== undefined) codes.delete(formerKey);
    codes.set(key, former ?? ++last);
  }
  return codes;
}

/** `shared.link#target` was `shared.link#to` when the component declares the rename. */
function formerEmbeddedKey(key: string, model: ContentModel): string {
  const [uid = "", name = ""] = key.split("#");
  const renamedFrom = model.components.get(uid)?.attributes.get(name)?.renamedFrom;
  return renamedFrom === undefined ? key : `${uid}#${renamedFrom}`;
}
