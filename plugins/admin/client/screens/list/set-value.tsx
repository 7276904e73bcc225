import { useCallback, useMemo, useState, useSyncExternalStore } from "react";
import type { AttributeView, TypeView } from "../../../src/wire/model.js";
import { useSession } from "../../app/session.js";
import { Radios } from "../../fields/choice/radios.js";
import { FieldInput } from "../../fields/field-input.js";
import { changesOf } from "../../form/changes.js";
import { FormProvider } from "../../form/form-context.js";
import { flatten } from "../../form/shape.js";
import { FormStore } from "../../form/store.js";
import { t } from "../../messages/text.js";
import { Field, Select, tiedTo } from "../../ui/field.js";
import { BulkDialog } from "./bulk-dialog.js";
import { type BulkTarget, useBulk } from "./bulk-request.js";
import { canBeSet, type SetMode, modesOf, sentBy } from "./set-modes.js";

interface SetValueProps {
  readonly type: TypeView;
  readonly target: BulkTarget;
  readonly onClose: () => void;
  /** Called before it is closed. */
  readonly onDone: () => void;
}

/** Gives one attribute of several documents the same value, by the field's own input, or empties it. */
export default function SetValue({ type, target, onClose, onDone }: SetValueProps) {
  const session = useSession();
  const fields = Object.entries(type.attributes).filter(([, attribute]) => canBeSet(attribute));
  const [name, setName] = useState(fields[0]?.[0] ?? "");
  const [chosen, setMode] = useState<SetMode>();
  const attribute = type.attributes[name];
  const store = useMemo(() => {
    // An empty form: a default would be a value that nobody chose.
    const attributes = attribute ? { [name]: { ...attribute, isEditable: true } } : {};
    return new FormStore(session, attributes, flatten(session, attributes, {}));
  }, [session, name, attribute]);
  const isChanged = useIsChanged(store, name);
  const bulk = useBulk(target, () => {
    onDone();
    onClose();
  });
  if (!attribute) return null;
  const modes = modesOf(attribute);
  const mode = modes.find((known) => known === chosen) ?? modes[0] ?? "set";
  const place = { uid: type.uid, documentId: null, ownId: undefined, locale: target.locale, isReadOnly: false };
  return (
    <BulkDialog
      {...{ target, bulk, onClose }}
      title={t("bulk.ask.set", { count: target.titles.size })}
      actionText={t("action.set")}
      isDangerous={mode === "clear"}
      canRun={mode === "clear" || isChanged}
      onRun={() => void bulk.run("set", { [name]: sentBy(mode, attribute, changesOf(store)[name]) })}
    >
      <FieldChoice
        {...{ fields, name }}
        onChange={(next) => {
          setName(next);
          setMode(undefined);
        }}
      />
      {modes.length > 1 && <ModeChoice {...{ modes, mode }} onChange={setMode} />}
      {mode !== "clear" && (
        <FormProvider value={{ ...place, store, Input: FieldInput }}>
          <FieldInput key={name} path={name} attribute={attribute} isReadOnly={false} />
        </FormProvider>
      )}
      <p>{t(`bulk.mode.${mode}.text`)}</p>
    </BulkDialog>
  );
}

function useIsChanged(store: FormStore, name: string): boolean {
  const subscribe = useCallback((listener: () => void) => store.subscribe(name, listener), [store, name]);
  return useSyncExternalStore(subscribe, () => store.changedBelow(name) > 0);
}

interface FieldChoiceProps {
  readonly fields: readonly (readonly [string, AttributeView])[];
  readonly name: string;
  readonly onChange: (name: string) => void;
}

function FieldChoice({ fields, name, onChange }: FieldChoiceProps) {
  return (
    <Field label={t("filter.field")}>
      {(ids) => (
        <Select {...tiedTo(ids)} value={name} onChange={({ target: { value } }) => onChange(value)}>
          {fields.map(([key, { label }]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

interface ModeChoiceProps {
  readonly modes: readonly SetMode[];
  readonly mode: SetMode;
  readonly onChange: (mode: SetMode) => void;
}

function ModeChoice({ modes, mode, onChange }: ModeChoiceProps) {
  const options = modes.map((value) => ({ value, label: t(`bulk.mode.${value}`) }));
  return (
    <Field label={t("bulk.mode")} isGroup>
      {(ids) => <Radios ids={ids} options={options} value={mode} isReadOnly={false} onChange={onChange} />}
    </Field>
  );
}
