import { findTracer, traceStatements } from "../base/tracing.js";
import type { Database } from "../database/driver/database.js";

/** Makes spans of the statements of an app, where traces are made. @returns ends it */
export function traceDatabase(db: Database): (() => void) | undefined {
  const tracer = findTracer();
  if (!tracer) return undefined;
  const nodes = new Map<object, string>([[db.knex, "primary"]]);
  for (const { knex } of db.replicas?.pools ?? []) nodes.set(knex, "replica");
  return traceStatements(tracer, (pool) => nodes.get(pool));
}
