import { useState } from "react";
import { useProblems } from "../../form/form-context.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Field, Group } from "../../ui/field.js";
import { ADD } from "../../ui/move-focus.js";
import { idOf } from "../field-id.js";
import type { InputProps } from "../field-props.js";
import { FileTile } from "./file-tile.js";
import { Library } from "./library.js";
import styles from "./media.module.css";
import { acceptOf } from "./pick-files.js";
import { useFiles } from "./use-files.js";
import { useUpload } from "./use-upload.js";

/** Files: chosen from the library, dropped, pasted or picked from the disk. */
export function MediaField({ path, attribute, isReadOnly }: InputProps) {
  const problems = useProblems(path);
  const [isLibrary, setLibrary] = useState(false);
  const { isMultiple = false, allowedTypes = [] } = attribute;
  const { files, add, change, move, remove } = useFiles(path, isMultiple);
  const upload = useUpload(isMultiple, add);
  const mayAdd = !isReadOnly && (isMultiple || files.length === 0);
  return (
    <Field
      id={idOf(path)}
      label={attribute.label}
      hint={attribute.hint}
      isRequired={attribute.isRequired}
      problems={upload.problem === undefined ? problems : [upload.problem, ...problems]}
      isGroup
    >
      {(ids) => (
        <Group ids={ids} tabIndex={-1} className={styles.field} onPaste={mayAdd ? upload.onPaste : undefined}>
          {files.length > 0 && (
            <ul className={styles.tiles}>
              {files.map((file, index) => (
                <FileTile
                  key={file.id}
                  file={file}
                  isReadOnly={isReadOnly}
                  onChange={change}
                  onRemove={() => remove(index)}
                  onMove={isMultiple && files.length > 1 ? (by) => move(index, by) : undefined}
                />
              ))}
            </ul>
          )}
          {isReadOnly && files.length === 0 && <p className={styles.none}>{t("media.none")}</p>}
          {mayAdd && (
            <div className={styles.drop} data-over={upload.isOver} {...upload.dropProps}>
              {upload.progress === undefined ? (
                <>
                  <div className={styles.bar}>
                    <Button icon="images" {...ADD} onClick={() => setLibrary(true)}>
                      {t("media.choose")}
                    </Button>
                    <Button icon="upload" onClick={() => upload.pick(acceptOf(allowedTypes))}>
                      {t("media.upload")}
                    </Button>
                  </div>
                  <p>{t("media.drop")}</p>
                </>
              ) : (
                <>
                  <progress className={styles.progress} value={upload.progress} aria-label={t("media.uploading")} />
                  <Button isSmall onClick={upload.cancel}>
                    {t("action.cancel")}
                  </Button>
                </>
              )}
            </div>
          )}
          {isLibrary && (
            <Library
              types={allowedTypes}
              isMultiple={isMultiple}
              onClose={() => setLibrary(false)}
              onPick={(picked) => {
                setLibrary(false);
                add(picked);
              }}
            />
          )}
        </Group>
      )}
    </Field>
  );
}
