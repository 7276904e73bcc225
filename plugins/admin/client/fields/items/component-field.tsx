import { useSession } from "../../app/session.js";
import { useForm, useItems, useProblems } from "../../form/form-context.js";
import { below } from "../../form/paths.js";
import { newKey } from "../../form/shape.js";
import { t } from "../../messages/text.js";
import { Button, IconButton } from "../../ui/button.js";
import { Field, Group } from "../../ui/field.js";
import { ADD, firstControl, focusSoon, ROW } from "../../ui/move-focus.js";
import { FieldGrid } from "../field-grid.js";
import { idOf } from "../field-id.js";
import type { InputProps } from "../field-props.js";
import styles from "./items.module.css";
import { ItemsField } from "./items-field.js";
import { useRemoval } from "./use-removal.js";

/** One component: a group of fields; where it is optional it is added first. */
export function ComponentField(props: InputProps) {
  return props.attribute.isMultiple ? <ItemsField {...props} /> : <OneComponent {...props} />;
}

function OneComponent({ path, attribute, isReadOnly }: InputProps) {
  const { store } = useForm();
  const [item] = useItems(path);
  const remove = useRemoval(path);
  const problems = useProblems(path);
  const component = useSession().components.get(attribute.component ?? "");
  if (!component) return null;
  const add = () => {
    store.insert(path, { key: newKey(), id: null, component: component.uid }, 0);
    focusSoon(() => firstControl(document.getElementById(idOf(path))));
  };
  return (
    <Field
      id={idOf(path)}
      label={attribute.label}
      hint={attribute.hint}
      isRequired={attribute.isRequired}
      problems={problems}
      isGroup
      aside={
        item &&
        !attribute.isRequired &&
        !isReadOnly && (
          <IconButton
            isSmall
            icon="trash-2"
            label={t("items.remove", { name: attribute.label })}
            onClick={() => remove(item, attribute.label)}
          />
        )
      }
    >
      {(ids) =>
        item ? (
          <Group ids={ids} className={styles.group}>
            <div {...ROW}>
              <FieldGrid layout={component.layout} attributes={component.attributes} path={below(path, item.key)} />
            </div>
          </Group>
        ) : (
          <Group ids={ids} className={styles.empty}>
            <Button icon="plus" disabled={isReadOnly} onClick={add} {...ADD}>
              {t("items.add", { name: attribute.label })}
            </Button>
          </Group>
        )
      }
    </Field>
  );
}
