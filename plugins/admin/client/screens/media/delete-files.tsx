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
  // The server knows of more than the reader sees, and asks where it is set up so.
  const [isRefused, setRefused] = useState(false);
  const isUsed = (uses.data?.data.length ?? 0) > 0;
  const force = isUsed || isRefused;
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
      actionText={force ? t("file.deleteUsed") : t("action.delete")}
      done={t("library.deleted", { count: files.length })}
      run={async () => {
        // Where they are named, the answer to the server's question is given already.
        await deleteFiles({ documentIds, force }).catch((error: unknown) => {
          setRefused(error instanceof ApiError && error.code === IN_USE);
          throw error;
        });
        onDone();
      }}
      onClose={onClose}
    >
      <div aria-live="polite" className={styles.usesOfMany}>
        {uses.isPending && <Bone height="2.5rem" />}
        {uses.error && <Failed error={uses.error} retry={() => void uses.refetch()} />}
        {uses.data && (isUsed ? <Used files={files} uses={uses.data.data} /> : <NoUses />)}
      </div>
      <p>{t("file.delete.text")}</p>
    </ActionDialog>
  );
}

function Used({ files, uses }: Pick<DeleteFilesProps, "files"> & { readonly uses: FilesUses["data"] }) {
  return (
    <>
      <p className={styles.warn}>
        {files.length === 1 ? t("file.delete.used") : t("library.delete.used", { count: uses.length })}
      </p>
      {uses.map(({ documentId, uses: ofFile }) => (
        <section key={documentId}>
          {files.length > 1 && <h3>{files.find((file) => file.documentId === documentId)?.name}</h3>}
          <UsesOfFile uses={ofFile} />
        </section>
      ))}
    </>
  );
}
