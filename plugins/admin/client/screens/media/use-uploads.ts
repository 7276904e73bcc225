import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { LibraryFile } from "../../../src/wire/files.js";
import { t } from "../../messages/text.js";
import { announce } from "../../ui/announce.js";
import { forgetLibrary } from "./library-requests.js";
import { type QueuedFile, UploadQueue } from "./upload-queue.js";

/** How long the library waits for more files to arrive before it is read again, in milliseconds. */
const REST = 400;

/** Uploads into the library. */
export interface Uploads {
  readonly queue: UploadQueue;
  readonly files: readonly QueuedFile[];
}

/** Sends files, has the library read again as they arrive, and says when all have. */
export function useUploads(onDone?: (file: LibraryFile) => void): Uploads {
  const queries = useQueryClient();
  const done = useRef(onDone);
  done.current = onDone;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [queue] = useState(
    () =>
      new UploadQueue((file) => {
        done.current?.(file);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => void forgetLibrary(queries), REST);
      }),
  );
  const files = useSyncExternalStore(queue.subscribe, queue.getFiles);
  useEnd(files, queue.isBusy);
  return { queue, files };
}

/** Says what has become of all of them. */
function useEnd(files: readonly QueuedFile[], isBusy: boolean): void {
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !isBusy && files.length > 0) {
      const failed = files.filter(({ state }) => state === "failed").length;
      announce(failed > 0 ? t("upload.failed", { count: failed }) : t("upload.done", { count: files.length }));
    }
    wasBusy.current = isBusy;
  }, [files, isBusy]);
}
