import { useState } from "react";
import type { FileView } from "../../../src/wire/files.js";
import { t } from "../../messages/text.js";
import { Button, IconButton } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import { ROW } from "../../ui/move-focus.js";
import { Banner, messageOf } from "../../ui/state.js";
import { changeFile } from "./files-api.js";
import styles from "./media.module.css";
import { Preview } from "./preview.js";

interface FileTileProps {
  readonly file: FileView;
  readonly isReadOnly: boolean;
  readonly onChange: (file: FileView) => void;
  readonly onRemove: () => void;
  readonly onMove: ((by: -1 | 1) => void) | undefined;
}

/** A chosen file. */
export function FileTile({ file, isReadOnly, onChange, onRemove, onMove }: FileTileProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li {...ROW} className={styles.tile}>
      <Preview file={file} />
      <p className={styles.name} title={file.name}>
        {file.name}
      </p>
      {!isReadOnly && (
        <span className={styles.actions}>
          <IconButton
            isSmall
            icon="pencil"
            label={t("media.edit", { name: file.name })}
            onClick={() => setOpen(true)}
          />
          {onMove && (
            <>
              <IconButton
                isSmall
                icon="chevron-left"
                label={t("media.earlier", { name: file.name })}
                onClick={() => onMove(-1)}
              />
              <IconButton
                isSmall
                icon="chevron-right"
                label={t("media.later", { name: file.name })}
                onClick={() => onMove(1)}
              />
            </>
          )}
          <IconButton isSmall icon="x" label={t("media.remove", { name: file.name })} onClick={onRemove} />
        </span>
      )}
      {isOpen && <FileDialog file={file} onChange={onChange} onClose={() => setOpen(false)} />}
    </li>
  );
}

interface FileDialogProps {
  readonly file: FileView;
  readonly onChange: (file: FileView) => void;
  readonly onClose: () => void;
}

/** What is said of a file; it holds wherever the file is used. */
function FileDialog({ file, onChange, onClose }: FileDialogProps) {
  const [values, setValues] = useState({ name: file.name, alternativeText: file.alternativeText ?? "" });
  const [error, setError] = useState<unknown>();
  const save = async () => {
    try {
      const { data } = await changeFile(file.documentId, values);
      onChange({ ...file, ...data });
      onClose();
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Dialog
      isOpen
      title={t("media.details")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look="primary" onClick={() => void save()}>
            {t("action.save")}
          </Button>
        </>
      }
    >
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
      <Preview file={file} />
      <Field label={t("media.alternative")} hint={t("media.alternative.hint")}>
        {(ids) => (
          <TextInput
            {...tiedTo(ids)}
            value={values.alternativeText}
            onChange={({ target }) => setValues({ ...values, alternativeText: target.value })}
          />
        )}
      </Field>
      <Field label={t("media.name")}>
        {(ids) => (
          <TextInput
            {...tiedTo(ids)}
            value={values.name}
            onChange={({ target }) => setValues({ ...values, name: target.value })}
          />
        )}
      </Field>
    </Dialog>
  );
}
