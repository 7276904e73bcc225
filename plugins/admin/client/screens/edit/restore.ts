import type { Entry } from "../../../src/wire/content.js";
import type { KeptChanges } from "../../form/draft-keeper.js";
import { merge } from "../../form/merge.js";
import type { Leaves } from "../../form/shape.js";
import { flattenAgain } from "../../form/stored.js";
import type { FormStore } from "../../form/store.js";
import type { OpenConflict } from "./document-state.js";

/** A form as it was read. */
export interface Opened {
  readonly store: FormStore;
  readonly entry: Entry | undefined;
  /** null: it is new. */
  readonly version: string | null;
}

/**
 * Puts back what was typed earlier. What was typed on the version that was read is put upon it; what was typed on another
 * one is joined with what is there now, as is what was typed in two browsers.
 *
 * @returns what somebody has to choose
 */
export function restore(opened: Opened, kept: readonly KeptChanges[]): readonly OpenConflict[] {
  return kept.flatMap((changes, index) => {
    const isFirst = index === 0;
    const isSame = !opened.entry || changes.base === opened.version;
    return isFirst && isSame ? putUpon(opened, changes) : join(opened, changes, !isFirst);
  });
}

function putUpon({ store }: Opened, { changes }: KeptChanges): readonly OpenConflict[] {
  store.apply(Object.entries(changes).map(([path, { mine }]) => [path, mine]));
  return [];
}

function join({ store, entry, version }: Opened, { changes }: KeptChanges, isSecond: boolean): readonly OpenConflict[] {
  const { shapes, attributes } = store;
  const side = (name: "base" | "mine", from: Leaves): Leaves =>
    new Map([...from, ...Object.entries(changes).map(([path, change]) => [path, change[name]] as const)]);
  const read = store.base.leaves;
  const base = side("base", read);
  const mine = side("mine", base);
  if (entry && !isSecond) store.rebase(flattenAgain({ shapes, attributes, entry, base: read, mine }));
  const theirs = { leaves: new Map(store.leaves), totals: store.base.totals };
  const merged = merge({ shapes, base, mine, theirs }, attributes);
  store.apply(merged.leaves);
  if (merged.overlaps.length === 0) return [];
  return [{ ...merged, theirs: store.base, entry, version, status: undefined, isElsewhere: isSecond }];
}
