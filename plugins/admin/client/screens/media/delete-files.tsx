import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FilesUses } from "../../../src/wire/file-uses.js";
import type { LibraryFile } from "../../../src/wire/files.js";
import { ApiError } from "../../app/api.js";
import { t } from "../../messages/text.js";
import { Bone, Failed } from "../../ui/state.js";
import styles from "./detail.module.css";
import { ActionDialog } from "./folder-dialogs.js";
import { deleteFiles, getUsesOfMany } from "./library-requests.js";
import { NoUses, UsesOfFile } from "./use-list.js";

/** What the server refuses where its configuration says so, unless it is confirmed. */
const IN_USE = "PLINTH_UPLOAD_IN_USE";

interface DeleteFilesProps {
  readonly files: readonly LibraryFile[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Says which documents hold the files, and deletes them when that is confirmed. */
export function DeleteFiles({ files, onDone, onClose }: DeleteFilesProps) {
  const documentIds = files.map(({ documentId }) => documentId);
  const uses = useQuery({
    queryKey: ["files", "uses", documentIds],
    queryFn: ({ signal }) => getUsesOfMany(documentIds, signal),
    // What is said here is decided upon: it is never from before.
    staleTime: 0,
  });
  // The server knows of more than the reader sees, and asks where it is set up so: of one file at a time.
  const [refused, setRefused] = useState<readonly string[]>([]);
  const seen = uses.data?.data ?? [];
  const unseen = refused.filter((id) => !seen.some(({ documentId }) => documentId === id));
  const isUsed = seen.length + unseen.length > 0;
  const [first] = files;
  return (
    <ActionDialog
      isAlert
      isDangerous
      title={
        files.length === 1 && first
          ? t("file.delete", { name: first.name })
          : t("library.delete", { count: files.length })
      }
      actionText={isUsed ? t("file.deleteUsed") : t("action.delete")}
      done={t("library.deleted", { count: files.length })}
      run={async () => {
        // Of those that are named here, the answer to the server's question is given already; of no others.
        const force = [...seen.map(({ documentId }) => documentId), ...unseen];
        await deleteFiles({ documentIds, ...(force.length > 0 ? { force } : {}) }).catch((error: unknown) => {
          if (error instanceof ApiError && error.code === IN_USE)
            setRefused([...refused, String(error.details["documentId"])]);
          throw error;
        });
        onDone();
      }}
      onClose={onClose}
    >
      <div aria-live="polite" className={styles.usesOfMany}>
        {uses.isPending && <Bone height="2.5rem" />}
        {uses.error && <Failed error={uses.error} retry={() => void uses.refetch()} />}
        {uses.data && (isUsed ? <Used files={files} uses={seen} unseen={unseen} /> : <NoUses />)}
      </div>
      <p>{t("file.delete.text")}</p>
    </ActionDialog>
  );
}

interface UsedProps extends Pick<DeleteFilesProps, "files"> {
  readonly uses: FilesUses["data"];
  /** documentIds of files that documents hold which the reader does not see. */
  readonly unseen: readonly string[];
}

/** Names each file that documents hold. */
function Used({ files, uses, unseen }: UsedProps) {
  const heading = (documentId: string) =>
    files.length > 1 && <h3>{files.find((file) => file.documentId === documentId)?.name}</h3>;
  return (
    <>
      <p className={styles.warn}>
        {files.length === 1 ? t("file.delete.used") : t("library.delete.used", { count: uses.length + unseen.length })}
      </p>
      {uses.map(({ documentId, uses: ofFile, isCut }) => (
        <section key={documentId}>
          {heading(documentId)}
          <UsesOfFile uses={ofFile} />
          {isCut && <p className={styles.soft}>{t("file.delete.cut")}</p>}
        </section>
      ))}
      {unseen.map((documentId) => (
        <section key={documentId}>
          {heading(documentId)}
          <p className={styles.soft}>{t("file.delete.unseen")}</p>
        </section>
      ))}
    </>
  );
}
