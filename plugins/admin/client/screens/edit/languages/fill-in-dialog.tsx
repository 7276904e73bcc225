import { useState } from "react";
import type { AttributeView } from "../../../../src/wire/model.js";
import { useSession } from "../../../app/session.js";
import type { FormPlace } from "../../../form/form-context.js";
import { isSameBelow } from "../../../form/stored-value.js";
import type { FormStore } from "../../../form/store.js";
import { takenOf } from "../../../form/transfer.js";
import { isRightToLeft, t } from "../../../messages/text.js";
import { Button } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import { Select } from "../../../ui/field.js";
import { Bone, Failed } from "../../../ui/state.js";
import type { OpenDocument } from "../open-document.js";
import { wordsOf } from "../value-words.js";
import { useLocaleStates } from "./locale-states.js";
import styles from "./languages.module.css";
import { type OtherLanguage, useOtherLanguage } from "./other-language.js";
import { useTaking } from "./use-taking.js";

interface FillInProps {
  readonly opened: OpenDocument;
  readonly form: FormPlace;
  /** The language that is taken from first. */
  readonly locale: string;
  readonly onClose: () => void;
}

/** Shows what another language has that the form has not, and takes what is chosen of it. */
export function FillInDialog({ opened, form, locale: first, onClose }: FillInProps) {
  const { locales } = useSession();
  const states = useLocaleStates(opened);
  const [locale, setLocale] = useState(first);
  const { other, error, retry } = useOtherLanguage(opened, locale);
  const sources = locales.filter(({ code }) => code !== form.locale && states.has(code));
  const own = locales.find(({ code }) => code === form.locale)?.name ?? "";
  return (
    <Dialog isOpen shape="wide" title={t("languages.fillIn.title", { language: own })} onClose={onClose}>
      <div className={styles.fill}>
        <p>{t(opened.isNew ? "languages.fillIn.new" : "languages.fillIn.text")}</p>
        <Select aria-label={t("languages.from")} value={locale} onChange={({ target }) => setLocale(target.value)}>
          {sources.map(({ code, name }) => (
            <option key={code} value={code}>
              {t("languages.fromLanguage", { language: name })}
            </option>
          ))}
        </Select>
        {error ? (
          <Failed error={error} retry={retry} />
        ) : other ? (
          <Choice key={other.locale} {...{ other, form, onClose }} isNew={opened.isNew} />
        ) : (
          <Bone height="8rem" />
        )}
      </div>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly other: OtherLanguage;
  readonly form: FormPlace;
  readonly isNew: boolean;
  readonly onClose: () => void;
}

/** Fields that differ: those that are empty here are chosen at first. */
function Choice({ other, form, isNew, onClose }: ChoiceProps) {
  const fields = differingFields(form.store, other.form.store);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(fields.flatMap(([name]) => (isEmpty(form.store.get(name)) ? [name] : []))),
  );
  const take = useTaking(form);
  const toggle = (name: string, isOn: boolean) =>
    setChosen(new Set(isOn ? [...chosen, name] : [...chosen].filter((known) => known !== name)));
  const run = () => {
    const forms = { from: other.form.store, to: form.store };
    const taken = fields.filter(([name]) => chosen.has(name)).flatMap(([name, of]) => takenOf(forms, of, name, name));
    void take(other, taken, t("languages.fields", { count: chosen.size }));
    onClose();
  };
  if (fields.length === 0) return <p>{t("languages.noDifference", { language: other.name })}</p>;
  return (
    <>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={chosen.size === fields.length}
          onChange={({ target }) => setChosen(new Set(target.checked ? fields.map(([name]) => name) : []))}
        />
        {t("languages.all")}
      </label>
      {fields.map(([name, attribute]) => (
        <Difference
          key={name}
          {...{ name, attribute, other, form }}
          isChosen={chosen.has(name)}
          onChange={(isOn) => toggle(name, isOn)}
        />
      ))}
      <div className={styles.footer}>
        <Button onClick={onClose}>{t(isNew ? "languages.startEmpty" : "action.cancel")}</Button>
        <Button look="primary" disabled={chosen.size === 0} onClick={run}>
          {t("languages.takeFields", { count: chosen.size })}
        </Button>
      </div>
    </>
  );
}

interface DifferenceProps extends Pick<ChoiceProps, "other" | "form"> {
  readonly name: string;
  readonly attribute: AttributeView;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

function Difference({ name, attribute, other, form, isChosen, onChange }: DifferenceProps) {
  const shapes = useSession();
  const words = ({ store }: FormPlace) =>
    wordsOf({ attribute, value: store.get(name), path: name, leaves: store.leaves, shapes });
  const side = (label: string, of: FormPlace) => (
    <div className={styles.side}>
      <span className={styles.note}>{label}</span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keys */}
      <p className={styles.words} tabIndex={0} lang={of.locale} dir={isRightToLeft(of.locale ?? "") ? "rtl" : "ltr"}>
        {words(of)}
      </p>
    </div>
  );
  return (
    <fieldset className={styles.difference} data-chosen={isChosen}>
      <legend>
        <label className={styles.check}>
          <input type="checkbox" checked={isChosen} onChange={({ target }) => onChange(target.checked)} />
          <strong>{attribute.label}</strong>
        </label>
      </legend>
      <div className={styles.sides}>
        {side(t("languages.now"), form)}
        {side(other.name, other.form)}
      </div>
    </fieldset>
  );
}

/** Attributes with a value of their own in each language that the other one has otherwise, in the order of the form. */
function differingFields(mine: FormStore, other: FormStore): readonly (readonly [string, AttributeView])[] {
  const { shapes } = mine;
  return Object.entries(mine.attributes).filter(([name, attribute]) => {
    const isTaken =
      attribute.isLocalized && attribute.isVisible && attribute.isEditable && attribute.kind !== "password";
    if (!isTaken || (isEmpty(other.get(name)) && isEmpty(mine.get(name)))) return false;
    const one = { leaves: mine.leaves, attributes: { [name]: attribute }, path: "" };
    return !isSameBelow(shapes, one, { ...one, leaves: other.leaves });
  });
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
