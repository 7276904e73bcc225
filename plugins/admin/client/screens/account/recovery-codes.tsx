import { saveFile } from "../../app/download.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { sayDone } from "../../ui/toast.js";
import styles from "./account.module.css";

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly email?: string;
}

/** Codes that are shown once: to be copied, printed, or kept in a file. */
export function RecoveryCodes({ codes, email = "" }: RecoveryCodesProps) {
  const text = `${document.title} ${email}\n${t("recovery.title")}\n\n${codes.join("\n")}\n`;
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join("\n"));
    sayDone(t("recovery.copied"));
  };
  return (
    <div className="stack">
      <p>{t("recovery.text")}</p>
      <ol className={styles.codes} aria-label={t("recovery.title")} data-print>
        {codes.map((code) => (
          <li key={code}>
            <code dir="ltr">{code}</code>
          </li>
        ))}
      </ol>
      <div className={styles.buttons}>
        <Button icon="copy" onClick={() => void copy()}>
          {t("recovery.copy")}
        </Button>
        <Button
          icon="download"
          onClick={() => saveFile(new Blob([text], { type: "text/plain" }), "recovery-codes.txt")}
        >
          {t("recovery.download")}
        </Button>
        <Button icon="printer" onClick={() => print()}>
          {t("recovery.print")}
        </Button>
      </div>
    </div>
  );
}
