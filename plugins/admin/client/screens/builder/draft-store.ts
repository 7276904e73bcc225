import { useSyncExternalStore } from "react";
import type { BuilderProblem, SchemaChange } from "../../../src/wire/builder.js";

/** What is drafted in this tab. */
export interface DraftState {
  readonly changes: Readonly<Record<string, SchemaChange>>;
  /** What the last plan or start said is wrong. */
  readonly problems: readonly BuilderProblem[];
}

/** Where the tab keeps it, also when the page is loaded again. */
const KEY = "plinth-builder";
const EMPTY: DraftState = { changes: {}, problems: [] };

let state: DraftState | undefined;
const listeners = new Set<() => void>();

const read = (): DraftState => {
  state ??= load();
  return state;
};

function load(): DraftState {
  try {
    const { changes } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Partial<DraftState>;
    return { ...EMPTY, changes: changes ?? {} };
  } catch {
    // A browser may keep nothing for this site: the draft lives as long as the page then.
    return EMPTY;
  }
}

/** Replaces parts of the draft; what was wrong is forgotten with the first change after it. */
export function changeDraft(next: Partial<DraftState>): void {
  state = { ...read(), ...next };
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ changes: state.changes }));
  } catch {
    // As above.
  }
  for (const listener of listeners) listener();
}

/** Drops the draft. */
export const dropDraft = (): void => changeDraft(EMPTY);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What is drafted in this tab. */
export const useDraftState = (): DraftState => useSyncExternalStore(subscribe, read);
