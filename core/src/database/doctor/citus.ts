/** Examines the settings of workers of Citus, which get none from the sessions of the coordinator, and the schema. */
import type { Database } from "../driver/database.js";
import { adviceForLocal, citusPlaceOf } from "../driver/citus-schema.js";
import { sessionSettings } from "../driver/session-settings.js";
import { identifier, literal } from "../sql/sql.js";
import type { Finding } from "./finding.js";

/** The version that the tests of this build ran on, and the first that spreads schemas. */
const TESTED = "13.2";
const FIRST = 12;

/** Settings by which the app's statements are quick, with the values that its own sessions ask for. */
const QUICK = ["jit", "random_page_cost", "max_parallel_workers_per_gather"] as const;

/** The settings of one worker. */
export interface WorkerSettings {
  readonly worker: string;
  /** By their names; times in milliseconds. */
  readonly settings: Readonly<Record<string, string>>;
}

/** A cluster, as far as the app depends on it. */
export interface CitusState {
  readonly place: Awaited<ReturnType<typeof citusPlaceOf>>;
  readonly schema: string;
  /** Of the extension, such as `13.2-1`; empty without one. */
  readonly version: string;
  /** Tables without a log, in the schema. */
  readonly unlogged: readonly string[];
  /** Connections that the coordinator takes. */
  readonly connections: number;
  readonly workers: readonly WorkerSettings[];
}

const STATE = `select current_schema() as schema, current_setting('max_connections')::int as connections,
  coalesce((select extversion from pg_extension where extname = 'citus'), '') as version,
  array(select relname::text from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and relpersistence = 'u' order by relname) as unlogged`;

/** Long enough for changes of tables, which no setting of the app lets run longer there. */
const LONGEST = "30min";

const ASKED = [...QUICK, "statement_timeout", "max_connections", "max_prepared_transactions"];
const SETTINGS = `select json_object_agg(name, setting)::text from pg_settings where name in (${ASKED.map(literal).join(", ")})`;
const WORKERS = `select nodename || ':' || nodeport as worker, success as is_answered, result from run_command_on_workers(${literal(SETTINGS)}) order by 1`;

interface WorkerRow {
  readonly worker: string;
  readonly is_answered: boolean;
  readonly result: string;
}

/** Whether schema and workers are as an app on Citus needs them. */
export async function examineCitus(db: Database): Promise<readonly Finding[]> {
  const place = await citusPlaceOf(db);
  const [state] = await db.query<Omit<CitusState, "place" | "workers">>({ text: STATE, values: [] });
  const rows = place === "no schemas" ? [] : await db.query<WorkerRow>({ text: WORKERS, values: [] });
  const workers = rows
    .filter((row) => row.is_answered)
    .map(({ worker, result }) => ({ worker, settings: JSON.parse(result) as Record<string, string> }));
  const silent = rows.filter((row) => !row.is_answered).map(({ worker, result }) => silence(worker, result));
  return [...silent, ...judgeCitus({ ...(state as Omit<CitusState, "place" | "workers">), place, workers })];
}

/** The findings on a cluster. */
export function judgeCitus(state: CitusState): readonly Finding[] {
  return [...judgeSchema(state), ...state.workers.flatMap((worker) => judgeWorker(worker, state.connections))];
}

function judgeSchema({ place, schema, version, unlogged }: CitusState): readonly Finding[] {
  const findings: Finding[] = [];
  const major = Number.parseInt(version, 10);
  if (place === "no schemas")
    findings.push({
      ...{ weight: "error", kind: "citus version", where: version === "" ? "citus" : `citus ${version}` },
      what: version === "" ? "is not in this database, and config/database asks for it" : "does not spread schemas",
      advice: `Run create extension citus, version ${FIRST} or newer, or leave \`engine\` out of config/database.`,
    });
  else if (!version.startsWith(`${TESTED}-`))
    findings.push({
      ...{ weight: "hint", kind: "citus version", where: `citus ${version}` },
      what: `is ${major < Number.parseInt(TESTED, 10) ? "older" : "another"} than the version that Plinth was tested with, ${TESTED}`,
      advice: "Run plinth doctor --engine, and try your app, before you rely on it.",
    });
  if (place === "local")
    findings.push({
      ...{ weight: "warning", kind: "local schema", where: schema, what: "is on the coordinator, and not on a worker" },
      advice: adviceForLocal(schema),
    });
  return findings.concat(
    unlogged.map((table) => ({
      ...{ weight: "error", kind: "unlogged table", where: table },
      what: "has no log, so Citus refuses to move the schema to another worker",
      advice: `Run alter table ${identifier(table)} set logged.`,
    })),
  );
}

function judgeWorker({ worker, settings }: WorkerSettings, connections: number): readonly Finding[] {
  const where = `worker ${worker}`;
  const wanted = sessionSettings({ engine: "citus" });
  const wrong = QUICK.filter(
    (name) => Number(settings[name]) !== Number(wanted[name]) && settings[name] !== wanted[name],
  );
  const findings: Finding[] = [];
  if (wrong.length > 0)
    findings.push({
      ...{ weight: "warning", kind: "worker settings", where },
      what: `has ${wrong.map((name) => `${name} = ${settings[name]}`).join(", ")}, which makes large reads many times slower`,
      advice: `Run on the worker: ${wrong.map((name) => `alter system set ${name} = ${wanted[name]};`).join(" ")} select pg_reload_conf();`,
    });
  if (settings["statement_timeout"] === "0")
    findings.push({
      ...{ weight: "hint", kind: "worker settings", where },
      what: "has no statement_timeout: a statement that the coordinator has given up goes on there",
      advice: `Run on the worker: alter system set statement_timeout = '${LONGEST}'; select pg_reload_conf();`,
    });
  if (Number(settings["max_prepared_transactions"]) < connections)
    findings.push({
      ...{ weight: "warning", kind: "worker settings", where },
      what: `has max_prepared_transactions = ${settings["max_prepared_transactions"]}: changes of tables, which commit in two phases, may fail`,
      advice: `Set max_prepared_transactions to ${connections}, the max_connections of the coordinator, and restart the worker.`,
    });
  if (Number(settings["max_connections"]) < connections)
    findings.push({
      ...{ weight: "warning", kind: "too few connections", where },
      what: `takes ${settings["max_connections"]} connections, and the coordinator ${connections}: each of its sessions has one on the worker`,
      advice: "Raise max_connections of the worker.",
    });
  return findings;
}

const silence = (worker: string, reason: string): Finding => ({
  ...{ weight: "error", kind: "worker", where: `worker ${worker}`, what: `does not answer: ${reason}` },
  advice: "Start it, or look at its log: tenants whose schema is on it get 503.",
});
