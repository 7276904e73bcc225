import { useState } from "react";
import { t } from "../../messages/text.js";
import { Button, IconButton } from "../../ui/button.js";
import { Field, Group, TextInput } from "../../ui/field.js";
import planStyles from "../plans/plans.module.css";
import styles from "./webhooks.module.css";

interface HeaderRowsProps {
  /** Of those that are stored: their values are shown to nobody. */
  readonly names: readonly string[];
  /** Undefined: those that are stored stay. */
  readonly values: Readonly<Record<string, string>> | undefined;
  readonly problems: readonly string[];
  readonly isLocked: boolean;
  readonly onChange: (headers: Readonly<Record<string, string>> | undefined) => void;
}

interface Row {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

/** Headers that are sent along. They are written as a whole, because nobody is shown what is in them. */
export function HeaderRows({ names, values, problems, isLocked, onChange }: HeaderRowsProps) {
  const [rows, setRows] = useState<readonly Row[]>([]);
  const write = (next: readonly Row[]) => {
    setRows(next);
    onChange(Object.fromEntries(next.filter(({ name }) => name !== "").map(({ name, value }) => [name.trim(), value])));
  };
  const put = (key: number, change: Partial<Row>) =>
    write(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  const add = () => write([...rows, { key: Math.max(0, ...rows.map(({ key }) => key)) + 1, name: "", value: "" }]);
  const begin = () => write(names.map((name, key) => ({ key, name, value: "" })));
  return (
    <Field label={t("webhook.headers")} isGroup hint={t("webhook.headers.hint")} problems={problems}>
      {(ids) => (
        <Group ids={ids} className={styles.headers}>
          {values === undefined && names.length > 0 && (
            <p>
              {names.join(", ")} <span className={planStyles.soft}>{t("webhook.headers.hidden")}</span>
            </p>
          )}
          {values !== undefined &&
            rows.map(({ key, name, value }) => (
              <div key={key} className={styles.header}>
                <TextInput
                  aria-label={t("webhook.header.name")}
                  value={name}
                  onChange={({ target }) => put(key, { name: target.value })}
                />
                <TextInput
                  aria-label={t("webhook.header.value", { name })}
                  autoComplete="off"
                  value={value}
                  onChange={({ target }) => put(key, { value: target.value })}
                />
                <IconButton
                  icon="x"
                  label={t("webhook.header.remove", { name })}
                  onClick={() => write(rows.filter((row) => row.key !== key))}
                />
              </div>
            ))}
          {!isLocked && (
            <div className={planStyles.buttons}>
              {values === undefined && names.length > 0 ? (
                <Button isSmall onClick={begin}>
                  {t("webhook.headers.replace")}
                </Button>
              ) : (
                <Button isSmall icon="plus" onClick={add}>
                  {t("webhook.header.add")}
                </Button>
              )}
              {values !== undefined && (
                <Button
                  isSmall
                  look="quiet"
                  onClick={() => {
                    setRows([]);
                    onChange(undefined);
                  }}
                >
                  {t("webhook.headers.keep")}
                </Button>
              )}
            </div>
          )}
        </Group>
      )}
    </Field>
  );
}
