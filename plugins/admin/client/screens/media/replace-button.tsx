import { useRef, useState } from "react";
import type { LibraryFile, OneFile } from "../../../src/wire/files.js";
import { replaceFile, type Upload } from "../../fields/media/files-api.js";
import { pickFiles } from "../../fields/media/pick-files.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { sayDone } from "../../ui/toast.js";

interface ReplaceButtonProps {
  readonly file: LibraryFile;
  readonly onDone: (file: LibraryFile) => void;
  readonly onError: (error: unknown) => void;
}

/** Puts another file of the same kind where this one is: what shows it shows the other one then. */
export function ReplaceButton({ file, onDone, onError }: ReplaceButtonProps) {
  const [part, setPart] = useState<number>();
  const running = useRef<Upload<OneFile>>(undefined);
  const send = async ([next]: readonly File[]) => {
    if (!next) return;
    setPart(0);
    onError(undefined);
    try {
      running.current = replaceFile(file, next, setPart);
      const replaced = await running.current.done;
      if (!replaced) return;
      sayDone(t("file.replaced", { name: file.name }));
      onDone(replaced.data);
    } catch (error) {
      onError(error);
    } finally {
      setPart(undefined);
    }
  };
  if (part === undefined)
    return (
      <Button
        icon="refresh-cw"
        onClick={() => pickFiles({ accept: file.mime, isMultiple: false }, (files) => void send(files))}
      >
        {t("file.replace")}
      </Button>
    );
  return (
    <>
      <progress value={part} aria-label={t("upload.progress", { name: file.name })} />
      <Button isSmall onClick={() => running.current?.cancel()}>
        {t("action.cancel")}
      </Button>
    </>
  );
}
