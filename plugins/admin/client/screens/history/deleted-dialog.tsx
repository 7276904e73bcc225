import type { DeletedView } from "../../../src/wire/history.js";
import type { TypeView } from "../../../src/wire/model.js";
import { useSession } from "../../app/session.js";
import type { Leaves } from "../../form/shape.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Bone, Failed } from "../../ui/state.js";
import { wordsOf } from "../edit/value-words.js";
import { titleOf } from "../list/row-title.js";
import { useVersion } from "./history-requests.js";
import styles from "./history.module.css";
import type { ReadVersion } from "./version-leaves.js";
import type { Restore } from "./use-restore.js";
import { VersionProblems } from "./version-problems.js";

interface DeletedDialogProps {
  readonly type: TypeView;
  readonly document: DeletedView;
  readonly restore: Restore | undefined;
  readonly onClose: () => void;
}

const NOTHING: Leaves = new Map();

/** What was in a document when it was deleted. */
export function DeletedDialog({ type, document, restore, onClose }: DeletedDialogProps) {
  const { id, documentId, locale } = document;
  const isSingle = type.kind === "singleType";
  const place = { type, id: isSingle ? "single" : documentId, locale: locale === "" ? undefined : locale };
  const { data, error, refetch } = useVersion(place, id, () => NOTHING);
  return (
    <Dialog
      isOpen
      shape="wide"
      title={titleOf(type, { ...document.data, documentId })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.close")}</Button>
          {restore && (
            <Button look="primary" onClick={() => void restore(document)}>
              {t("deleted.restore")}
            </Button>
          )}
        </>
      }
    >
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Bone height="8rem" />}
      {data && <VersionProblems version={data.version} attributes={type.attributes} />}
      {data && <Values type={type} read={data} />}
    </Dialog>
  );
}

function Values({ type, read: { leaves, names } }: { readonly type: TypeView; readonly read: ReadVersion }) {
  const shapes = useSession();
  return (
    <dl className={styles.values}>
      {Object.entries(type.attributes).flatMap(([name, attribute]) =>
        names.has(name) && attribute.kind !== "password" ? (
          <div key={name}>
            <dt>{attribute.label}</dt>
            <dd>{wordsOf({ attribute, path: name, leaves, shapes, value: leaves.get(name) ?? null })}</dd>
          </div>
        ) : (
          []
        ),
      )}
    </dl>
  );
}
