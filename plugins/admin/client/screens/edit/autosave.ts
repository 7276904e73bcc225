import type { OpenDocument } from "./open-document.js";

/** Milliseconds from the last key to the save. */
const REST = 3_000;

/** Saves the draft when typing rests, where its type asks for that. A new document is made by a person. @returns what stops it */
export function startAutosave(opened: OpenDocument): () => void {
  if (!opened.place.type.autosaves) return () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = opened.store.watch(() => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!opened.isNew) void opened.saveQuietly();
    }, REST);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
