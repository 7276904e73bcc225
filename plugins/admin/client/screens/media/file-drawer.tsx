import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FileDetails, LibraryFile } from "../../../src/wire/files.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Banner, Bone, Failed, messageOf, useIsSlow } from "../../ui/state.js";
import { DeleteFiles } from "./delete-files.js";
import styles from "./detail.module.css";
import { useChanges } from "./edit.js";
import { FileActions, FileFacts, FileTexts, FileUsesSection } from "./file-parts.js";
import { FilePreview } from "./file-preview.js";
import { getFile } from "./library-requests.js";

interface FileDrawerProps {
  readonly documentId: string;
  /** Another file is to be shown. */
  readonly onOpen: (file: LibraryFile) => void;
  readonly onClose: () => void;
}

/** All that is known of a file, and what can be done with it. */
export function FileDrawer({ documentId, onOpen, onClose }: FileDrawerProps) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["files", "one", documentId],
    queryFn: ({ signal }) => getFile(documentId, signal),
  });
  const isSlow = useIsSlow(isPending);
  if (data) return <Details key={documentId} details={data} onOpen={onOpen} onClose={onClose} />;
  return (
    <Dialog isOpen shape="drawer" title={t("media.details")} onClose={onClose}>
      {error && <Failed error={error} retry={() => void refetch()} />}
      {isSlow && <Bone height="16rem" />}
    </Dialog>
  );
}

interface DetailsProps extends Omit<FileDrawerProps, "documentId"> {
  readonly details: FileDetails;
}

function Details({ details: { data: file, meta }, onOpen, onClose }: DetailsProps) {
  const [isDeleting, setDeleting] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const edit = useChanges(file);
  const mayUpdate = meta.may.includes("update");
  const close = () => (edit.isChanged ? setAsking(true) : onClose());
  return (
    <Dialog
      isOpen
      shape="drawer"
      title={file.name}
      onClose={close}
      footer={
        <>
          {meta.may.includes("delete") && (
            <Button icon="trash-2" look="quiet" className={styles.first} onClick={() => setDeleting(true)}>
              {t("action.delete")}
            </Button>
          )}
          <Button onClick={close}>{t("action.close")}</Button>
          {mayUpdate && (
            <Button look="primary" isBusy={edit.isBusy || !edit.isChanged} onClick={() => void edit.save()}>
              {t("action.save")}
            </Button>
          )}
        </>
      }
    >
      {edit.error !== undefined && <Banner kind="wrong">{messageOf(edit.error)}</Banner>}
      <FilePreview
        file={file}
        focalPoint={edit.values.focalPoint ?? null}
        onFocalPoint={mayUpdate ? (focalPoint) => edit.change({ focalPoint }) : undefined}
      />
      <FileActions {...{ file, mayUpdate, edit, onOpen }} />
      <FileTexts {...{ file, edit }} isReadOnly={!mayUpdate} />
      <FileFacts file={file} />
      <FileUsesSection documentId={file.documentId} />
      {isDeleting && <DeleteFiles files={[file]} onDone={onClose} onClose={() => setDeleting(false)} />}
      {isAsking && <AskToDiscard onDiscard={onClose} onKeep={() => setAsking(false)} />}
    </Dialog>
  );
}

function AskToDiscard({ onDiscard, onKeep }: { readonly onDiscard: () => void; readonly onKeep: () => void }) {
  return (
    <Dialog
      isOpen
      isAlert
      title={t("relation.ask")}
      onClose={onKeep}
      footer={
        <>
          <Button onClick={onKeep}>{t("relation.ask.keep")}</Button>
          <Button look="danger" onClick={onDiscard}>
            {t("relation.ask.discard")}
          </Button>
        </>
      }
    >
      <p>{t("file.ask.text")}</p>
    </Dialog>
  );
}
