/** Whether Citus has the tables of an app on its workers. */
import type { Database, DatabaseLog } from "./database.js";
import { literal } from "../sql/sql.js";
import { CitusLocalError } from "./errors.js";

/** Where the tables of a schema are. */
export type CitusPlace =
  /** On a worker, or where Citus moves them to. */
  | "distributed"
  /** On the coordinator, as those of any other database. */
  | "local"
  /** The database does not have the extension, or a version before 12. */
  | "no schemas";

const HAS_SCHEMAS = "select to_regclass('pg_catalog.pg_dist_schema') is not null as has_schemas";
const IS_DISTRIBUTED =
  "select exists (select from pg_dist_schema where schemaid = current_schema()::regnamespace) as is_distributed";

/** Where Citus has the tables of the current schema. */
export async function citusPlaceOf(db: Pick<Database, "query">): Promise<CitusPlace> {
  const [engine] = await db.query<{ has_schemas: boolean }>({ text: HAS_SCHEMAS, values: [] });
  if (!engine?.has_schemas) return "no schemas";
  const [schema] = await db.query<{ is_distributed: boolean }>({ text: IS_DISTRIBUTED, values: [] });
  return schema?.is_distributed ? "distributed" : "local";
}

/** What to do about a schema that is on the coordinator alone. */
export const adviceForLocal = (schema: string): string =>
  schema === "public"
    ? "Name a `schema` of the app's own in config/database."
    : `Run select citus_schema_distribute(${literal(schema)}).`;

/**
 * Checks that a schema is on the workers, before it gets tables. One that is not works as it does without Citus, so it is
 * refused only where the configuration asks for Citus.
 *
 * @param isAsked - the configuration says `engine: "citus"`.
 * @throws PLINTH_DATABASE_CITUS_LOCAL (500) details `{ schema }`
 */
export async function assertDistributed(db: Database, log: DatabaseLog, isAsked: boolean): Promise<void> {
  if (db.engine !== "citus" || (await citusPlaceOf(db)) !== "local") return;
  const [current] = await db.query<{ schema: string }>({ text: "select current_schema() as schema", values: [] });
  const schema = current?.schema ?? "";
  const error = new CitusLocalError({ schema, advice: adviceForLocal(schema) });
  if (isAsked) throw error;
  log.warn({ code: error.code }, error.message);
}
