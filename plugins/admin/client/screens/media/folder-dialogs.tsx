import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { FolderView, LibraryFile } from "../../../src/wire/files.js";
import { useSubmit } from "../../app/use-submit.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import { Icon } from "../../ui/icon.js";
import { Banner, messageOf } from "../../ui/state.js";
import { sayDone } from "../../ui/toast.js";
import type { FolderTree } from "./folder-tree.js";
import styles from "./folders.module.css";
import { changeFolder, createFolder, deleteFolder, forgetLibrary, moveFiles } from "./library-requests.js";

const FORM = "folder-form";

interface ActionDialogProps {
  readonly title: string;
  readonly actionText: string;
  readonly isDangerous?: boolean;
  readonly isAlert?: boolean;
  /** What is done; the dialog closes once it is. */
  readonly run: () => Promise<unknown>;
  readonly done: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A window for one action in the library: it says what was refused, and closes when it is done. */
export function ActionDialog({ title, actionText, run, done, onClose, children, ...look }: ActionDialogProps) {
  const queries = useQueryClient();
  const { error, isBusy, submit } = useSubmit(async () => {
    await run();
    await forgetLibrary(queries);
    sayDone(done);
    onClose();
  });
  const { isDangerous = false, isAlert = false } = look;
  return (
    <Dialog
      isOpen
      isAlert={isAlert}
      title={title}
      onClose={isBusy ? undefined : onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button type="submit" form={FORM} look={isDangerous ? "danger" : "primary"} isBusy={isBusy}>
            {actionText}
          </Button>
        </>
      }
    >
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
      <form
        id={FORM}
        style={{ display: "contents" }}
        onSubmit={(event) => {
          // What is sent here is no form of what stands around it.
          event.stopPropagation();
          void submit(event);
        }}
      >
        {children}
      </form>
    </Dialog>
  );
}

interface FolderDialogProps {
  readonly onClose: () => void;
}

/** Asks for the name of a new folder. @param parent - the folder that it goes into; nothing: the top */
export function NewFolder({ parent, onClose }: FolderDialogProps & { readonly parent: string | undefined }) {
  const [name, setName] = useState("");
  return (
    <ActionDialog
      title={t("folder.new")}
      actionText={t("folder.create")}
      done={t("folder.created", { name })}
      run={() => createFolder({ name, parent: parent ?? null })}
      onClose={onClose}
    >
      <NameField name={name} onChange={setName} />
    </ActionDialog>
  );
}

/** Asks for another name of a folder. */
export function RenameFolder({ folder, onClose }: FolderDialogProps & { readonly folder: FolderView }) {
  const [name, setName] = useState(folder.name);
  return (
    <ActionDialog
      title={t("folder.rename")}
      actionText={t("action.save")}
      done={t("folder.renamed", { name })}
      run={() => changeFolder(folder.documentId, { name })}
      onClose={onClose}
    >
      <NameField name={name} onChange={setName} />
    </ActionDialog>
  );
}

function NameField({ name, onChange }: { readonly name: string; readonly onChange: (name: string) => void }) {
  return (
    <Field label={t("folder.name")} isRequired>
      {(ids) => (
        <TextInput
          {...tiedTo(ids)}
          autoFocus
          required
          maxLength={200}
          value={name}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** Asks where a folder is to lie. It cannot lie in itself: neither it nor what is in it is offered. */
export function MoveFolder({
  folder,
  tree,
  onClose,
}: FolderDialogProps & { readonly folder: FolderView; readonly tree: FolderTree }) {
  const [parent, setParent] = useState(folder.parent);
  return (
    <ActionDialog
      title={t("folder.moveTitle", { name: folder.name })}
      actionText={t("library.move")}
      done={t("folder.moved", { name: folder.name })}
      run={() => changeFolder(folder.documentId, { parent })}
      onClose={onClose}
    >
      <FolderChoice tree={tree} without={folder.documentId} value={parent} onChange={setParent} />
    </ActionDialog>
  );
}

interface MoveFilesProps extends FolderDialogProps {
  readonly files: readonly LibraryFile[];
  readonly tree: FolderTree;
  readonly onDone: () => void;
}

/** Asks which folder files are to lie in. */
export function MoveFiles({ files, tree, onDone, onClose }: MoveFilesProps) {
  const [first] = files;
  const [folder, setFolder] = useState<string | null>(first?.folder?.documentId ?? null);
  const documentIds = files.map(({ documentId }) => documentId);
  return (
    <ActionDialog
      title={t("library.moveTitle", { count: files.length })}
      actionText={t("library.move")}
      done={t("library.moved", { count: files.length })}
      run={async () => {
        await moveFiles({ documentIds, folder });
        onDone();
      }}
      onClose={onClose}
    >
      <FolderChoice tree={tree} value={folder} onChange={setFolder} />
    </ActionDialog>
  );
}

/** Asks once more before a folder is deleted. */
export function DeleteFolder({
  folder,
  onDone,
  onClose,
}: FolderDialogProps & { readonly folder: FolderView; readonly onDone: () => void }) {
  return (
    <ActionDialog
      isAlert
      isDangerous
      title={t("folder.delete", { name: folder.name })}
      actionText={t("action.delete")}
      done={t("folder.deleted", { name: folder.name })}
      run={async () => {
        await deleteFolder(folder.documentId);
        onDone();
      }}
      onClose={onClose}
    >
      <p>{t("folder.delete.text")}</p>
    </ActionDialog>
  );
}

interface FolderChoiceProps {
  readonly tree: FolderTree;
  /** documentId of a folder that is not offered, nor what is in it. */
  readonly without?: string;
  readonly value: string | null;
  readonly onChange: (documentId: string | null) => void;
}

/** How far a folder stands behind the one that it lies in, in rem. */
const INDENT = 1.125;

/** One of all folders, or none. */
function FolderChoice({ tree, without, value, onChange }: FolderChoiceProps) {
  const entries = [
    { documentId: null, name: t("library.title"), depth: 0 },
    ...tree.listed(without).map(({ folder, depth }) => ({ ...folder, depth: depth + 1 })),
  ];
  return (
    <fieldset>
      <legend className="visually-hidden">{t("folder.all")}</legend>
      <div className={styles.choice}>
        {entries.map(({ documentId, name, depth }) => (
          <label key={documentId ?? ""} style={{ paddingInlineStart: `${depth * INDENT + 0.5}rem` }}>
            <input type="radio" name="folder" checked={value === documentId} onChange={() => onChange(documentId)} />
            <Icon name={documentId === null ? "images" : "folder"} size={1} />
            <span className={styles.name}>{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
