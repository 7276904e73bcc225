import { useState } from "react";
import { t } from "../../../messages/text.js";
import { announce } from "../../../ui/announce.js";
import { Button } from "../../../ui/button.js";
import { TextInput } from "../../../ui/field.js";
import styles from "./settings.module.css";

/** How long it says that something was copied, in milliseconds. */
const LIFE = 3_000;

/** A text that is shown to be copied, such as a key. */
export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    setCopied(true);
    announce(t("settings.copied"));
    setTimeout(() => setCopied(false), LIFE);
  };
  return (
    <div className={styles.copy}>
      <TextInput
        aria-label={label}
        className={styles.code}
        readOnly
        value={text}
        onFocus={({ target }) => target.select()}
      />
      {/* Browsers have a clipboard over https and on this machine only; the text can be selected everywhere. */}
      {"clipboard" in navigator && (
        <Button icon={isCopied ? "check" : "copy"} onClick={() => void copy()}>
          {isCopied ? t("settings.copied") : t("settings.copy")}
        </Button>
      )}
    </div>
  );
}
