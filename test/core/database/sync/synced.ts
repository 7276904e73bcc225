import type { Database } from "#core/database/driver/database.js";
import type { RawComponent, RawContentType } from "#core/schema/raw.js";
import { buildModel } from "#core/schema/build-model.js";
import type { SyncOptions } from "#core/database/sync/sync-database.js";
import { syncDatabase } from "#core/database/sync/sync-database.js";
import type { Layout } from "#core/database/layout/layout.js";

/** Statements of a test, and synchronisation of schemas written in it. */
export interface Synced {
  rows(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  /** Content of a document of a table: one object of the columns named. */
  sync(contentTypes: RawContentType[], components?: RawComponent[], options?: SyncOptions): Promise<Layout>;
  /** Columns of a table and their types. */
  columns(table: string): Promise<Record<string, string>>;
  /** Empties the database. */
  clear(): Promise<void>;
}

/** Tools of the tests of the synchronisation, on the database that `db` gives. */
export function synced(db: () => Database): Synced {
  const rows = (text: string, ...values: unknown[]) => db().query({ text, values });
  return {
    rows,
    sync: (contentTypes, components = [], options = {}) =>
      syncDatabase(
        db(),
        buildModel({ contentTypes, components, defaultLocale: "en", locales: ["en", "fr", "de"] }),
        options,
      ),
    async columns(table) {
      const found = await rows(
        "select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped",
        table,
      );
      return Object.fromEntries(found.map(({ name, type }) => [name, type])) as Record<string, string>;
    },
    async clear() {
      const [current] = await rows("select current_schema() as schema");
      const schema = String(current?.["schema"]);
      await rows(`drop schema ${schema} cascade`);
      await rows(`create schema ${schema}`);
    },
  };
}

/** What a promise rejects with; undefined when it does not. */
export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Options of a content-type with draft & publish. */
export const DRAFTS = { options: { draftAndPublish: true } };

/** Options of a localised content-type. */
export const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };
