import { lazy, Suspense } from "react";
import type { FileView } from "../../../src/wire/files.js";
import { loadPart } from "../../app/load-part.js";
import { t } from "../../messages/text.js";
import { Dialog } from "../../ui/dialog.js";
import { Bone } from "../../ui/state.js";

/** What a picker of files is for. */
export interface LibraryProps {
  /** As `allowedTypes` of an attribute; none: every file. */
  readonly types: readonly string[];
  readonly isMultiple: boolean;
  readonly onPick: (files: readonly FileView[]) => void;
  readonly onClose: () => void;
}

/** The screen of files is loaded when it is opened. */
const Picker = lazy(() => loadPart(() => import("../../screens/media/picker.js")));

/** Chooses files that are there already, or that are uploaded there. */
export function Library(props: LibraryProps) {
  return (
    <Suspense
      fallback={
        <Dialog isOpen shape="wide-drawer" title={t("library.title")} onClose={props.onClose}>
          <Bone height="12rem" />
        </Dialog>
      }
    >
      <Picker {...props} />
    </Suspense>
  );
}
