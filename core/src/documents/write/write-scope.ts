import type { Database } from "../../database/driver/database.js";
import type { Layout } from "../../database/layout/layout.js";
import type { ComponentIds } from "../../database/writes/component-sql.js";
import type { UnitOfWork } from "../../database/writes/unit-of-work.js";
import type { RowRules } from "./row-rules.js";
import type { WritePlan } from "../../database/writes/write-plan.js";

/** A row that goes, or went, into the published rows: what to look at when a unique index refuses it. */
export interface Attempt {
  readonly plan: WritePlan;
  readonly documentId: string;
  readonly locale: string;
  /** By attribute name, in wire form. */
  readonly content: Readonly<Record<string, unknown>>;
  /** Names of uids that the server generated: where one is taken, the write runs again and finds another. */
  readonly generated: ReadonlySet<string>;
}

/** What the steps of one run of one write share. */
export interface WriteScope {
  readonly db: Database;
  /** Sends writes along with the next statement. */
  readonly unit: UnitOfWork;
  readonly layout: Layout;
  readonly componentIds: ComponentIds;
  /** Which rows the actor reaches. */
  readonly rules: RowRules;
  /** Locale of the request, else the default one: where links of localised owners are written. */
  readonly locale: string;
  /** Time of the write in milliseconds since 1970; later than every change of the document before it. */
  readonly now: number;
  /** Row id of who writes; null where that is not known. */
  readonly author: number | null;
  /** Grows as rows are written. */
  readonly attempts: Attempt[];
  /** Grows as uids are generated. */
  readonly generated: Set<string>;
}
