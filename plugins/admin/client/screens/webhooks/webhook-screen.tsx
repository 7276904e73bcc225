import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { WebhookView } from "../../../src/wire/operations.js";
import { ApiError } from "../../app/api.js";
import { NotFound } from "../../app/not-found.js";
import { useSubmit } from "../../app/use-submit.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { QuestionDialog } from "../../ui/question-dialog.js";
import { Banner, Bone, Failed, messageOf, useIsSlow } from "../../ui/state.js";
import { sayDone, sayWrong } from "../../ui/toast.js";
import planStyles from "../plans/plans.module.css";
import { Deliveries } from "./deliveries.js";
import { Secrets } from "./secrets.js";
import { TestButton } from "./test-button.js";
import { WebhookForm } from "./webhook-form.js";
import { WebhookState } from "./webhook-state.js";
import {
  changeWebhook,
  deleteWebhook,
  readOptions,
  readWebhook,
  WEBHOOKS_ACTION,
  WEBHOOKS_KEY,
} from "./webhooks-api.js";

const route = getRouteApi("/settings/webhooks/$id");

/** How often its state is read again while it is shown, in milliseconds. */
const FRESH = 10_000;

/** One webhook: what it gets, its secrets, a test, and its deliveries. */
export function WebhookScreen() {
  const { id } = route.useParams();
  const isNew = id === "new";
  const options = useQuery({ queryKey: [WEBHOOKS_KEY, "options"], queryFn: ({ signal }) => readOptions(signal) });
  const webhook = useQuery({
    queryKey: [WEBHOOKS_KEY, "one", id],
    queryFn: ({ signal }) => readWebhook(id, signal),
    enabled: !isNew,
    refetchInterval: FRESH,
  });
  const error = options.error ?? (webhook.data ? null : webhook.error);
  const isReady = options.data && (isNew || webhook.data);
  const isSlow = useIsSlow(!isReady);
  const retry = () => void Promise.all([options.refetch(), webhook.refetch()]);
  if (error instanceof ApiError && error.status === 404) return <NotFound />;
  if (error) return <Failed error={error} retry={retry} action={WEBHOOKS_ACTION} />;
  if (!options.data || !isReady) return isSlow ? <Bone height="20rem" /> : null;
  const known = isNew ? undefined : webhook.data;
  const title = known?.name ?? t("webhook.new");
  return (
    <div className={planStyles.screen}>
      <title>{title}</title>
      <header className={planStyles.head}>
        <div className={planStyles.names}>
          <Link to="/settings/webhooks" className={planStyles.back}>
            <Icon name="chevron-left" size={0.875} />
            {t("webhook.list")}
          </Link>
          <div className={planStyles.title}>
            <h1>{title}</h1>
            {known && <WebhookState webhook={known} />}
          </div>
        </div>
        {known && <Buttons webhook={known} />}
      </header>
      {known?.source === "config" && <Banner>{t("webhook.config", { name: known.name })}</Banner>}
      <WebhookForm key={id} webhook={known} options={options.data} />
      {known?.source === "database" && <Secrets webhook={known} />}
      {known && <Deliveries webhook={known} />}
    </div>
  );
}

function Buttons({ webhook }: { readonly webhook: WebhookView }) {
  const { documentId, source, enabled, disabled } = webhook;
  const [isAsked, setAsked] = useState(false);
  const queries = useQueryClient();
  const enable = async () => {
    try {
      await changeWebhook(documentId, { enabled: true });
      sayDone(t("webhook.enabled"));
    } catch (error) {
      sayWrong(messageOf(error));
    }
    await queries.invalidateQueries({ queryKey: [WEBHOOKS_KEY] });
  };
  return (
    <>
      {!enabled && (source === "database" || disabled) && (
        <Button look="primary" onClick={() => void enable()}>
          {t("webhook.enable")}
        </Button>
      )}
      <TestButton id={documentId} />
      {source === "database" && (
        <Button icon="trash-2" onClick={() => setAsked(true)}>
          {t("action.delete")}
        </Button>
      )}
      {isAsked && <AskDelete webhook={webhook} onClose={() => setAsked(false)} />}
    </>
  );
}

function AskDelete({ webhook, onClose }: { readonly webhook: WebhookView; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { error, isBusy, submit } = useSubmit(async () => {
    await deleteWebhook(webhook.documentId);
    await navigate({ to: "/settings/webhooks", ignoreBlocker: true });
    await queries.invalidateQueries({ queryKey: [WEBHOOKS_KEY] });
  });
  return (
    <QuestionDialog
      isDangerous
      title={t("webhook.ask.delete", { name: webhook.name })}
      answer={t("action.delete")}
      onAnswer={submit}
      {...{ error, isBusy, onClose }}
    >
      <p>{t("webhook.ask.delete.text")}</p>
    </QuestionDialog>
  );
}
