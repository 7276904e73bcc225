import type { Layout } from "../layout/layout.js";
import type { Snapshot } from "./snapshot.js";

/** What a step does; the words of `plinth schema plan`. */
export type StepKind =
  | "create collation"
  | "create sequence"
  | "create function"
  | "create counter"
  | "set identity"
  | "create table"
  | "rename table"
  | "drop table"
  | "add column"
  | "rename column"
  | "change column"
  | "replace column"
  | "drop column"
  | "delete links"
  | "rewrite components"
  | "change references"
  | "add drafts"
  | "remove drafts"
  | "add locales"
  | "remove locales"
  | "share attribute"
  | "create index"
  | "drop index";

/** One change of the database, as data. */
export interface SyncStep {
  readonly kind: StepKind;
  readonly table: string;
  readonly column?: string;
  /** Of "delete links": the number that stands for the attribute in its link table. */
  readonly attributeCode?: number;
  /** Statements, separated by semicolons, without parameters: names of the schema only. */
  readonly sql: string;
  /** Loses content: refused unless data loss is allowed. */
  readonly isDestructive: boolean;
  /** The change of the content model that needs it. */
  readonly why: string;
  /**
   * Statements that undo the step when the start that ran it fails; `""` where an earlier version can ignore the
   * change. Left out where the step cannot be undone.
   */
  readonly undo?: string;
}

/** The steps from the current database to the content model. */
export interface SyncPlan {
  /** In the order in which they have to run; empty when tables and model agree. */
  readonly steps: readonly SyncStep[];
  /** What the database will hold after the steps. */
  readonly snapshot: Snapshot;
  /** What it holds now; undefined before the first synchronisation. */
  readonly known: Snapshot | undefined;
  readonly layout: Layout;
  /** Whether the tables hold something that the model lacks. */
  readonly hasMore: boolean;
  /** Nothing to do: no step, and the stored snapshot is the model's. */
  readonly isUpToDate: boolean;
}
