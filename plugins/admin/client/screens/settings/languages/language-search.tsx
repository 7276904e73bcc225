import { useMemo, useState } from "react";
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from "react-aria-components";
import choice from "../../../fields/choice/choice.module.css";
import { language, t } from "../../../messages/text.js";
import { classNames } from "../../../ui/class-names.js";
import { Field, inputClass } from "../../../ui/field.js";
import { Icon } from "../../../ui/icon.js";
import overlay from "../../../ui/overlay.module.css";
import styles from "../frame/settings.module.css";
import { type KnownLanguage, knownLanguages } from "./iso-languages.js";

interface LanguageSearchProps {
  /** Codes that there are already. */
  readonly taken: readonly string[];
  readonly problems: readonly string[];
  /** With a code: of the list, or as it was typed. */
  readonly onChange: (code: string) => void;
}

/** The form of codes that the server takes. @source plugins/i18n/src/check-locale.ts */
const CODE = /^[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i;

/** How many are shown at once; who searches for one types. */
const MOST = 60;

/** Finds a language by its name in the reader's language or by its code. A code that is in no list is taken as well. */
export function LanguageSearch({ taken, problems, onChange }: LanguageSearchProps) {
  const [text, setText] = useState("");
  const known = useMemo(() => knownLanguages(language()), []);
  const has = new Set(taken.map((code) => code.toLowerCase()));
  const free = known.filter(({ code }) => !has.has(code.toLowerCase()));
  const found = free.filter((each) => matches(each, text)).slice(0, MOST);
  const typed = (value: string) => {
    setText(value);
    const code = value.trim();
    onChange(CODE.test(code) && (code.includes("-") || free.some((each) => each.code === code)) ? code : "");
  };
  return (
    <Field label={t("languages.search")} hint={t("languages.search.hint")} problems={problems} isRequired>
      {(ids) => (
        <ComboBox
          className={choice.combobox ?? ""}
          aria-labelledby={ids.labelId}
          {...(ids.describedBy ? { "aria-describedby": ids.describedBy } : {})}
          isInvalid={ids.isInvalid}
          menuTrigger="focus"
          allowsCustomValue
          allowsEmptyCollection
          items={found.map((each) => ({ ...each, id: each.code }))}
          inputValue={text}
          onInputChange={typed}
          onSelectionChange={(key) => {
            const chosen = known.find(({ code }) => code === key);
            if (!chosen) return;
            setText(chosen.name);
            onChange(chosen.code);
          }}
        >
          <Input id={ids.id} className={inputClass ?? ""} aria-required />
          <Icon name="chevron-down" size={0.875} />
          <Popover className={classNames(overlay.popover, choice.popover)} offset={4}>
            <ListBox<KnownLanguage & { readonly id: string }>
              className={choice.options ?? ""}
              renderEmptyState={() => <p className={choice.nothing}>{t("relation.nothing")}</p>}
            >
              {({ id, name }) => (
                <ListBoxItem id={id} textValue={name} className={choice.option ?? ""}>
                  <span className={styles.line}>
                    {name} <code className={styles.code}>{id}</code>
                  </span>
                </ListBoxItem>
              )}
            </ListBox>
          </Popover>
        </ComboBox>
      )}
    </Field>
  );
}

const matches = ({ code, name }: KnownLanguage, text: string): boolean => {
  const wanted = text.trim().toLowerCase();
  return name.toLowerCase().includes(wanted) || code.toLowerCase().startsWith(wanted);
};
