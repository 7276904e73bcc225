import type { ReactNode } from "react";
import type { OpenDocument } from "../open-document.js";
import { PreviewPane } from "./preview-pane.js";
import { Split } from "./split.js";

interface PreviewSplitProps {
  readonly opened: OpenDocument;
  readonly onClose: () => void;
  /** The form. */
  readonly children: ReactNode;
}

/** A form with the front end beside it. */
export default function PreviewSplit({ opened, onClose, children }: PreviewSplitProps) {
  return <Split beside={<PreviewPane opened={opened} onClose={onClose} />}>{children}</Split>;
}
