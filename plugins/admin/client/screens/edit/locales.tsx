import type { ReactNode } from "react";
import type { ContentLocale } from "../../../src/wire/boot.js";
import { EntryLink } from "../../app/entry-link.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Button, IconButton } from "../../ui/button.js";
import { StateBadge } from "../../ui/state.js";
import { useBesideAddress } from "./beside-address.js";
import styles from "./edit.module.css";
import { useLocaleStates } from "./languages/locale-states.js";
import type { OpenDocument } from "./open-document.js";

interface LocalesProps {
  readonly opened: OpenDocument;
  readonly beside: string | undefined;
  readonly onFillIn: (() => void) | undefined;
}

/** The languages of a document: each leads to its form, and can stand beside this one. */
export function Locales({ opened, beside, onFillIn }: LocalesProps) {
  const { locales } = useSession();
  const states = useLocaleStates(opened);
  const { id, locale } = opened.place;
  const others = locales.filter(({ code }) => code !== locale && states.has(code));
  return (
    <section className={styles.panel}>
      <h2>{t("side.locales")}</h2>
      <ul className={styles.locales}>
        {locales.map((known) => (
          <li key={known.code} className={styles.localeRow}>
            <LocaleLink opened={opened} code={known.code}>
              {known.name}
              <State opened={opened} known={known} states={states} />
            </LocaleLink>
            {others.includes(known) && <BesideButton known={known} isShown={beside === known.code} />}
          </li>
        ))}
      </ul>
      {onFillIn && id !== "new" && others.length > 0 && (
        <Button isSmall icon="copy" onClick={onFillIn}>
          {t("languages.fillIn")}
        </Button>
      )}
    </section>
  );
}

interface StateProps extends Pick<LocalesProps, "opened"> {
  readonly known: ContentLocale;
  readonly states: ReturnType<typeof useLocaleStates>;
}

function State({ opened, known: { code }, states }: StateProps) {
  const state = states.get(code);
  if (state) return <StateBadge state={state} />;
  return <span className={styles.soft}>{t(code === opened.place.locale ? "side.new" : "side.missing")}</span>;
}

function BesideButton({ known, isShown }: { readonly known: ContentLocale; readonly isShown: boolean }) {
  const show = useBesideAddress();
  return (
    <IconButton
      isSmall
      icon="columns-2"
      label={t("languages.beside", { language: known.name })}
      aria-pressed={isShown}
      onClick={() => void show(isShown ? {} : { beside: known.code })}
    />
  );
}

interface LocaleLinkProps extends Pick<LocalesProps, "opened"> {
  readonly code: string;
  readonly children: ReactNode;
}

function LocaleLink({ opened, code, children }: LocaleLinkProps) {
  const { type, id, locale } = opened.place;
  return (
    <EntryLink
      {...{ uid: type.uid, id }}
      search={{ locale: code }}
      aria-current={code === locale}
      className={styles.locale}
    >
      {children}
    </EntryLink>
  );
}
