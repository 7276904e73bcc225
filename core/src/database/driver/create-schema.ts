import { identifier } from "../sql/sql.js";
import type { Database } from "./database.js";

/** Makes a schema that is missing. `if not exists` does not help against a process that makes it at the same moment: one of the two would fail. */
export function createSchema(db: Database, schema: string): Promise<void> {
  return db.transaction(async () => {
    await db.query({
      text: "select pg_advisory_xact_lock(hashtextextended($1, 0))",
      values: [`plinth schema ${schema}`],
    });
    await db.query({ text: `create schema if not exists ${identifier(schema)}`, values: [] });
  });
}
