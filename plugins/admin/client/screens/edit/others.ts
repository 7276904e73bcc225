import type { Entry } from "../../../src/wire/content.js";
import { merge, type Merged } from "../../form/merge.js";
import type { Path } from "../../form/paths.js";
import { type Flat, keepLinks, type Leaves } from "../../form/shape.js";
import { baseAfter, flattenAgain } from "../../form/stored.js";
import type { FormStore } from "../../form/store.js";
import type { Read } from "./entry-requests.js";

/** Who did something, and when. */
export interface News {
  /** null: somebody, or something. */
  readonly name: string | null;
  /** ISO 8601. */
  readonly at: string;
}

/** What somebody else saved while a form is open. */
export interface Others extends News {
  /** `shown`: the form has it. `waiting`: something is typed here, so that it is asked first. */
  readonly state: "shown" | "waiting";
  readonly met: Met;
  /** Labels of the fields that they changed. */
  readonly labels: readonly string[];
  /** Version of the form before: its reader may not have read the note yet. */
  readonly since: string | null;
  /** Whether they published it, and changed nothing. */
  readonly isPublication: boolean;
}

/**
 * What others did, once more news of it come: an event that comes late has the form read what a later one is about, whose name
 * and time are the right ones.
 */
export const toldOf = (others: Others, news: News): Others =>
  news.name !== null && news.at > others.at ? { ...others, ...news } : others;

/** A form, and the document as it is stored now. */
export interface Met extends Read {
  /** What the form rested on before. */
  readonly base: Leaves;
  readonly stored: Flat;
  readonly merged: Merged;
}

/**
 * Joins what is in a form with what is stored by now.
 *
 * @param sent - what a save without an answer had sent: it may be stored
 */
export function meet(store: FormStore, { entry, version }: Read, sent?: Leaves): Met {
  const { shapes, attributes, leaves: mine } = store;
  const before = store.base.leaves;
  const stored = flattenAgain({ shapes, attributes, entry, base: before, mine: sent ?? mine });
  keepLinks(stored, before);
  const base = sent ? baseAfter({ shapes, attributes, base: before, sent, mine, stored }) : before;
  return {
    entry,
    version,
    base: new Map(base),
    stored,
    merged: merge({ shapes, base, mine, theirs: stored }, attributes),
  };
}

/** What somebody has to choose. @param status - how it is saved then; undefined: it is taken into the form alone */
export const conflictOf = ({ merged, stored, entry, version }: Met, status: "draft" | "published" | undefined) => ({
  ...{ ...merged, theirs: stored, entry, version, status },
  ...{ isElsewhere: false, isTaken: status === undefined },
});

/**
 * The version that a reader knows of. What others saved since then is in the form already; before it is deleted or taken back
 * that is asked all the same, until the note was closed.
 */
export const knownVersion = (state: { readonly others: Others | undefined }, version: string | null): string | null =>
  state.others ? state.others.since : version;

/** The fields that others changed, by the labels of their attributes. */
export function labelsOf({ merged: { taken, overlaps } }: Met, { attributes }: FormStore): readonly string[] {
  const paths: readonly Path[] = [...taken, ...overlaps.map(({ path }) => path)];
  const names = new Set(paths.map((path) => path.split(".")[0] ?? ""));
  return Object.entries(attributes).flatMap(([name, { label }]) => (names.has(name) ? [label] : []));
}

/** Whether a document became published, or other than it is published, without a change of the draft. */
export const isOtherState = (before: Entry | undefined, { _facts, publishedAt }: Entry): boolean =>
  before?._facts.state !== _facts.state || before.publishedAt !== publishedAt;
