import parseConnectionString from "pg-connection-string";
import type { ClientConfig } from "pg";
import * as v from "@plinth/core/valibot";
import { identifier } from "../sql/sql.js";
import { type SessionOptions, sessionOptions } from "./config.js";
import type { Engine } from "./engine.js";

/** Settings of a session by their names, with the values as `pg_settings` has them: times in milliseconds. */
export type SessionSettings = Readonly<Record<string, string>>;

const defaults = v.getDefaults(v.object(sessionOptions));

/** Milliseconds after which a transaction is ended in which the app does nothing: it holds locks that others wait for. */
const IDLE_IN_TRANSACTION = 60_000;

/** Milliseconds that the config gives a statement; 0 for no limit. */
export function statementTimeoutOf({ statementTimeout = defaults.statementTimeout }: SessionOptions): number {
  return Math.max(0, Math.trunc(statementTimeout));
}

/**
 * What every session of the app has to have set.
 *
 * @source core/decisions/0007-prepared-statements-by-name.md, a plan for all parameters saves 1.4 ms a call with
 *   `limit $1`. Citus plans by the values: with a generic plan it "could not create distributed plan".
 */
export function sessionSettings(session: SessionOptions & { readonly engine?: Engine | undefined }): SessionSettings {
  const { schema } = session;
  return {
    timezone: "UTC",
    datestyle: "ISO, YMD",
    intervalstyle: "postgres",
    plan_cache_mode: session.engine === "citus" ? "auto" : "force_generic_plan",
    // Compiling a statement takes longer than these short ones run: 15 ms a request became 2.
    jit: "off",
    // A generic plan prices `limit $n` as a tenth of the rows and then starts workers: 18 ms a page became 1.2.
    max_parallel_workers_per_gather: "0",
    // Content is mostly in memory; at the default of 4 PostgreSQL reads whole tables for a few rows of them.
    random_page_cost: "1.1",
    statement_timeout: String(statementTimeoutOf(session)),
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION),
    ...(schema === undefined ? {} : { search_path: identifier(schema) }),
  };
}

/**
 * The settings as the `options` of a startup packet: they are part of the connection, so that a pooler either keeps
 * track of them or refuses it. What is SET later stays in a session that a pooler hands to somebody else.
 *
 * @source https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNECT-OPTIONS
 */
export function startupOptions(settings: SessionSettings): string {
  const escaped = (value: string): string => value.replaceAll(/[\\\s]/g, "\\$&");
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${escaped(value)}`)
    .join(" ");
}

/** A client that asks for settings with its connection, after those that its address asks for. */
export function withSettings({ connectionString, ...client }: ClientConfig, settings: SessionSettings): ClientConfig {
  // The client would have `options` of the URL replace ours.
  const parsed = connectionString === undefined ? {} : parseConnectionString.parse(connectionString);
  const whole = { ...client, ...(parsed as object) } as ClientConfig;
  return { ...whole, options: [whole.options, startupOptions(settings)].filter(Boolean).join(" ") };
}

/** The settings as statements, for a session of one client: that of the embedded database. */
export const setStatements = (settings: SessionSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${literalOf(name, value)}`)
    .join("; ");

/** A search path is a list of names, and quoted it would be one name. */
const literalOf = (name: string, value: string): string =>
  name === "search_path" ? value : `'${value.replaceAll("'", "''")}'`;

/** The statements that give the settings to a role in one database, for poolers that pass none on. */
export function roleStatements(settings: SessionSettings, role: string, database: string): readonly string[] {
  const who = `alter role ${identifier(role)} in database ${identifier(database)}`;
  return Object.entries(settings).map(([name, value]) => `${who} set ${name} = ${literalOf(name, value)}`);
}

/** A setting that a session has otherwise. */
export interface SettingDifference {
  readonly name: string;
  readonly expected: string;
  readonly found: string;
}

/** The statement that reads settings back; its rows are `{ name, value }`. */
export const readSettings = (names: readonly string[]) => ({
  text: "select lower(name) as name, setting as value from pg_catalog.pg_settings where lower(name) = any($1)",
  values: [names],
});

/** What a session has otherwise than it has to be. @param rows - of `readSettings` */
export function differencesOf(
  expected: SessionSettings,
  rows: readonly { readonly name: string; readonly value: string }[],
): readonly SettingDifference[] {
  const found = new Map(rows.map(({ name, value }) => [name, value]));
  return Object.entries(expected)
    .map(([name, value]) => ({ name, expected: value, found: found.get(name) ?? "" }))
    .filter((each) => plain(each.expected) !== plain(each.found));
}

/** `"blog"` and `blog` are one search path. */
const plain = (value: string): string => value.replaceAll(/["\s]/g, "").toLowerCase();
