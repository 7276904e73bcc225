import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { FileChanges, LibraryFile } from "../../../src/wire/files.js";
import { changeFile } from "../../fields/media/files-api.js";
import { t } from "../../messages/text.js";
import { sayDone } from "../../ui/toast.js";
import { forgetLibrary } from "./library-requests.js";
import { withoutSent } from "./unsaved.js";
import { useLeaving } from "./use-leaving.js";

/** What is typed of a file and not saved yet. */
export interface Edit {
  readonly values: FileChanges;
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  readonly error: unknown;
  change(changes: FileChanges): void;
  save(): Promise<void>;
  fail(error: unknown): void;
  /** Gives up what is typed: what leads away asks no more. */
  drop(): void;
  /** Asks before the page leads away from what is typed. */
  readonly leaving: ReturnType<typeof useLeaving>;
}

/** Keeps what is typed of a file until it is saved, and asks before the file is left or the page is closed meanwhile. */
export function useChanges(file: LibraryFile | undefined): Edit {
  const queries = useQueryClient();
  const [changes, setChanges] = useState<FileChanges>({});
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const changed = Object.entries(changes).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(file?.[name as keyof LibraryFile]),
  );
  const isChanged = changed.length > 0;
  const isDropped = useRef(false);
  const leaving = useLeaving(() => isChanged && !isDropped.current);
  const save = async () => {
    if (!file) return;
    setBusy(true);
    setError(undefined);
    const sent = Object.fromEntries(changed) as FileChanges;
    try {
      await changeFile(file.documentId, sent);
      await forgetLibrary(queries);
      setChanges((now) => withoutSent(now, sent));
      sayDone(t("file.saved"));
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return {
    values: { ...textsOf(file), ...changes },
    ...{ isChanged, isBusy, error, save, leaving, fail: setError },
    drop: () => {
      isDropped.current = true;
    },
    change: (more) => setChanges((before) => ({ ...before, ...more })),
  };
}

const textsOf = (file: LibraryFile | undefined): FileChanges => {
  if (!file) return {};
  const { name, alternativeText, caption, focalPoint } = file;
  return { name, alternativeText, caption, focalPoint };
};
