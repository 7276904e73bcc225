import { type ClipboardEvent, type DragEvent, useRef, useState } from "react";
import type { FileView, UploadedFiles } from "../../../src/wire/files.js";
import { messageOf } from "../../ui/state.js";
import { type Upload, uploadFiles } from "./files-api.js";
import { pickFiles } from "./pick-files.js";

/** Uploads what is dropped, pasted or picked, one batch at a time. */
export function useUpload(isMultiple: boolean, onDone: (files: readonly FileView[]) => void) {
  const [progress, setProgress] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [isOver, setOver] = useState(false);
  const running = useRef<Upload<UploadedFiles>>(undefined);
  const send = async (files: readonly File[]) => {
    const wanted = isMultiple ? files : files.slice(0, 1);
    if (wanted.length === 0) return;
    setProblem(undefined);
    setProgress(0);
    try {
      running.current = uploadFiles(wanted, setProgress);
      const uploaded = await running.current.done;
      if (uploaded) onDone(uploaded.data);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setProgress(undefined);
    }
  };
  return {
    progress,
    problem,
    isOver,
    cancel: () => running.current?.cancel(),
    pick: (accept: string) => pickFiles({ accept, isMultiple }, (files) => void send(files)),
    onPaste: ({ clipboardData }: ClipboardEvent) => void send([...clipboardData.files]),
    dropProps: {
      onDragOver: (event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        void send([...event.dataTransfer.files]);
      },
    },
  };
}
