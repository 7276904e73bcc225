import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ActionTarget, CommandTools } from "../extend/extension.js";
import { sayDone } from "../ui/toast.js";
import { api } from "./api.js";
import type { Command } from "./commands.js";
import { isWanted, runOf } from "./extension-wish.js";
import { textOf, useExtensions } from "./extensions.js";

/** An action of an extension, ready for a menu. */
export interface ExtensionAction {
  readonly id: string;
  readonly label: string;
  readonly run: () => void;
}

/** The actions that extensions have for a document, or for selected rows. What goes wrong in one is said. */
export function useExtensionActions(on: "document" | "selection", target: ActionTarget): readonly ExtensionAction[] {
  const { loaded } = useExtensions();
  const tools = useCommandTools();
  return loaded.flatMap(({ name, extension }) =>
    (extension.actions ?? [])
      .filter((action) => action.on === on && isWanted(name, action.when, target))
      .map(({ id, label, run }) => ({
        id: `${name} ${id}`,
        label: textOf(label),
        run: () => runOf(name, () => run({ ...tools, target })),
      })),
  );
}

/** What extensions add to the palette. What goes wrong in one is said. */
export function useExtensionCommands(): readonly Command[] {
  const { loaded } = useExtensions();
  const tools = useCommandTools();
  return loaded.flatMap(({ name, extension }) =>
    (extension.commands ?? [])
      .filter(({ when }) => isWanted(name, when))
      .map(({ id, label, run }) => ({
        id: `${name} ${id}`,
        label: textOf(label),
        icon: "box" as const,
        words: name,
        run: () => runOf(name, () => run(tools)),
      })),
  );
}

/** What code of extensions that somebody starts is given. */
export function useCommandTools(): CommandTools {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return {
    request: api,
    say: sayDone,
    refresh: () => queries.invalidateQueries(),
    navigate: (path) => void navigate({ to: path }),
  };
}
