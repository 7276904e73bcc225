import type { Database } from "../../database/driver/database.js";
import type { App } from "../../kernel/app.js";

/**
 * What an archive carries of a plugin's own tables: `rows/<uid>.jsonl`. A plugin adds it to the registry `archived-rows`.
 * Lines name documents by their ids; they are written when the content is there.
 */
export interface ArchivedRows {
  /** Reads what is to be carried, a line each, in the snapshot of an export. */
  read(db: Database): AsyncIterable<object>;
  /** What is wrong with a line, to complete "line 3 ..."; undefined: nothing. Asked for all lines before anything is written. */
  faultOf(app: App, line: unknown): string | undefined;
  /** Those of some lines that are not there. */
  missing(app: App, lines: readonly unknown[]): Promise<readonly unknown[]>;
  /** Writes lines that are not there, in the caller's transaction. */
  write(app: App, lines: readonly unknown[]): Promise<void>;
}

declare module "../../kernel/registries.js" {
  interface Registries {
    "archived-rows": ArchivedRows;
  }
}

/** What the name of a part is that holds rows: `rows/plugin::schedule.plans.jsonl`. */
export const ROWS_PART = /^rows\/([a-z0-9-]+::[a-z0-9-]+(?:\.[a-z0-9-]+)?)\.jsonl$/;

/** The part of rows by their uid. */
export const rowsPartOf = (uid: string): string => `rows/${uid}.jsonl`;

/** The uid of the rows of a part. */
export const rowsUidOf = (part: string): string => ROWS_PART.exec(part)?.[1] ?? "";

/** What takes the rows of a part; undefined where the app has no such plugin. */
export function rowsOf(app: App, part: string): ArchivedRows | undefined {
  const all = app.registry("archived-rows");
  return all.has(rowsUidOf(part)) ? all.get(rowsUidOf(part)) : undefined;
}
