import { type ReactNode, useState } from "react";
import type { LocaleView } from "../../../../src/wire/locales.js";
import { useSubmit } from "../../../app/use-submit.js";
import { language, t } from "../../../messages/text.js";
import { Button, IconButton } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import { Field, Select, TextInput, tiedTo } from "../../../ui/field.js";
import { type Refusal, refusalOf } from "../frame/refusal.js";
import styles from "../frame/settings.module.css";
import { languageName, ownName } from "./iso-languages.js";
import { LanguageSearch } from "./language-search.js";
import { useLocaleWrites } from "./locale-requests.js";

interface LocaleDialogProps {
  readonly locale: LocaleView;
  readonly onClose: () => void;
}

interface FrameProps {
  readonly title: string;
  readonly action: string;
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly fields: readonly string[];
  readonly isReady?: boolean;
  readonly children: (refusal: Refusal) => ReactNode;
}

/** A window with a form that is sent as one. */
function FormDialog({ title, action, run, onClose, fields, isReady = true, children }: FrameProps) {
  const { isBusy, error, submit } = useSubmit(async () => {
    await run();
    onClose();
  });
  const refusal = refusalOf(error, fields);
  return (
    <Dialog
      isOpen
      title={title}
      onClose={isBusy ? undefined : onClose}
      footer={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            {t("action.cancel")}
          </Button>
          <Button look="primary" isBusy={isBusy || !isReady} onClick={() => void submit()}>
            {action}
          </Button>
        </>
      }
    >
      {refusal.general && (
        <p role="alert" className={styles.wrong}>
          {refusal.general}
        </p>
      )}
      {children(refusal)}
    </Dialog>
  );
}

interface AddLanguageProps {
  readonly known: readonly LocaleView[];
  readonly onClose: () => void;
}

/** Adds a language: one of those that there are, or a code of one's own. */
export function AddLanguage({ known, onClose }: AddLanguageProps) {
  const { create } = useLocaleWrites();
  const [code, setCode] = useState("");
  const [name, setName] = useState("");
  const choose = (next: string) => {
    setCode(next);
    setName(nameIn(next));
  };
  return (
    <FormDialog
      title={t("languages.add")}
      action={t("languages.add.do")}
      fields={["code", "name"]}
      isReady={code !== ""}
      onClose={onClose}
      run={() => create({ code, ...(name.trim() === "" ? {} : { name: name.trim() }) })}
    >
      {({ byField }) => (
        <>
          <LanguageSearch
            taken={known.map((locale) => locale.code)}
            problems={byField.get("code") ?? []}
            onChange={choose}
          />
          <NameField value={name} onChange={setName} problems={byField.get("name") ?? []} />
        </>
      )}
    </FormDialog>
  );
}

/** What a language is called by those who speak it, or by the reader; with a capital, as it stands alone. */
function nameIn(code: string): string {
  const name = ownName(code) ?? languageName(code, language()) ?? code;
  return name.charAt(0).toLocaleUpperCase() + name.slice(1);
}

interface NameFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problems: readonly string[];
}

const NameField = ({ value, onChange, problems }: NameFieldProps) => (
  <Field label={t("languages.name")} hint={t("languages.name.hint")} problems={problems}>
    {(ids) => (
      <TextInput {...tiedTo(ids)} value={value} maxLength={200} onChange={({ target }) => onChange(target.value)} />
    )}
  </Field>
);

/** Gives a language another name; its code is in every document and stays. */
export function RenameDialog({ locale, onClose }: LocaleDialogProps) {
  const { update } = useLocaleWrites();
  const [name, setName] = useState(locale.name);
  return (
    <FormDialog
      title={t("languages.rename.of", { name: locale.name })}
      action={t("action.save")}
      fields={["name"]}
      onClose={onClose}
      run={() => update(locale.documentId, { name: name.trim() })}
    >
      {({ byField }) => <NameField value={name} onChange={setName} problems={byField.get("name") ?? []} />}
    </FormDialog>
  );
}

/** Which languages stand in where a document is not in this one, in which order. */
export function FallbackDialog({ locale, all, onClose }: LocaleDialogProps & { readonly all: readonly LocaleView[] }) {
  const { update } = useLocaleWrites();
  const [codes, setCodes] = useState(locale.fallback);
  const nameOf = (code: string) => all.find((each) => each.code === code)?.name ?? code;
  const free = all.map(({ code }) => code).filter((code) => code !== locale.code && !codes.includes(code));
  const swap = (index: number) =>
    setCodes(
      codes.map((code, place) => codes[place === index ? index - 1 : place === index - 1 ? index : place] ?? code),
    );
  return (
    <FormDialog
      title={t("languages.fallback.of", { name: locale.name })}
      action={t("action.save")}
      fields={[]}
      onClose={onClose}
      run={() => update(locale.documentId, { fallback: codes })}
    >
      {() => (
        <>
          <p className={styles.soft}>{t("languages.fallback.text")}</p>
          {codes.length > 0 && (
            <ol className={styles.rows}>
              {codes.map((code, index) => (
                <li key={code} className={styles.row}>
                  <span>{nameOf(code)}</span>
                  <span className={styles.line}>
                    <IconButton
                      isSmall
                      icon="arrow-up"
                      label={t("columns.up", { column: nameOf(code) })}
                      disabled={index === 0}
                      onClick={() => swap(index)}
                    />
                    <IconButton
                      isSmall
                      icon="x"
                      label={t("languages.fallback.remove", { name: nameOf(code) })}
                      onClick={() => setCodes(codes.filter((other) => other !== code))}
                    />
                  </span>
                </li>
              ))}
            </ol>
          )}
          {free.length > 0 && (
            <Field label={t("languages.fallback.add")}>
              {(ids) => (
                <Select {...tiedTo(ids)} value="" onChange={({ target }) => setCodes([...codes, target.value])}>
                  <option value="">–</option>
                  {free.map((code) => (
                    <option key={code} value={code}>
                      {nameOf(code)}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          )}
        </>
      )}
    </FormDialog>
  );
}
