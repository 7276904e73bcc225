import { useState } from "react";
import { useSession } from "../../app/session.js";
import type { Overlap } from "../../form/merge.js";
import type { Path } from "../../form/paths.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import styles from "./edit.module.css";
import type { OpenConflict } from "./document-state.js";
import { wordsOf } from "./value-words.js";

interface ConflictDialogProps {
  readonly conflict: OpenConflict;
  readonly onChoose: (chosen: ReadonlyMap<Path, unknown>) => void;
  readonly onClose: () => void;
}

type Side = "mine" | "theirs";

/** Two people changed the same: one chooses, path by path. */
export function ConflictDialog({ conflict, onChoose, onClose }: ConflictDialogProps) {
  const [sides, setSides] = useState<ReadonlyMap<Path, Side>>(new Map());
  const { overlaps, entry, isElsewhere, status } = conflict;
  const name = isElsewhere ? t("conflict.device") : (entry?._facts.updatedBy?.name ?? t("conflict.somebody"));
  const choose = () =>
    onChoose(new Map(overlaps.map(({ path, mine, theirs }) => [path, sides.get(path) === "theirs" ? theirs : mine])));
  return (
    <Dialog
      isOpen
      shape="wide"
      title={t(isElsewhere ? "conflict.device.title" : "conflict.title")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("conflict.later")}</Button>
          <Button look="primary" disabled={sides.size < overlaps.length} onClick={choose}>
            {t(status === undefined ? "conflict.take" : "conflict.save")}
          </Button>
        </>
      }
    >
      <p>{isElsewhere ? t("conflict.device.text") : t("conflict.text", { name })}</p>
      {overlaps.map((overlap) => (
        <Choice
          key={overlap.path}
          overlap={overlap}
          conflict={conflict}
          name={name}
          side={sides.get(overlap.path)}
          onChange={(side) => setSides(new Map([...sides, [overlap.path, side]]))}
        />
      ))}
    </Dialog>
  );
}

interface ChoiceProps {
  readonly overlap: Overlap;
  readonly conflict: OpenConflict;
  readonly name: string;
  readonly side: Side | undefined;
  readonly onChange: (side: Side) => void;
}

function Choice({ overlap, conflict, name, side, onChange }: ChoiceProps) {
  const { path, attribute } = overlap;
  const shapes = useSession();
  const words = (from: Side | "base") => {
    const leaves = from === "theirs" ? conflict.theirs.leaves : conflict.leaves;
    return wordsOf({ attribute, path, leaves, shapes, value: overlap[from] });
  };
  const option = (value: Side, label: string) => (
    <label className={styles.choice}>
      <span>
        <input type="radio" name={path} checked={side === value} onChange={() => onChange(value)} />
        {label}
      </span>
      <span className={styles.value}>{words(value)}</span>
    </label>
  );
  return (
    <fieldset className={styles.overlap}>
      <legend>
        <h3>{attribute.label}</h3>
      </legend>
      <div className={styles.choices}>
        {option("mine", t("conflict.mine"))}
        {option("theirs", t("conflict.theirs", { name }))}
      </div>
      <details>
        <summary>{t("conflict.before")}</summary>
        <p className={styles.value}>{words("base")}</p>
      </details>
    </fieldset>
  );
}
