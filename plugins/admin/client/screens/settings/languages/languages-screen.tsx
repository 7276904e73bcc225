import { useState } from "react";
import type { LocaleView } from "../../../../src/wire/locales.js";
import { language, t } from "../../../messages/text.js";
import { Button } from "../../../ui/button.js";
import { Menu } from "../../../ui/menu.js";
import { Confirm } from "../frame/confirm.js";
import styles from "../frame/settings.module.css";
import { Loaded, Mark, SettingsScreen } from "../frame/settings-screen.js";
import { languageName } from "./iso-languages.js";
import { AddLanguage, FallbackDialog, RenameDialog } from "./language-dialogs.js";
import { LOCALES_ACTION, useLocales, useLocaleWrites } from "./locale-requests.js";
import { RemoveLanguage } from "./remove-language.js";

/** The languages that documents are written in. */
export function LanguagesScreen() {
  const locales = useLocales();
  const [isAdding, setAdding] = useState(false);
  const known = locales.data?.data ?? [];
  return (
    <SettingsScreen
      title={t("languages.title")}
      text={t("languages.text")}
      actions={
        locales.data && (
          <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
            {t("languages.add")}
          </Button>
        )
      }
    >
      <Loaded of={locales} action={LOCALES_ACTION}>
        {({ data }) => (
          <ul className={styles.rows}>
            {data.map((locale) => (
              <LanguageRow key={locale.documentId} locale={locale} all={data} />
            ))}
          </ul>
        )}
      </Loaded>
      <p className={styles.small}>{t("languages.configured")}</p>
      {isAdding && <AddLanguage known={known} onClose={() => setAdding(false)} />}
    </SettingsScreen>
  );
}

interface LanguageRowProps {
  readonly locale: LocaleView;
  readonly all: readonly LocaleView[];
}

function LanguageRow({ locale, all }: LanguageRowProps) {
  const { code, name, isDefault, fallback } = locale;
  const own = languageName(code, language());
  const named = (other: string) => all.find((each) => each.code === other)?.name ?? other;
  return (
    <li className={styles.row}>
      <div>
        <span className={styles.line}>
          <strong className={styles.name}>{name}</strong>
          {isDefault && <Mark look="good">{t("languages.default")}</Mark>}
        </span>
        <p className={styles.small}>
          <code className={styles.code}>{code}</code>
          {own && own !== name && ` · ${own}`}
        </p>
        <p className={styles.small}>
          {fallback.length > 0
            ? t("languages.fallsBack", { names: fallback.map(named).join(" → ") })
            : t("languages.noFallback")}
        </p>
      </div>
      <LanguageMenu locale={locale} all={all} />
    </li>
  );
}

type Opened = "rename" | "fallback" | "default" | "remove";

function LanguageMenu({ locale, all }: LanguageRowProps) {
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const open = (what: Opened) => ({ id: what, run: () => setOpened(what) });
  return (
    <>
      <Menu
        label={t("row.actions", { title: locale.name })}
        groups={[
          [
            { ...open("rename"), label: t("languages.rename"), icon: "pencil" },
            { ...open("fallback"), label: t("languages.fallback"), icon: "languages" },
            ...(locale.isDefault
              ? []
              : [{ ...open("default"), label: t("languages.makeDefault"), icon: "star" } as const]),
          ],
          locale.isDefault
            ? []
            : [{ ...open("remove"), label: t("languages.remove"), icon: "trash-2", isDangerous: true }],
        ]}
      />
      {opened === "rename" && <RenameDialog locale={locale} onClose={close} />}
      {opened === "fallback" && <FallbackDialog locale={locale} all={all} onClose={close} />}
      {opened === "default" && <MakeDefault locale={locale} onClose={close} />}
      {opened === "remove" && <RemoveLanguage locale={locale} onClose={close} />}
    </>
  );
}

function MakeDefault({ locale, onClose }: { readonly locale: LocaleView; readonly onClose: () => void }) {
  const { update } = useLocaleWrites();
  return (
    <Confirm
      title={t("languages.makeDefault.ask", { name: locale.name })}
      action={t("languages.makeDefault")}
      run={() => update(locale.documentId, { isDefault: true })}
      onClose={onClose}
    >
      <p>{t("languages.makeDefault.text")}</p>
    </Confirm>
  );
}
