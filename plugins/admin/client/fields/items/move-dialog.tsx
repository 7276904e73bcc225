import { type FormEvent, useState } from "react";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";

interface MoveDialogProps {
  /** Where the item stands now, from 1 on. */
  readonly place: number;
  readonly count: number;
  readonly onMove: (place: number) => void;
  readonly onClose: () => void;
}

/** Moves an item to a place by its number. */
export function MoveDialog({ place, count, onMove, onClose }: MoveDialogProps) {
  const [typed, setTyped] = useState(String(place));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onMove(Number(typed));
    onClose();
  };
  return (
    <Dialog isOpen title={t("items.to")} onClose={onClose}>
      <form onSubmit={submit}>
        <Field label={t("items.place", { count })}>
          {(ids) => (
            <TextInput
              {...tiedTo(ids)}
              type="number"
              min={1}
              max={count}
              required
              autoFocus
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <Button look="primary" type="submit" style={{ marginBlockStart: "var(--space-3)" }}>
          {t("items.move")}
        </Button>
      </form>
    </Dialog>
  );
}
