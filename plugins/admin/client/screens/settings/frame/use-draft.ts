import { useCallback, useState } from "react";

/** Changes of a draft, or what they are by the draft as it is then. */
export type ChangeDraft<Draft> = (changes: Partial<Draft> | ((known: Draft) => Partial<Draft>)) => void;

/** What a form holds. The function that changes it is the same at each draw, and knows what was changed a moment before. */
export function useDraft<Draft extends object>(first: Draft): readonly [Draft, ChangeDraft<Draft>] {
  const [draft, setDraft] = useState(first);
  const change: ChangeDraft<Draft> = useCallback(
    (changes) => setDraft((known) => ({ ...known, ...(typeof changes === "function" ? changes(known) : changes) })),
    [],
  );
  return [draft, change];
}
