import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { WebhookView } from "../../../src/wire/operations.js";
import { t } from "../../messages/text.js";
import { buttonClass } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Bone, Empty, Failed, useIsSlow } from "../../ui/state.js";
import planStyles from "../plans/plans.module.css";
import styles from "./webhooks.module.css";
import { WebhookState } from "./webhook-state.js";
import { listWebhooks, WEBHOOKS_ACTION, WEBHOOKS_KEY } from "./webhooks-api.js";

/** How often the states are read again while the screen is shown, in milliseconds. */
const FRESH = 15_000;

/** Other servers that are told of what happens, and how that goes. */
export function WebhooksScreen() {
  const webhooks = useQuery({
    queryKey: [WEBHOOKS_KEY, "list"],
    queryFn: ({ signal }) => listWebhooks(signal),
    refetchInterval: FRESH,
  });
  const isSlow = useIsSlow(webhooks.isPending);
  return (
    <div className={planStyles.screen}>
      <title>{t("webhook.list")}</title>
      <header className={planStyles.head}>
        <h1>{t("webhook.list")}</h1>
        <Link to="/settings/webhooks/$id" params={{ id: "new" }} className={buttonClass({ look: "primary" })}>
          <Icon name="plus" />
          {t("webhook.new")}
        </Link>
      </header>
      {webhooks.error && !webhooks.data && (
        <Failed error={webhooks.error} retry={() => void webhooks.refetch()} action={WEBHOOKS_ACTION} />
      )}
      {webhooks.isPending && isSlow && <Bone height="10rem" />}
      {webhooks.data?.length === 0 && <Empty icon="webhook" title={t("webhook.none")} text={t("webhook.none.text")} />}
      {webhooks.data && webhooks.data.length > 0 && (
        <ul className={styles.list}>
          {webhooks.data.map((webhook) => (
            <Row key={webhook.documentId} webhook={webhook} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Row({ webhook }: { readonly webhook: WebhookView }) {
  const { documentId, name, url, events, source } = webhook;
  return (
    <li className={styles.row}>
      <div className={planStyles.grow}>
        <Link to="/settings/webhooks/$id" params={{ id: documentId }} className={planStyles.strong}>
          {name}
        </Link>
        {source === "config" && (
          <span className={styles.locked}>
            <Icon name="lock" size={0.875} />
            {t("webhook.inConfig")}
          </span>
        )}
        <p className={styles.url}>{url}</p>
        <p className={planStyles.soft}>{events.join(", ")}</p>
      </div>
      <WebhookState webhook={webhook} />
    </li>
  );
}
