import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { LocaleView } from "../../../../src/wire/locales.js";
import { ApiError } from "../../../app/api.js";
import { useSession } from "../../../app/session.js";
import { t } from "../../../messages/text.js";
import { sayDone } from "../../../ui/toast.js";
import { Confirm } from "../frame/confirm.js";
import styles from "../frame/settings.module.css";
import { useLocaleWrites } from "./locale-requests.js";

interface RemoveLanguageProps {
  readonly locale: LocaleView;
  readonly onClose: () => void;
}

/** Code of the refusal to remove a language that has content. */
const IN_USE = "PLINTH_I18N_LOCALE_IN_USE";

/** Removes a language. Where it has content the server says of which types; then its name has to be typed. */
export function RemoveLanguage({ locale, onClose }: RemoveLanguageProps) {
  const { remove } = useLocaleWrites();
  const [used, setUsed] = useState<readonly string[]>();
  const { documentId, name, code } = locale;
  const run = async () => {
    try {
      await remove(documentId, used !== undefined);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== IN_USE) throw error;
      setUsed(error.details["uids"] as readonly string[]);
      return;
    }
    sayDone(t("languages.removed", { name }));
    onClose();
  };
  return (
    <Confirm
      key={used === undefined ? "ask" : "force"}
      title={t("languages.remove.ask", { name })}
      action={t(used ? "languages.remove.force" : "languages.remove")}
      isDangerous
      {...(used ? { typed: name } : {})}
      run={run}
      onDone={() => undefined}
      onClose={onClose}
    >
      {used ? <Used uids={used} code={code} /> : <p>{t("languages.remove.text")}</p>}
    </Confirm>
  );
}

/** Types that have documents in the language, each with the list of them. */
function Used({ uids, code }: { readonly uids: readonly string[]; readonly code: string }) {
  const { types } = useSession();
  return (
    <>
      <p role="alert">{t("languages.remove.used")}</p>
      <ul className={styles.rows}>
        {uids.map((uid) => {
          const type = types.get(uid);
          const isList = type?.kind === "collectionType";
          return (
            <li key={uid} className={styles.row}>
              {isList ? (
                <Link to="/content/$uid" params={{ uid }} search={{ locale: code }}>
                  {type.label}
                </Link>
              ) : (
                <span>{type?.label ?? uid}</span>
              )}
            </li>
          );
        })}
      </ul>
      <p>{t("languages.remove.forceText")}</p>
    </>
  );
}
