import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { FileChanges, LibraryFile } from "../../../src/wire/files.js";
import { useLeaving } from "../../app/leaving.js";
import { useSubmit } from "../../app/use-submit.js";
import { changeFile } from "../../fields/media/files-api.js";
import { changedValues } from "../../form/take-stored.js";
import { t } from "../../messages/text.js";
import { sayDone } from "../../ui/toast.js";
import { forgetLibrary } from "./library-requests.js";

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
  const changed: FileChanges = changedValues(changes, file ?? {});
  const isChanged = Object.keys(changed).length > 0;
  const isDropped = useRef(false);
  const leaving = useLeaving(() => isChanged && !isDropped.current);
  const { error, isBusy, submit, fail } = useSubmit(async () => {
    if (!file) return;
    await changeFile(file.documentId, changed);
    await forgetLibrary(queries);
    // What was typed during the save stays.
    setChanges((now) => changedValues(now, changed));
    sayDone(t("file.saved"));
  });
  return {
    values: { ...textsOf(file), ...changes },
    ...{ isChanged, isBusy, error, save: () => submit(), leaving, fail },
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
