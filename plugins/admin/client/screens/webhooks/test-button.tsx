import { useState } from "react";
import type { WebhookTest } from "../../../src/wire/operations.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { messageOf } from "../../ui/state.js";
import { sayWrong } from "../../ui/toast.js";
import { classNames } from "../../ui/class-names.js";
import planStyles from "../plans/plans.module.css";
import styles from "./webhooks.module.css";
import { testWebhook } from "./webhooks-api.js";

/** Sends a test, and shows what came back. */
export function TestButton({ id }: { readonly id: string }) {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<WebhookTest>();
  const send = async () => {
    setBusy(true);
    try {
      setResult(await testWebhook(id));
    } catch (error) {
      sayWrong(messageOf(error));
    }
    setBusy(false);
  };
  return (
    <>
      <Button icon="send" isBusy={isBusy} onClick={() => void send()}>
        {t(isBusy ? "webhook.testing" : "webhook.test")}
      </Button>
      {result && (
        <Dialog isOpen title={t("webhook.test.result")} onClose={() => setResult(undefined)}>
          <p
            className={classNames(styles.verdict, result.error === null ? planStyles.good : planStyles.bad)}
            role="status"
          >
            {result.error === null
              ? t("webhook.test.fine", { status: result.status ?? 0, duration: result.duration })
              : t("webhook.test.failed", { reason: result.error })}
          </p>
          <p className={planStyles.soft}>{t("webhook.test.text", { id: result.id })}</p>
          {result.answer !== null && <Answer text={result.answer} />}
        </Dialog>
      )}
    </>
  );
}

/** What a receiver answered, as it came. */
export function Answer({ text }: { readonly text: string }) {
  return (
    <div>
      <p className={planStyles.bold}>{t("delivery.answer")}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer is scrolled by keys */}
      <pre className={styles.code} tabIndex={0}>
        {text === "" ? t("delivery.answer.empty") : text}
      </pre>
    </div>
  );
}
