import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WebhookView, WebhookWithSecrets } from "../../../src/wire/operations.js";
import { isAlike } from "../../form/equal.js";
import { changedValues, takeStored } from "../../form/take-stored.js";
import { t } from "../../messages/text.js";
import { sayDone } from "../../ui/toast.js";
import { useSubmit } from "../../app/use-submit.js";
import { changeWebhook, createWebhook, WEBHOOKS_KEY, type WebhookValues } from "./webhooks-api.js";

const EMPTY: WebhookValues = {
  ...{ name: "", url: "", events: [], types: null, format: "standard" },
  ...{ content: false, coalesce: false, enabled: true },
};

function valuesOf({ name, url, events, types, format, content, coalesce, enabled }: WebhookView): WebhookValues {
  return { name, url, events, types, format, content, coalesce, enabled };
}

/**
 * What the form of a webhook holds. Only what was changed in it is sent, and what changes elsewhere is taken over where nothing
 * was typed: the button that enables it, and another owner, change the same webhook.
 *
 * @param webhook - undefined: a new one
 */
export function useWebhookForm(webhook: WebhookView | undefined) {
  const queries = useQueryClient();
  const [base, setBase] = useState(() => (webhook ? valuesOf(webhook) : EMPTY));
  const [values, setValues] = useState(base);
  const [made, setMade] = useState<WebhookWithSecrets>();
  const [newSecret, setNewSecret] = useState<string>();
  const take = (stored: WebhookValues, known: WebhookValues) => {
    setBase(stored);
    setValues((now) => takeStored(now, known, stored));
  };
  const isChanged = !isAlike(values, base);
  const { error, isBusy, submit } = useSubmit(async () => {
    if (!webhook) {
      const stored = await createWebhook(values);
      setMade(stored);
      setNewSecret(stored.secrets[0]);
    } else if (isChanged) {
      const { secrets = [], ...stored } = await changeWebhook(webhook.documentId, changedValues(values, base));
      queries.setQueryData([WEBHOOKS_KEY, "one", webhook.documentId], stored);
      take(valuesOf(stored), values);
      setNewSecret(secrets[0]);
      sayDone(t("webhook.saved"));
    }
    await queries.invalidateQueries({ queryKey: [WEBHOOKS_KEY] });
  });
  const stored = webhook && valuesOf(webhook);
  if (stored && !isBusy && !isAlike(stored, base)) take(stored, base);
  const forgetSecret = () => setNewSecret(undefined);
  return {
    ...{ values, setValues, isChanged: isChanged && made === undefined, error, isBusy, submit },
    ...{ made, newSecret, forgetSecret },
  };
}
