import { ComboBox, Input, ListBox, ListBoxItem, Popover } from "react-aria-components";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import { type FieldIds, inputClass } from "../../ui/field.js";
import { Icon } from "../../ui/icon.js";
import overlay from "../../ui/overlay.module.css";
import styles from "./choice.module.css";

interface EnumerationComboboxProps {
  readonly ids: FieldIds;
  readonly values: readonly string[];
  readonly value: string | null;
  readonly isReadOnly: boolean;
  readonly onChange: (value: string | null) => void;
}

/** One of many values: typing finds it, and nothing else is taken. */
export function EnumerationCombobox({ ids, values, value, isReadOnly, onChange }: EnumerationComboboxProps) {
  return (
    <ComboBox
      className={styles.combobox ?? ""}
      aria-labelledby={ids.labelId}
      {...(ids.describedBy ? { "aria-describedby": ids.describedBy } : {})}
      isInvalid={ids.isInvalid}
      isReadOnly={isReadOnly}
      menuTrigger="focus"
      allowsEmptyCollection
      defaultItems={values.map((name) => ({ id: name }))}
      selectedKey={value}
      // An input that was emptied chooses nothing.
      onSelectionChange={(key) => onChange(key === null ? null : String(key))}
    >
      <Input id={ids.id} className={inputClass ?? ""} aria-required={ids.isRequired || undefined} />
      <Icon name="chevron-down" size={0.875} />
      <Popover className={classNames(overlay.popover, styles.popover)} offset={4}>
        <ListBox<{ id: string }>
          className={styles.options ?? ""}
          renderEmptyState={() => <p className={styles.nothing}>{t("relation.nothing")}</p>}
        >
          {({ id }) => (
            <ListBoxItem id={id} textValue={id} className={styles.option ?? ""}>
              {id}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
