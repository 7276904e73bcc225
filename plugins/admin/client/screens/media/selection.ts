import { useMemo, useState } from "react";
import type { LibraryFile } from "../../../src/wire/files.js";

/** How many files one action may be about. */
export const MAX_SELECTED = 100;

/** Selected files, wherever they are. */
export interface Selection {
  readonly files: readonly LibraryFile[];
  /** Whether one more can be selected beside the others. */
  readonly isMultiple: boolean;
  has(documentId: string): boolean;
  toggle(file: LibraryFile): void;
  add(files: readonly LibraryFile[]): void;
  clear(): void;
}

/** Keeps which files are selected. @param isMultiple - else another one takes the place of the one before */
export function useSelection(isMultiple: boolean): Selection {
  const [files, setFiles] = useState<readonly LibraryFile[]>([]);
  return useMemo(() => {
    const without = (file: LibraryFile) => files.filter(({ documentId }) => documentId !== file.documentId);
    const more = (before: readonly LibraryFile[], added: readonly LibraryFile[]) =>
      isMultiple ? [...before, ...added].slice(0, MAX_SELECTED) : added.slice(-1);
    return {
      files,
      isMultiple,
      has: (documentId) => files.some((file) => file.documentId === documentId),
      toggle: (file) => {
        const rest = without(file);
        setFiles(rest.length < files.length ? rest : more(files, [file]));
      },
      add: (added) => setFiles((before) => more(before, added)),
      clear: () => setFiles([]),
    };
  }, [files, isMultiple]);
}
