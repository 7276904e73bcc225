import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ActionTarget, CommandTools } from "../extend/extension.js";
import { messageOf } from "../ui/state.js";
import { sayDone, sayWrong } from "../ui/toast.js";
import { api } from "./api.js";
import type { Command } from "./commands.js";
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
      .filter((action) => action.on === on && (action.when?.(target) ?? true))
      .map(({ id, label, run }) => ({
        id: `${name} ${id}`,
        label: textOf(label),
        run: () => {
          run({ ...tools, target }).catch((error: unknown) => sayWrong(`${name}: ${messageOf(error)}`));
        },
      })),
  );
}

/** What extensions add to the palette. What goes wrong in one is said. */
export function useExtensionCommands(): readonly Command[] {
  const { loaded } = useExtensions();
  const tools = useCommandTools();
  return loaded.flatMap(({ name, extension }) =>
    (extension.commands ?? [])
      .filter(({ when }) => when?.() ?? true)
      .map(({ id, label, run }) => ({
        id: `${name} ${id}`,
        label: textOf(label),
        icon: "box" as const,
        words: name,
        run: () => {
          const running = Promise.resolve().then(() => run(tools));
          running.catch((error: unknown) => sayWrong(`${name}: ${messageOf(error)}`));
        },
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
