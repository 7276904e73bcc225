import type { Conflict, Entry, Problem } from "../../../src/wire/content.js";
import { ApiError, OTHER_ACCOUNT } from "../../app/api.js";
import type { Merged } from "../../form/merge.js";
import type { Flat } from "../../form/shape.js";
import type { News, Others } from "./others.js";

/** Changes that overlap: somebody else saved, or the same person typed on another device. */
export interface OpenConflict extends Merged {
  readonly theirs: Flat;
  readonly entry: Entry | undefined;
  /** null: it is not there yet. */
  readonly version: string | null;
  /** What is done once somebody has chosen; nothing: they go on typing. */
  readonly status: "draft" | "published" | undefined;
  /** Whether the other side is what the same person typed elsewhere. */
  readonly isElsewhere: boolean;
  /** Whether theirs are taken in without a save. */
  readonly isTaken?: boolean;
}

/** What the screen shows beside the fields. */
export interface DocumentState {
  readonly work: "rest" | "saving" | "waiting";
  readonly entry: Entry | undefined;
  readonly error: unknown;
  readonly problems: readonly Problem[];
  /** The first one is asked about. */
  readonly conflicts: readonly OpenConflict[];
  /** When what was typed earlier was put back. */
  readonly restored: { readonly at: Date; readonly isElsewhere: boolean } | undefined;
  /** Whether another one deleted it meanwhile. */
  readonly isGone: boolean;
  /** Who did that, where it is known. */
  readonly goneBy: News | undefined;
  /** What somebody else saved while the form is open. */
  readonly others: Others | undefined;
}

/** A form that nothing has happened to. */
export const AT_REST: DocumentState = {
  work: "rest",
  entry: undefined,
  error: undefined,
  problems: [],
  conflicts: [],
  restored: undefined,
  isGone: false,
  goneBy: undefined,
  others: undefined,
};

/** A form that has just been stored as it is. */
export const SETTLED = {
  work: "rest",
  error: undefined,
  problems: [],
  restored: undefined,
  isGone: false,
  others: undefined,
} as const satisfies Partial<DocumentState>;

/** What a save came to. */
export type SaveResult = "saved" | "published" | "refused" | "merged" | "taken";

/** What came of an action: neither where it was refused. */
export interface Outcome {
  /** The document after it, or its copy. */
  readonly entry?: Entry;
  readonly isDone?: boolean;
  /** Somebody else saved meanwhile: it is asked again. */
  readonly conflict?: Conflict;
}

const UNANSWERED = new Set([0, 502, 503, 504]);

/** Whether it is unknown what became of a request: the server, or the way to it, was gone. */
export const isUnanswered = (error: unknown): boolean => error instanceof ApiError && UNANSWERED.has(error.status);

/** What a 412 says, where an error is one. */
export const conflictIn = (error: unknown): Conflict | undefined =>
  error instanceof ApiError && error.status === 412 ? (error.details as unknown as Conflict) : undefined;

/** Whether the page asks who is there: it says all there is to say. */
export const isAskedAbove = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 401 || error.code === OTHER_ACCOUNT);
