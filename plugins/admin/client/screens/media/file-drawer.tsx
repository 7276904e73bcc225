import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FileDetails, LibraryFile } from "../../../src/wire/files.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { QuestionDialog } from "../../ui/question-dialog.js";
import { Banner, Bone, Failed, messageOf, useIsSlow } from "../../ui/state.js";
import { DeleteFiles } from "./delete-files.js";
import styles from "./detail.module.css";
import { type Edit, useChanges } from "./edit.js";
import { FileActions, FileFacts, FileTexts, FileUsesSection } from "./file-parts.js";
import { FilePreview } from "./file-preview.js";
import { getFile } from "./library-requests.js";

interface FileDrawerProps {
  readonly documentId: string;
  /** Another file is to be shown. */
  readonly onOpen: (file: LibraryFile) => void;
  readonly onDeleted: (file: LibraryFile) => void;
  readonly onClose: () => void;
}

/** All that is known of a file, and what can be done with it. */
export function FileDrawer({ documentId, onOpen, onDeleted, onClose }: FileDrawerProps) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["files", "one", documentId],
    queryFn: ({ signal }) => getFile(documentId, signal),
  });
  const [asked, setAsked] = useState<"delete" | "discard">();
  const file = data?.data;
  const edit = useChanges(file);
  const isSlow = useIsSlow(isPending);
  const close = () => (edit.isChanged ? setAsked("discard") : onClose());
  const { leaving } = edit;
  const leave = (go: () => void) => () => {
    edit.drop();
    go();
  };
  // One window from the start: it gives the focus back to what it was opened from.
  return (
    <Dialog
      isOpen
      shape="drawer"
      title={file?.name ?? t("media.details")}
      onClose={close}
      footer={data && <Footer details={data} edit={edit} onDelete={() => setAsked("delete")} onClose={close} />}
    >
      {!data && error && <Failed error={error} retry={() => void refetch()} />}
      {isSlow && <Bone height="16rem" />}
      {data && <Details details={data} edit={edit} onOpen={onOpen} />}
      {asked === "delete" && file && (
        <DeleteFiles files={[file]} onDone={leave(() => onDeleted(file))} onClose={() => setAsked(undefined)} />
      )}
      {asked === "discard" && <AskToDiscard onDiscard={leave(onClose)} onKeep={() => setAsked(undefined)} />}
      {leaving.status === "blocked" && <AskToDiscard onDiscard={leave(leaving.proceed)} onKeep={leaving.reset} />}
    </Dialog>
  );
}

interface DetailsProps {
  readonly details: FileDetails;
  readonly edit: Edit;
}

function Details({ details: { data: file, meta }, edit, onOpen }: DetailsProps & Pick<FileDrawerProps, "onOpen">) {
  const mayUpdate = meta.may.includes("update");
  return (
    <>
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
    </>
  );
}

interface FooterProps extends DetailsProps {
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

function Footer({ details: { meta }, edit, onDelete, onClose }: FooterProps) {
  return (
    <>
      {meta.may.includes("delete") && (
        <Button icon="trash-2" look="quiet" className={styles.first} onClick={onDelete}>
          {t("action.delete")}
        </Button>
      )}
      <Button onClick={onClose}>{t("action.close")}</Button>
      {meta.may.includes("update") && (
        <Button look="primary" isBusy={edit.isBusy || !edit.isChanged} onClick={() => void edit.save()}>
          {t("action.save")}
        </Button>
      )}
    </>
  );
}

function AskToDiscard({ onDiscard, onKeep }: { readonly onDiscard: () => void; readonly onKeep: () => void }) {
  return (
    <QuestionDialog
      isDangerous
      title={t("relation.ask")}
      answer={t("relation.ask.discard")}
      cancel={t("relation.ask.keep")}
      onAnswer={onDiscard}
      onClose={onKeep}
    >
      <p>{t("file.ask.text")}</p>
    </QuestionDialog>
  );
}
