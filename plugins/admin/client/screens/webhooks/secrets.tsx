import { useState } from "react";
import type { WebhookView } from "../../../src/wire/operations.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { QuestionDialog } from "../../ui/question-dialog.js";
import { messageOf } from "../../ui/state.js";
import { sayDone, sayWrong } from "../../ui/toast.js";
import planStyles from "../plans/plans.module.css";
import styles from "./webhooks.module.css";
import { rotateSecret } from "./webhooks-api.js";

/** Gives a webhook a new secret, which is shown once. */
export function Secrets({ webhook }: { readonly webhook: WebhookView }) {
  const [isAsked, setAsked] = useState(false);
  const [secret, setSecret] = useState<string>();
  const rotate = async () => {
    setAsked(false);
    try {
      const { secrets } = await rotateSecret(webhook.documentId);
      setSecret(secrets[0]);
    } catch (error) {
      sayWrong(messageOf(error));
    }
  };
  return (
    <section className={planStyles.card} aria-labelledby="webhook-secret">
      <h2 id="webhook-secret">{t("webhook.secret")}</h2>
      <p className={planStyles.soft}>{t("webhook.secret.text")}</p>
      <div>
        <Button icon="key" onClick={() => setAsked(true)}>
          {t("webhook.rotate")}
        </Button>
      </div>
      <QuestionDialog
        isOpen={isAsked}
        title={t("webhook.rotate.ask")}
        answer={t("webhook.rotate")}
        onAnswer={rotate}
        onClose={() => setAsked(false)}
      >
        <p>{t("webhook.rotate.text")}</p>
      </QuestionDialog>
      {secret !== undefined && <SecretOnce secret={secret} onClose={() => setSecret(undefined)} />}
    </section>
  );
}

/** A secret, this once: only its button closes it. */
export function SecretOnce({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  const copy = () => void navigator.clipboard.writeText(secret).then(() => sayDone(t("webhook.secret.copied")));
  return (
    <Dialog
      isOpen
      isAlert
      title={t("webhook.secret.once")}
      footer={
        <>
          <Button icon="copy" onClick={copy}>
            {t("webhook.secret.copy")}
          </Button>
          <Button look="primary" onClick={onClose}>
            {t("webhook.secret.kept")}
          </Button>
        </>
      }
    >
      <p>{t("webhook.secret.once.text")}</p>
      <code className={styles.secret}>{secret}</code>
    </Dialog>
  );
}
