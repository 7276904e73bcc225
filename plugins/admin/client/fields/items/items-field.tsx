import { useSession } from "../../app/session.js";
import { useProblems } from "../../form/form-context.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Field, Group } from "../../ui/field.js";
import { PopoverButton } from "../../ui/menu.js";
import { ADD } from "../../ui/move-focus.js";
import { idOf } from "../field-id.js";
import type { InputProps } from "../field-props.js";
import { ComponentPicker } from "./component-picker.js";
import { copiedItem } from "./copy-item.js";
import { ItemCard } from "./item-card.js";
import styles from "./items.module.css";
import { type ItemList, useItemList } from "./use-item-list.js";

/** Several components: cards in an order that is changed by drag, by menu and by keys. */
export function ItemsField({ path, attribute, isReadOnly }: InputProps) {
  const list = useItemList(path);
  const problems = useProblems(path);
  const { items, open } = list;
  const kinds = attribute.kind === "dynamiczone" ? (attribute.components ?? []) : [attribute.component ?? ""];
  return (
    <Field
      id={idOf(path)}
      label={attribute.label}
      hint={attribute.hint}
      isRequired={attribute.isRequired}
      problems={problems}
      isGroup
      aside={countText(items.length, attribute)}
    >
      {(ids) => (
        <Group ids={ids} className={styles.list}>
          {items.length === 0 && <p className={styles.empty}>{t("items.none")}</p>}
          {items.map((item, index) => (
            <ItemCard
              key={item.key}
              {...{ path, item, index, isReadOnly, kinds, list }}
              isOpen={open.has(item.key)}
              onToggle={(isOpen) => list.toggle(item.key, isOpen)}
            />
          ))}
          {!isReadOnly && <Bar list={list} kinds={kinds} label={attribute.label} />}
        </Group>
      )}
    </Field>
  );
}

interface BarProps {
  readonly list: ItemList;
  readonly kinds: readonly string[];
  readonly label: string;
}

/** What adds to a list, and opens or closes all of its cards. */
function Bar({ list, kinds, label }: BarProps) {
  const { components } = useSession();
  const copied = copiedItem();
  return (
    <div className={styles.bar}>
      <span {...ADD}>
        <AddButton kinds={kinds} label={label} onAdd={(uid) => list.insert(uid, list.items.length)} />
      </span>
      {copied && kinds.includes(copied.component) && (
        <Button icon="copy" look="quiet" onClick={list.paste}>
          {t("items.paste", { name: components.get(copied.component)?.label ?? copied.component })}
        </Button>
      )}
      {list.items.length > 1 && (
        <Button look="quiet" onClick={list.toggleAll}>
          {list.open.size > 0 ? t("items.closeAll") : t("items.openAll")}
        </Button>
      )}
    </div>
  );
}

function countText(count: number, { min, max }: InputProps["attribute"]): string | undefined {
  if (max !== undefined) return t("items.ofMax", { count, max: Number(max) });
  if (min !== undefined && count < Number(min)) return t("items.ofMin", { count, min: Number(min) });
  return count > 1 ? String(count) : undefined;
}

interface AddButtonProps {
  readonly kinds: readonly string[];
  readonly label: string;
  readonly onAdd: (uid: string) => void;
}

function AddButton({ kinds, label, onAdd }: AddButtonProps) {
  const [only] = kinds;
  if (kinds.length === 1 && only !== undefined)
    return (
      <Button icon="plus" onClick={() => onAdd(only)}>
        {t("items.add", { name: label })}
      </Button>
    );
  return (
    <PopoverButton label={t("items.choose")} text={t("items.add", { name: label })} icon="plus" look="plain">
      {(close) => (
        <ComponentPicker
          kinds={kinds}
          onPick={(uid) => {
            close();
            onAdd(uid);
          }}
        />
      )}
    </PopoverButton>
  );
}
