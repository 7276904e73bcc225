import { type FormEvent, useId, useState } from "react";
import type { TypeView } from "../../../../src/wire/model.js";
import type { SavedView, ViewState } from "../../../../src/wire/views.js";
import { t } from "../../../messages/text.js";
import { Button } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import { Field, TextInput, tiedTo } from "../../../ui/field.js";
import { Banner, messageOf } from "../../../ui/state.js";
import { sayDone } from "../../../ui/toast.js";
import { useViewWrites, type Views, type ViewWrites } from "./use-views.js";
import styles from "./views.module.css";

const MAX_NAME = 100;

interface ViewDialogProps {
  readonly type: TypeView;
  readonly views: Views;
  /** What is changed; nothing: it is a new one. */
  readonly view?: SavedView;
  /** Of a new one. */
  readonly state?: ViewState;
  readonly onClose: () => void;
  /** Called for a new one, before the window is closed. */
  readonly onSaved?: (view: SavedView) => void;
}

/** What is typed into the window. */
interface Typed {
  readonly name: string;
  readonly roles: readonly string[];
  readonly isInitial: boolean;
}

/** Names a view, says whom it is shared with, and whether the list opens with it. */
export default function ViewDialog({ type, views, view, state = {}, onClose, onSaved }: ViewDialogProps) {
  const formId = useId();
  const writes = useViewWrites(type.uid);
  const wasInitial = view !== undefined && views.initial === view;
  const [typed, setTyped] = useState<Typed>({
    name: view?.name ?? "",
    roles: view?.roles ?? [],
    isInitial: wasInitial,
  });
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const saved = await write(writes, typed, view, state);
      if (typed.isInitial !== wasInitial) await writes.prefer({ default: typed.isInitial ? saved.id : undefined });
      sayDone(t("views.saved", { name: saved.name }));
      if (!view) onSaved?.(saved);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) void save();
  };
  return (
    <Dialog
      isOpen
      title={t(view ? "views.edit" : "views.saveAs")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look="primary" type="submit" form={formId} isBusy={isBusy}>
            {t("action.save")}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={submit}>
        <Field label={t("views.name")} isRequired hint={view ? undefined : t("views.name.hint")}>
          {(ids) => (
            <TextInput
              {...tiedTo(ids)}
              required
              maxLength={MAX_NAME}
              value={typed.name}
              onChange={({ target }) => setTyped({ ...typed, name: target.value })}
            />
          )}
        </Field>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={typed.isInitial}
            onChange={({ target }) => setTyped({ ...typed, isInitial: target.checked })}
          />
          {t("views.openWith")}
        </label>
        {views.roles.length > 0 && (
          <RoleChoice known={views.roles} chosen={typed.roles} onChange={(roles) => setTyped({ ...typed, roles })} />
        )}
      </form>
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
    </Dialog>
  );
}

/** What may not be shared is not sent as shared with nobody. */
async function write(
  writes: ViewWrites,
  { name, roles }: Typed,
  view: SavedView | undefined,
  state: ViewState,
): Promise<SavedView> {
  if (!view) return await writes.create({ name: name.trim(), state, roles });
  const isSame = roles.length === view.roles.length && roles.every((role) => view.roles.includes(role));
  return await writes.update(view.id, { name: name.trim(), ...(isSame ? {} : { roles }) });
}

interface RoleChoiceProps {
  readonly known: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (roles: readonly string[]) => void;
}

function RoleChoice({ known, chosen, onChange }: RoleChoiceProps) {
  return (
    <fieldset className={styles.roles}>
      <legend>{t("views.share")}</legend>
      <p>{t("views.share.text")}</p>
      {known.map((role) => (
        <label key={role} className={styles.check}>
          <input
            type="checkbox"
            checked={chosen.includes(role)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, role] : chosen.filter((other) => other !== role))
            }
          />
          {role}
        </label>
      ))}
    </fieldset>
  );
}
