import type { Knex } from "knex";
import type { PlinthError } from "../../base/error.js";
import { SessionDiffersError } from "./errors.js";
import type { DatabaseLog } from "./database.js";
import type { Driver } from "./driver.js";
import { acquireFirst, releaseConnection } from "./knex-internals.js";
import { differencesOf, readSettings, type SettingDifference } from "./session-settings.js";

/** Milliseconds between two proofs, and after one that failed. */
const INTERVAL = 30_000;
const FAILED_INTERVAL = 1_000;

/**
 * Proves at the start, and now and again, that sessions of the pool have the settings that this app needs. Behind a
 * pooler they are those of the session that is handed out, and with another search path the content of one app
 * would be written among that of another.
 */
export class SessionProof {
  #fault: PlinthError | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Where tables are found without a schema in the configuration: what the first proof read. */
  #searchPath: string | undefined;

  constructor(
    private readonly driver: Driver,
    private readonly log: DatabaseLog,
  ) {}

  /** What the last proof found; while there is one, no statement is sent. */
  get fault(): PlinthError | undefined {
    return this.#fault;
  }

  /** @throws PLINTH_DATABASE_SESSION_DIFFERS (503), and what connecting throws */
  async start(): Promise<void> {
    if (this.driver.settings === undefined) return;
    const fault = await this.#prove();
    if (fault) throw fault;
    this.#proveLater(INTERVAL);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #proveLater(interval: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#proveAgain(), interval).unref();
  }

  /** Where the database cannot be asked, statements say so themselves, and what was found last holds. */
  async #proveAgain(): Promise<void> {
    const before = this.#fault;
    this.#fault = await this.#prove().catch(() => before);
    if (this.#fault && !before) this.log.warn({ err: this.#fault }, this.#fault.message);
    this.#proveLater(this.#fault ? FAILED_INTERVAL : INTERVAL);
  }

  async #prove(): Promise<PlinthError | undefined> {
    const { settings = {}, where } = this.driver;
    const rows = await this.#read([...Object.keys(settings), "search_path"]);
    const path = rows.find(({ name }) => name === "search_path")?.value ?? "";
    this.#searchPath ??= path;
    const expected = { search_path: this.#searchPath, ...settings };
    const differences: readonly SettingDifference[] = differencesOf(expected, rows);
    return differences.length === 0 ? undefined : new SessionDiffersError({ where, differences });
  }

  async #read(names: readonly string[]): Promise<readonly { readonly name: string; readonly value: string }[]> {
    const { knex }: { readonly knex: Knex } = this.driver;
    const connection = await acquireFirst(knex);
    const { text, values } = readSettings(names);
    try {
      return (await connection.query<{ name: string; value: string }>(text, values)).rows;
    } finally {
      void releaseConnection(knex, connection);
    }
  }
}
