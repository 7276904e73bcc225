import { useQuery } from "@tanstack/react-query";
import type { NextPlan } from "../../../src/wire/home.js";
import { api } from "../../app/api.js";
import { useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Card, Loaded, Nothing } from "./card.js";
import { Item, Line } from "./item.js";
import { screenOf } from "./screen-of.js";

/** What is published and taken back next. */
export function PlannedCard() {
  const session = useSession();
  const next = useQuery({
    queryKey: ["home", "next"],
    queryFn: ({ signal }) => api<{ readonly data: readonly NextPlan[] }>("/schedule/next", { signal }),
  });
  const screen = screenOf(session, "schedule");
  return (
    <Card
      title={t("home.next")}
      icon="calendar"
      more={screen === undefined ? undefined : { to: screen, label: t("home.more") }}
    >
      <Loaded query={next}>
        {({ data }) =>
          data.length === 0 ? (
            <Nothing>{t("home.next.none")}</Nothing>
          ) : (
            data.map((plan) => (
              <Plan
                key={keyOf(plan)}
                plan={plan}
                screen={screen}
                text={t(`home.plan.${plan.action}`, { count: plan.release?.documents ?? 1 })}
              />
            ))
          )
        }
      </Loaded>
    </Card>
  );
}

/** What tells plans apart. */
export const keyOf = ({ kind, action, at, title, document, release }: NextPlan): string =>
  [kind, action, at, title, document?.documentId, document?.locale, release?.id].join(" ");

interface PlanProps {
  readonly plan: NextPlan;
  /** Address of the screen of plans. */
  readonly screen: string | undefined;
  readonly text: string;
}

/** A document or a release, with what is done with it. */
export function Plan({ plan: { at, title, document, release }, screen, text }: PlanProps) {
  if (document) return <Item {...document} title={title} at={at} before={text} />;
  return <Line title={title} text={text} at={at} to={release ? `/releases/${release.id}` : screen} />;
}
