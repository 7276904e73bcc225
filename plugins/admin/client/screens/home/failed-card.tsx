import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { FailedJobs, FailedPlan, FailedWebhook } from "../../../src/wire/home.js";
import { api } from "../../app/api.js";
import { type Session, useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Card, Loaded, Nothing } from "./card.js";
import { Line } from "./item.js";
import { keyOf, Plan } from "./planned-card.js";
import { screenOf } from "./screen-of.js";

/** What a caller may be told of faults. */
const sourcesOf = ({ plugins, actions }: Session) => ({
  plans: plugins.includes("schedule"),
  webhooks: plugins.includes("webhooks") && actions.includes("plugin::admin.webhooks"),
  jobs: plugins.includes("jobs") && actions.includes("plugin::jobs.manage"),
});

/** What did not work: plans, webhooks and jobs, each of them for those who can do something about it. */
export function FailedCard() {
  const session = useSession();
  const sources = sourcesOf(session);
  const plans = useFailed<FailedPlan>("/schedule/failed", sources.plans);
  const webhooks = useFailed<FailedWebhook>("/webhooks/failed", sources.webhooks);
  const jobs = useFailed<FailedJobs>("/jobs/failed", sources.jobs);
  const asked = [plans, webhooks, jobs].filter(({ isEnabled }) => isEnabled);
  if (asked.length === 0) return null;
  const isFine = asked.every(({ data }) => data?.length === 0);
  return (
    <Card title={t("home.failed")} icon="triangle-alert">
      {isFine && <Nothing>{t("home.failed.none")}</Nothing>}
      <Part query={plans}>
        {(plan) => (
          <Plan
            key={keyOf(plan)}
            plan={plan}
            screen={screenOf(session, "schedule")}
            text={withReason(t(`home.failed.${plan.action}`), plan.reason ?? null)}
          />
        )}
      </Part>
      <Part query={webhooks}>
        {(webhook) => (
          <Line
            key={webhook.documentId}
            title={webhook.name}
            text={webhookText(webhook)}
            at={webhook.at ?? webhook.failingSince ?? ""}
            to={screenOf(session, "webhooks")}
          />
        )}
      </Part>
      <Part query={jobs}>
        {({ name, dead, at, reason }) => (
          <Line
            key={name}
            title={name}
            text={withReason(t("home.failed.jobs", { count: dead }), reason)}
            at={at}
            to={screenOf(session, "jobs")}
          />
        )}
      </Part>
    </Card>
  );
}

function useFailed<Fault>(path: string, isEnabled: boolean) {
  const query = useQuery({
    queryKey: ["home", path],
    queryFn: async ({ signal }) => (await api<{ readonly data: readonly Fault[] }>(path, { signal })).data,
    enabled: isEnabled,
  });
  return { ...query, isEnabled };
}

interface PartProps<Fault> {
  readonly query: ReturnType<typeof useFailed<Fault>>;
  readonly children: (fault: Fault) => ReactNode;
}

function Part<Fault>({ query, children }: PartProps<Fault>) {
  return query.isEnabled ? <Loaded query={query}>{(faults) => faults.map(children)}</Loaded> : null;
}

function webhookText({ dead, isDisabled, reason }: FailedWebhook): string {
  if (isDisabled) return withReason(t("home.failed.disabled"), reason);
  return withReason(dead > 0 ? t("home.failed.deliveries", { count: dead }) : t("home.failed.failing"), reason);
}

const withReason = (text: string, reason: string | null): string => (reason === null ? text : `${text}: ${reason}`);
