import type { Knex } from "knex";
import type { SessionOptions } from "./config.js";
import type { DatabaseLog } from "./database.js";
import { logSlow } from "./observed-statements.js";
import { SlowStatements } from "./slow-statements.js";

/** Logs the slow statements of a driver. @returns the driver */
export function watchSlow<D extends { readonly knex: Knex }>(
  driver: D,
  node: string,
  { slowStatement = 500 }: SessionOptions,
  log: DatabaseLog,
): D {
  if (slowStatement > 0) logSlow(driver.knex, new SlowStatements(slowStatement, log, node));
  return driver;
}
