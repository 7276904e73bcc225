import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useMemo } from "react";
import type { BuilderProblem, BuilderView } from "../../../src/wire/builder.js";
import { api } from "../../app/api.js";
import { whenServed } from "./apply-draft.js";
import type { Draft } from "./draft.js";
import { changeDraft, useDraftState } from "./draft-store.js";

/** The action without which the builder shows nothing. */
export const ACTION = "plugin::admin.builder";

/** Reads what the content model is made of, from a server that may restart. @throws ApiError */
export const readBuilder = (): Promise<BuilderView> => whenServed(() => api<BuilderView>("/builder"));

/** Asks what the content model is made of. */
export const useBuilderView = () =>
  useQuery({ queryKey: ["builder"], queryFn: ({ signal }) => api<BuilderView>("/builder", { signal }), staleTime: 0 });

/** The content model with what is drafted of it. */
export interface Builder {
  readonly draft: Draft;
  readonly problems: readonly BuilderProblem[];
  readonly canChange: boolean;
  /** Replaces the draft by what a function makes of it. */
  readonly change: (edit: (draft: Draft) => Draft) => void;
}

/** Joins what the server has with what this tab has drafted. */
export function useBuilder({ canChange, shapes }: BuilderView): Builder {
  const { changes, problems } = useDraftState();
  const views = useMemo(() => new Map(shapes.map((shape) => [shape.uid, shape])), [shapes]);
  return useMemo(() => {
    const draft = { views, changes: canChange ? changes : {} };
    return {
      ...{ draft, problems, canChange },
      change: (edit) => changeDraft({ changes: edit(draft).changes, problems: [] }),
    };
  }, [views, changes, problems, canChange]);
}

const BuilderContext = createContext<Builder | undefined>(undefined);

/** Gives the draft to what is inside. */
export const BuilderProvider = BuilderContext.Provider;

/** The draft of the screen. */
export function useDraft(): Builder {
  const builder = useContext(BuilderContext);
  if (!builder) throw new TypeError("There is no builder around this.");
  return builder;
}

/** What is wrong at a path of a schema, or below it. */
export function problemsAt(problems: readonly BuilderProblem[], uid: string, path = ""): readonly BuilderProblem[] {
  const isBelow = (other: string) => path === "" || other === path || other.startsWith(`${path}.`);
  return problems.filter((problem) => problem.uid === uid && isBelow(problem.path));
}

/** A problem as one text. */
export const problemText = ({ message, remedy }: BuilderProblem): string => `${message} ${remedy}`.trim();
