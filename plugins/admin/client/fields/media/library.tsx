import { lazy, Suspense, useState } from "react";
import type { FileView } from "../../../src/wire/files.js";
import { loadPart } from "../../app/load-part.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Bone } from "../../ui/state.js";
import type { PickerProps } from "./picker-props.js";

interface LibraryProps extends PickerProps {
  readonly onPick: (files: readonly FileView[]) => void;
  readonly onClose: () => void;
}

/** The screen of files is loaded when it is opened. */
const Picker = lazy(() => loadPart(() => import("../../screens/media/picker.js")));

/** Chooses files that are there already, or that are uploaded there: the screen of files in a drawer. */
export function Library({ types, isMultiple, onPick, onClose }: LibraryProps) {
  const [picked, setPicked] = useState<readonly FileView[]>([]);
  return (
    <Dialog
      isOpen
      shape="wide-drawer"
      title={t("media.library")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look="primary" disabled={picked.length === 0} onClick={() => onPick(picked)}>
            {t("media.take", { count: picked.length })}
          </Button>
        </>
      }
    >
      <Suspense fallback={<Bone height="12rem" />}>
        <Picker types={types} isMultiple={isMultiple} onChange={setPicked} />
      </Suspense>
    </Dialog>
  );
}
