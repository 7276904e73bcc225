import type { Layout } from "../layout/layout.js";
import type { Snapshot } from "./snapshot.js";

/** What a step does; the words of `plinth schema plan`. */
export type StepKind =
  | "create collation"
  | "create sequence"
  | "create function"
  | "create counter"
  | "drop counters"
  | "set identity"
  | "set logged"
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
  /** Statements without parameters, one in each text: names of the schema only. */
  readonly sql: readonly string[];
  /** How it does most of its work beforehand, in small transactions; undefined where only the whole of it is right. */
  readonly batches?: StepBatches;
  /** Of "create index": the process may not serve before it is there. */
  readonly isUnique?: true;
  /** Loses content: refused unless data loss is allowed. */
  readonly isDestructive: boolean;
  /** Takes away what the model has no longer, or not yet, and changes nothing that it knows: may wait. */
  readonly isRemoval?: true;
  /** The change of the content model that needs it. */
  readonly why: string;
  /**
   * Statements that undo the step when the start that ran it fails; none where an earlier version can ignore the
   * change. Left out where the step cannot be undone.
   */
  readonly undo?: readonly string[];
}

/**
 * A step that goes through the documents of a table, some at a time, each batch in its own transaction. What was done is
 * found done when it is run again, and the statements of the step itself find nothing left to do, but for what others
 * wrote meanwhile. Runs before all other steps: tables and columns have the names from before.
 */
export interface StepBatches {
  readonly table: string;
  /** Statements without parameters that each transaction begins with. */
  readonly prepare: readonly string[];
  /** Statements without parameters that it ends with. */
  readonly finish: readonly string[];
  /** `$1`: ids of documents, `text[]`. */
  readonly sql: readonly string[];
}

/** The documents of a batch, in its statements. */
export const OF_BATCH = "document_id = any($1::text[])";

/**
 * When a step runs: `tables` first, in one transaction that gives up waiting for a lock soon; `indexes` while everybody
 * reads and writes; `content` rewrites what documents hold.
 */
export type StepPhase = "tables" | "indexes" | "content";

const REWRITES: ReadonlySet<StepKind> = new Set<StepKind>([
  ...(["change column", "replace column", "rewrite components", "change references"] as const),
  ...(["add drafts", "remove drafts", "add locales", "remove locales", "share attribute"] as const),
  "rename table",
  "rename column",
]);

/** The tables that a plan makes: no request reads them yet, or waits for a lock of one. */
export const createdBy = (steps: readonly SyncStep[]): ReadonlySet<string> =>
  new Set(steps.flatMap(({ kind, table }) => (kind === "create table" ? [table] : [])));

/** The phase of a step; what only takes away is no rewriting. @param created - see `createdBy` */
export function phaseOf({ kind, table, isRemoval }: SyncStep, created: ReadonlySet<string>): StepPhase {
  if (created.has(table)) return "tables";
  if (AFTER_TABLES.has(kind)) return "indexes";
  return REWRITES.has(kind) && !isRemoval ? "content" : "tables";
}

/** Why a step that rewrites content is one transaction, in the words of `plinth schema plan`; undefined: it has batches. */
export const wholeBecause = ({ kind, batches }: SyncStep): string | undefined =>
  batches ? undefined : WHOLE_BECAUSE[kind];

const OF_NAMES = "a name changes for all rows at once";
const OF_ROWS = "it decides which rows a document has, and no version could read one half of the documents";
const WHOLE_BECAUSE: Readonly<Partial<Record<StepKind, string>>> = {
  "rename table": OF_NAMES,
  "rename column": OF_NAMES,
  "change references": OF_NAMES,
  "change column": "PostgreSQL changes the type of a column for all rows at once",
  "rewrite components": "the column is new",
  "share attribute": "no two documents may have a value at any moment",
  "add drafts": OF_ROWS,
  "remove drafts": OF_ROWS,
  "add locales": OF_ROWS,
  "remove locales": OF_ROWS,
};

/** An identity of rows is an index. */
const AFTER_TABLES: ReadonlySet<StepKind> = new Set<StepKind>(["create index", "drop index", "set identity"]);

/** The lock that a step holds on its table until its phase ends, in PostgreSQL's words; undefined: none that a request notices. */
export function lockOf({ kind, table }: SyncStep, created: ReadonlySet<string>): string | undefined {
  if (created.has(table)) return undefined;
  return LOCKS[kind];
}

const LOCKS: Readonly<Partial<Record<StepKind, string>>> = {
  "create counter": "share row exclusive",
  "drop counters": "access exclusive",
  "set identity": "access exclusive",
  "set logged": "access exclusive",
  "create index": "share update exclusive",
  "drop index": "share update exclusive",
  "rename table": "access exclusive",
  "drop table": "access exclusive",
  "add column": "access exclusive",
  "rename column": "access exclusive",
  "change column": "access exclusive",
  "replace column": "access exclusive",
  "drop column": "access exclusive",
  "delete links": "row exclusive",
  "rewrite components": "row exclusive",
  "change references": "row exclusive",
  "add drafts": "row exclusive",
  "remove drafts": "row exclusive",
  "add locales": "row exclusive",
  "remove locales": "row exclusive",
  "share attribute": "row exclusive",
};

/** The steps from the current database to the content model. */
export interface SyncPlan {
  /** In the order in which they have to run; empty when tables and model agree. */
  readonly steps: readonly SyncStep[];
  /** What the database will hold after the steps. */
  readonly snapshot: Snapshot;
  /** What it holds now; undefined before the first synchronisation. */
  readonly known: Snapshot | undefined;
  /** The content model by a short name, with any history of the database; see model-history.ts. */
  readonly modelHash: string;
  readonly layout: Layout;
  /** Whether the tables hold something that the model lacks. */
  readonly hasMore: boolean;
  /** Nothing to do: no step, and the stored snapshot is the model's. */
  readonly isUpToDate: boolean;
}
