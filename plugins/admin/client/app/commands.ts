import { useEffect, useRef, useSyncExternalStore } from "react";
import type { IconName } from "../ui/icon-paths.js";

/** Something that can be done from the command palette. */
export interface Command {
  /** Unique among those of its owner. */
  readonly id: string;
  /** In the language of the page. */
  readonly label: string;
  readonly icon?: IconName;
  /** Keys that do the same, as they are shown: `Ctrl+S`. */
  readonly keys?: string;
  /** Further words that find it. */
  readonly words?: string;
  readonly run: () => void;
}

const byOwner = new Map<string, readonly Command[]>();
const listeners = new Set<() => void>();
let all: readonly Command[] = [];

function changed(): void {
  all = [...byOwner.values()].flat();
  for (const listener of listeners) listener();
}

/** Adds commands, in place of those that their owner added before. @returns what takes them out */
function addCommands(owner: string, commands: readonly Command[]): () => void {
  byOwner.set(owner, commands);
  changed();
  return () => {
    if (byOwner.get(owner) !== commands) return;
    byOwner.delete(owner);
    changed();
  };
}

/** The commands of what is shown now. Extensions have theirs in what they add to the page. */
export const useAddedCommands = (): readonly Command[] => useSyncExternalStore(subscribe, () => all);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Adds commands for as long as a screen is shown. They do what they did when it was last drawn. */
export function useCommands(owner: string, commands: readonly Command[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  const names = commands.map(({ id, label }) => `${id} ${label}`).join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: which commands there are is what their names say
  useEffect(
    () =>
      addCommands(
        owner,
        latest.current.map((command) => ({
          ...command,
          run: () => latest.current.find(({ id }) => id === command.id)?.run(),
        })),
      ),
    [owner, names],
  );
}
