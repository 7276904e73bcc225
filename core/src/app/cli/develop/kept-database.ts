import { isDeepStrictEqual } from "node:util";
import { borrowDatabase } from "../../../database/borrow-database.js";
import { connectDatabase, type DatabaseConfig } from "../../../database/connect.js";
import type { Database, DatabaseLog } from "../../../database/database.js";

/** One database for all versions of an app, open from the first to the last: only one connection can have the embedded one. */
export class KeptDatabase {
  #config: DatabaseConfig | undefined;
  #database: Database | undefined;

  /** Whether an app of this configuration can have it. */
  fits(config: DatabaseConfig): boolean {
    return this.#database === undefined || isDeepStrictEqual(config, this.#config);
  }

  /** Opens it at the first time. What is returned need not be closed. @throws as connectDatabase does */
  readonly connect = async (config: DatabaseConfig, log: DatabaseLog): Promise<Database> => {
    this.#database ??= await connectDatabase(config, log);
    this.#config = config;
    return borrowDatabase(this.#database);
  };

  async close(): Promise<void> {
    await this.#database?.close();
  }
}
