import { useSession } from "../../../app/session.js";
import { t } from "../../../messages/text.js";
import { Button, IconButton } from "../../../ui/button.js";
import { Select } from "../../../ui/field.js";
import type { OpenDocument } from "../open-document.js";
import { useLocaleStates } from "./locale-states.js";
import styles from "./languages.module.css";

interface LanguageBarProps {
  readonly opened: OpenDocument;
  /** That stands beside the form. */
  readonly locale: string;
  readonly isReadOnly: boolean;
  readonly onChange: (locale: string | undefined) => void;
  readonly onFillIn: () => void;
}

/** Says which language stands on which side. */
export function LanguageBar({ opened, locale, isReadOnly, onChange, onFillIn }: LanguageBarProps) {
  const { locales } = useSession();
  const states = useLocaleStates(opened);
  const own = locales.find(({ code }) => code === opened.place.locale)?.name;
  return (
    <div className={styles.bar}>
      <div className={styles.barSide}>
        <Select
          aria-label={t("languages.other")}
          value={locale}
          style={{ inlineSize: "auto" }}
          onChange={({ target }) => onChange(target.value)}
        >
          {locales
            .filter(({ code }) => code !== opened.place.locale)
            .map(({ code, name }) => (
              <option key={code} value={code}>
                {states.has(code) ? name : t("languages.optionMissing", { language: name })}
              </option>
            ))}
        </Select>
        <span className={styles.note}>{t("languages.readOnly")}</span>
      </div>
      <div className={styles.barSide}>
        <strong>{own}</strong>
        <span className={styles.spread} />
        {!isReadOnly && (
          <Button isSmall icon="copy" onClick={onFillIn}>
            {t("languages.fillIn")}
          </Button>
        )}
        <IconButton isSmall icon="x" label={t("languages.close")} onClick={() => onChange(undefined)} />
      </div>
    </div>
  );
}
