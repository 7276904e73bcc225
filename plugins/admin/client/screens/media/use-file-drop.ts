import { useEffect, useRef, useState } from "react";

/**
 * Takes files that are dropped anywhere on the page, or pasted, as long as it is shown. What stands below it gets none of them.
 *
 * @param onFiles - undefined: nothing is taken
 * @returns whether files are held above the page
 */
export function useFileDrop(onFiles: ((files: readonly File[]) => void) | undefined): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;
  const isTaken = onFiles !== undefined;
  useEffect(() => {
    if (!isTaken) return;
    const ended = new AbortController();
    const on = <Kind extends "dragenter" | "dragover" | "dragleave" | "drop">(
      kind: Kind,
      act: (event: DragEvent) => void,
    ) =>
      addEventListener(
        kind,
        (event) => {
          if (!event.dataTransfer?.types.includes("Files")) return;
          event.preventDefault();
          event.stopPropagation();
          act(event);
        },
        { capture: true, signal: ended.signal },
      );
    on("dragenter", () => setOver(true));
    on("dragover", () => setOver(true));
    // Between two elements of the page there is a related one.
    on("dragleave", ({ relatedTarget }) => setOver(relatedTarget !== null));
    on("drop", ({ dataTransfer }) => {
      setOver(false);
      take.current?.([...(dataTransfer?.files ?? [])]);
    });
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      // What comes with a text that is pasted into a field is not meant.
      if (files.length === 0 || (event.target as Element).closest("input, textarea")) return;
      event.preventDefault();
      event.stopPropagation();
      take.current?.(files);
    };
    addEventListener("paste", paste, { capture: true, signal: ended.signal });
    return () => {
      ended.abort();
      setOver(false);
    };
  }, [isTaken]);
  return isOver;
}
