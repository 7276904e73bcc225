import type { WebhookView } from "../../../src/wire/operations.js";
import { formatDate } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { classNames } from "../../ui/class-names.js";
import planStyles from "../plans/plans.module.css";

/** Whether a webhook works, as a mark and in words. */
export function WebhookState({ webhook: { enabled, failingSince, disabled } }: { readonly webhook: WebhookView }) {
  if (disabled)
    return (
      <State
        look={planStyles.bad}
        mark={t("webhook.disabled")}
        text={t("webhook.disabled.because", { time: timeOf(disabled.at), reason: disabled.reason })}
      />
    );
  if (!enabled) return <State mark={t("webhook.off")} />;
  if (failingSince !== null)
    return (
      <State
        look={planStyles.bad}
        mark={t("webhook.failing")}
        text={t("webhook.failing.since", { time: timeOf(failingSince) })}
      />
    );
  return <State look={planStyles.good} mark={t("webhook.well")} />;
}

const timeOf = (time: string): string => formatDate(new Date(time), { dateStyle: "medium", timeStyle: "short" });

interface StateProps {
  readonly look?: string | undefined;
  readonly mark: string;
  readonly text?: string;
}

const State = ({ look, mark, text }: StateProps) => (
  <span>
    <span className={classNames(planStyles.badge, look)}>{mark}</span>{" "}
    {text && <span className={planStyles.soft}>{text}</span>}
  </span>
);
