import { useMemo, useState } from "react";
import type { AttributeView, TypeView } from "../../../src/wire/model.js";
import { useSession } from "../../app/session.js";
import { FieldInput } from "../../fields/field-input.js";
import { changesOf } from "../../form/changes.js";
import { FormProvider } from "../../form/form-context.js";
import { flatten } from "../../form/shape.js";
import { FormStore } from "../../form/store.js";
import { t } from "../../messages/text.js";
import { Field, Select, tiedTo } from "../../ui/field.js";
import { BulkDialog } from "./bulk-dialog.js";
import { type BulkTarget, useBulk } from "./bulk-request.js";

interface SetValueProps {
  readonly type: TypeView;
  readonly target: BulkTarget;
  readonly onClose: () => void;
  /** Called before it is closed. */
  readonly onDone: () => void;
}

/** Gives one attribute of several documents the same value, by the field's own input. */
export default function SetValue({ type, target, onClose, onDone }: SetValueProps) {
  const session = useSession();
  const fields = Object.entries(type.attributes).filter(([, attribute]) => canBeSet(attribute));
  const [name, setName] = useState(fields[0]?.[0] ?? "");
  const attribute = type.attributes[name];
  const store = useMemo(() => {
    const attributes = attribute ? { [name]: attribute } : {};
    return new FormStore(session, attributes, flatten(session, attributes, {}));
  }, [session, name, attribute]);
  const bulk = useBulk(target, () => {
    onDone();
    onClose();
  });
  if (!attribute) return null;
  const place = { uid: type.uid, documentId: null, ownId: undefined, locale: target.locale, isReadOnly: false };
  return (
    <BulkDialog
      {...{ target, bulk, onClose }}
      title={t("bulk.ask.set", { count: target.titles.size })}
      actionText={t("action.set")}
      onRun={() =>
        void bulk.run("set", { [name]: store.changedBelow(name) > 0 ? changesOf(store)[name] : emptyOf(attribute) })
      }
    >
      <Field label={t("filter.field")}>
        {(ids) => (
          <Select {...tiedTo(ids)} value={name} onChange={({ target: { value } }) => setName(value)}>
            {fields.map(([key, { label }]) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <FormProvider value={{ ...place, store, Input: FieldInput }}>
        <FieldInput key={name} path={name} attribute={attribute} isReadOnly={false} />
      </FormProvider>
      <p>{t(attribute.kind === "relation" && attribute.isMultiple ? "bulk.text.link" : "bulk.text.set")}</p>
    </BulkDialog>
  );
}

/** What is one value of each document cannot be the same of several. */
const canBeSet = ({ kind, isEditable, isVisible, isUnique }: AttributeView): boolean =>
  isEditable && isVisible && !isUnique && kind !== "uid" && kind !== "password";

/** What a field sends that was left empty. */
function emptyOf({ kind, isMultiple }: AttributeView): unknown {
  if (kind === "relation") return isMultiple ? {} : { set: [] };
  return isMultiple || kind === "dynamiczone" ? [] : null;
}
