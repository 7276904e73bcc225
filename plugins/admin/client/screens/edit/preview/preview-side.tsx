import type { OpenDocument } from "../open-document.js";
import { PreviewPane } from "./preview-pane.js";
import { SplitHandle } from "./split-handle.js";

interface PreviewSideProps {
  readonly opened: OpenDocument;
  readonly onClose: () => void;
}

/** What stands beside a form in a preview: a line that is moved, and the front end. */
export default function PreviewSide({ opened, onClose }: PreviewSideProps) {
  return (
    <>
      <SplitHandle />
      <PreviewPane opened={opened} onClose={onClose} />
    </>
  );
}
