import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { DeliveryState, DeliveryView, WebhookView } from "../../../src/wire/operations.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Button, IconButton } from "../../ui/button.js";
import { classNames } from "../../ui/class-names.js";
import { Select } from "../../ui/field.js";
import { Bone, messageOf, useIsSlow } from "../../ui/state.js";
import { sayDone, sayWrong } from "../../ui/toast.js";
import { Moment } from "../list/cell.js";
import planStyles from "../plans/plans.module.css";
import { ReplayDialog } from "./replay-dialog.js";
import { Answer } from "./test-button.js";
import styles from "./webhooks.module.css";
import { listDeliveries, replayDeliveries, WEBHOOKS_KEY } from "./webhooks-api.js";

const STATES: readonly DeliveryState[] = ["waiting", "delivered", "dead", "dropped"];

/** How often they are read again while they are shown, in milliseconds. */
const FRESH = 5_000;

const LOOKS: Readonly<Record<DeliveryState, string | undefined>> = {
  waiting: planStyles.accent,
  delivered: planStyles.good,
  dead: planStyles.bad,
  dropped: undefined,
};

/** What was sent to a webhook, and what came of it. */
export function Deliveries({ webhook: { documentId } }: { readonly webhook: WebhookView }) {
  const [state, setState] = useState<DeliveryState>();
  const [isAsked, setAsked] = useState(false);
  const deliveries = useQuery({
    queryKey: [WEBHOOKS_KEY, "deliveries", documentId, state],
    queryFn: ({ signal }) => listDeliveries(documentId, state, signal),
    placeholderData: keepPreviousData,
    refetchInterval: FRESH,
  });
  const isSlow = useIsSlow(deliveries.isPending);
  const rows = deliveries.data ?? [];
  return (
    <section className={planStyles.card} aria-labelledby="deliveries">
      <div className={planStyles.bar}>
        <h2 id="deliveries">{t("delivery.list")}</h2>
        <div className={planStyles.buttons}>
          <Select
            aria-label={t("delivery.state")}
            className={planStyles.actionSelect}
            value={state ?? ""}
            onChange={({ target }) => setState(STATES.find((each) => each === target.value))}
          >
            <option value="">{t("delivery.all")}</option>
            {STATES.map((each) => (
              <option key={each} value={each}>
                {t(`delivery.${each}`)}
              </option>
            ))}
          </Select>
          <IconButton icon="refresh-cw" label={t("job.refresh")} onClick={() => void deliveries.refetch()} />
          <Button icon="redo-2" onClick={() => setAsked(true)}>
            {t("delivery.replay")}
          </Button>
        </div>
      </div>
      {deliveries.error && <p className={planStyles.badText}>{messageOf(deliveries.error)}</p>}
      {deliveries.isPending && isSlow && <Bone height="6rem" />}
      {deliveries.isSuccess && rows.length === 0 && <p className={planStyles.soft}>{t("delivery.none")}</p>}
      <ul className={planStyles.documents}>
        {rows.map((delivery) => (
          <Delivery key={delivery.id} webhook={documentId} delivery={delivery} />
        ))}
      </ul>
      {isAsked && <ReplayDialog id={documentId} onClose={() => setAsked(false)} />}
    </section>
  );
}

interface DeliveryProps {
  readonly webhook: string;
  readonly delivery: DeliveryView;
}

function Delivery({ webhook, delivery }: DeliveryProps) {
  const { types } = useSession();
  const { type, uid, documentId, state, attempts, at, event, error } = delivery;
  const again = useReplay(webhook, delivery);
  return (
    <li className={planStyles.document}>
      <details className={classNames(planStyles.grow, styles.details)}>
        <summary>
          <span className={planStyles.bold}>{type}</span>{" "}
          <span className={planStyles.soft}>
            {[uid && (types.get(uid)?.label ?? uid), documentId].filter(Boolean).join(" · ")}
          </span>
          {error !== null && <span className={styles.reason}>{error}</span>}
        </summary>
        <Details delivery={delivery} />
      </details>
      <span className={planStyles.soft}>
        <Moment value={at} />
        {" · "}
        {t("delivery.attempts", { count: attempts })}
      </span>
      <span className={classNames(planStyles.badge, LOOKS[state])}>{t(`delivery.${state}`)}</span>
      {(state === "dead" || state === "delivered") && (
        <IconButton isSmall icon="redo-2" label={t("delivery.again", { event })} onClick={() => void again()} />
      )}
    </li>
  );
}

function Details({ delivery: { message, triedAt, nextAt, status, answer } }: { readonly delivery: DeliveryView }) {
  return (
    <div className={styles.facts}>
      <dl>
        <dt>{t("delivery.id")}</dt>
        <dd>{message}</dd>
        {triedAt && (
          <>
            <dt>{t("delivery.tried")}</dt>
            <dd>
              <Moment value={triedAt} />
            </dd>
          </>
        )}
        {nextAt && (
          <>
            <dt>{t("delivery.next")}</dt>
            <dd>
              <Moment value={nextAt} />
            </dd>
          </>
        )}
        {status !== null && (
          <>
            <dt>{t("delivery.status")}</dt>
            <dd>{status}</dd>
          </>
        )}
      </dl>
      {answer !== null && <Answer text={answer} />}
    </div>
  );
}

function useReplay(webhook: string, { event, state }: DeliveryView) {
  const queries = useQueryClient();
  return async () => {
    try {
      const request = { event: String(event), state: state === "delivered" ? "delivered" : "dead" } as const;
      sayDone(t("delivery.replayed", { count: await replayDeliveries(webhook, request) }));
    } catch (error) {
      sayWrong(messageOf(error));
    }
    await queries.invalidateQueries({ queryKey: [WEBHOOKS_KEY] });
  };
}
