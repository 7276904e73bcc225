import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { PlanProblem, PlanView, ReleaseView } from "../../../src/wire/plans.js";
import { mayDo, useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { messageOf } from "../../ui/state.js";
import { sayDone, sayWrong } from "../../ui/toast.js";
import editStyles from "../edit/edit.module.css";
import type { OpenDocument } from "../edit/open-document.js";
import { problemText, useShowProblem } from "../edit/problem-list.js";
import { useDocumentState } from "../edit/use-document.js";
import { momentText, plannerText } from "./moment-text.js";
import { PlanDialog, useProblemsToday } from "./plan-dialog.js";
import styles from "./plans.module.css";
import { listReleases, mayRelease, PLANS_KEY, readPlans, sendPlan } from "./plans-api.js";
import { useZone } from "./zone-choice.js";

interface PanelProps {
  readonly opened: OpenDocument;
}

/** What is going to happen to a document by itself, in this language and in others. */
export default function PlanPanel({ opened }: PanelProps) {
  const { entry } = useDocumentState(opened);
  return entry ? <Panel opened={opened} documentId={entry.documentId} version={entry.updatedAt} /> : null;
}

interface KnownProps extends PanelProps {
  readonly documentId: string;
  readonly version: string;
}

function Panel({ opened, documentId, version }: KnownProps) {
  const session = useSession();
  const { place, store } = opened;
  const { type, locale = null } = place;
  const [isOpen, setOpen] = useState(false);
  const plans = useQuery({
    queryKey: [PLANS_KEY, "of", type.uid, documentId],
    queryFn: ({ signal }) => readPlans(type.uid, documentId, signal),
    // What is due happens without this page.
    refetchInterval: refetchAt,
  });
  const own = plans.data?.filter((plan) => plan.locale === locale) ?? [];
  const mayPlan = mayDo(session, type.uid, "publish") || mayDo(session, type.uid, "unpublish");
  const waits = own.some(({ action, state }) => action === "publish" && state === "waiting");
  const problems = useProblemsToday({ ...place, id: documentId }, version, isOpen || waits);
  if (plans.error)
    return (
      <Frame>
        <p className={styles.soft}>{messageOf(plans.error)}</p>
        <Button isSmall onClick={() => void plans.refetch()}>
          {t("error.retry")}
        </Button>
      </Frame>
    );
  const releases = <Releases uid={type.uid} documentId={documentId} locale={locale} />;
  return (
    <Frame>
      {own.length > 0 && (
        <ul className={styles.plans}>
          {own.map((plan) => (
            <Plan
              key={plan.action}
              plan={plan}
              opened={opened}
              documentId={documentId}
              onChange={() => setOpen(true)}
            />
          ))}
        </ul>
      )}
      {waits && (
        <Problems title={t("plan.problemsToday", { count: problems.length })} opened={opened} problems={problems} />
      )}
      <Others plans={plans.data ?? []} locale={locale} />
      {releases}
      {plans.data && own.length === 0 && <p className={styles.soft}>{t("plan.none")}</p>}
      {mayPlan && own.length === 0 && (
        <Button isSmall icon="clock" onClick={() => setOpen(true)}>
          {t("plan.open")}
        </Button>
      )}
      {isOpen && (
        <PlanDialog
          place={place}
          documentId={documentId}
          plans={own}
          problems={problems}
          hasChanges={store.changedBelow("") > 0}
          onClose={() => setOpen(false)}
        />
      )}
    </Frame>
  );
}

/** Soon after the next plan is due, and every minute. */
function refetchAt({ state }: { readonly state: { readonly data?: readonly PlanView[] | undefined } }): number | false {
  const times = (state.data ?? []).filter((plan) => plan.state === "waiting").map(({ at }) => Date.parse(at));
  if (times.length === 0) return false;
  return Math.max(2_000, Math.min(60_000, Math.min(...times) - Date.now() + 2_000));
}

const Frame = ({ children }: { readonly children: React.ReactNode }) => (
  <section className={editStyles.panel} aria-labelledby="plans-title">
    <h2 id="plans-title">{t("plan.heading")}</h2>
    {children}
  </section>
);

interface PlanProps extends PanelProps {
  readonly plan: PlanView;
  readonly documentId: string;
  readonly onChange: () => void;
}

function Plan({ plan, opened, documentId, onChange }: PlanProps) {
  const { action, at, by, state, problems, locale } = plan;
  const [zone] = useZone();
  const session = useSession();
  const cancel = useCancel(opened, documentId, plan);
  const when = momentText(at, zone);
  const isFailed = state === "failed";
  return (
    <li className={styles.plan} data-failed={isFailed || undefined}>
      <p className={styles.planText}>
        <Icon name={isFailed ? "triangle-alert" : action === "publish" ? "send" : "eye-off"} size={1} />
        <span>
          {planText(plan, when)} <span className={styles.soft}>{t("plan.by", { name: plannerText(by) })}</span>
        </span>
      </p>
      {isFailed && <Problems opened={opened} problems={problems} />}
      {mayDo(session, opened.place.type.uid, action) && (
        <div className={styles.buttons}>
          <Button isSmall onClick={onChange}>
            {t(isFailed ? "plan.again" : "plan.change")}
          </Button>
          <Button isSmall look="quiet" onClick={() => void cancel(locale)}>
            {t(isFailed ? "plan.forget" : "plan.cancel")}
            <span className="visually-hidden">{when}</span>
          </Button>
        </div>
      )}
    </li>
  );
}

function useCancel({ place }: OpenDocument, documentId: string, { action }: PlanView) {
  const queries = useQueryClient();
  return async (locale: string | null) => {
    const end = action === "publish" ? { publishAt: null } : { unpublishAt: null };
    try {
      await sendPlan(place.type.uid, documentId, { ...end, ...(locale === null ? {} : { locale }) });
      sayDone(t("plan.cancelled"));
    } catch (error) {
      sayWrong(messageOf(error));
    }
    await queries.invalidateQueries({ queryKey: [PLANS_KEY] });
  };
}

interface ProblemsProps extends PanelProps {
  readonly title?: string;
  readonly problems: readonly PlanProblem[];
}

/** Each leads to its field. */
function Problems({ title, opened, problems }: ProblemsProps) {
  const show = useShowProblem(opened);
  if (problems.length === 0) return null;
  return (
    <div className={styles.problems}>
      {title && <p>{title}</p>}
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.path.join(".")} ${problem.message}`}>
            {problem.path.length > 0 ? (
              <button type="button" onClick={() => show(problem)}>
                {problemText(opened, problem)}
              </button>
            ) : (
              problem.message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What is going to happen, or was to. */
const planText = ({ action, state }: PlanView, time: string): string =>
  action === "publish" ? t(`plan.publish.${state}`, { time }) : t(`plan.unpublish.${state}`, { time });

/** Plans of other languages, which are made and changed there. */
function Others({ plans, locale }: { readonly plans: readonly PlanView[]; readonly locale: string | null }) {
  const { locales } = useSession();
  const [zone] = useZone();
  const others = plans.filter((plan) => plan.locale !== locale);
  if (others.length === 0) return null;
  return (
    <ul className={styles.others}>
      {others.map((plan) => (
        <li key={`${plan.locale} ${plan.action}`}>
          <Link
            to="."
            search={(search: object) => ({ ...search, ...(plan.locale === null ? {} : { locale: plan.locale }) })}
          >
            {locales.find(({ code }) => code === plan.locale)?.name ?? plan.locale}
          </Link>
          {`: ${planText(plan, momentText(plan.at, zone))}`}
        </li>
      ))}
    </ul>
  );
}

interface ReleasesProps {
  readonly uid: string;
  readonly documentId: string;
  readonly locale: string | null;
}

/** Releases that hold the document and have not been run. */
function Releases({ uid, documentId, locale }: ReleasesProps) {
  const session = useSession();
  const [zone] = useZone();
  const { data = [] } = useQuery({
    queryKey: [PLANS_KEY, "releases-of", uid, documentId],
    queryFn: ({ signal }) => listReleases({ of: { type: uid, documentId } }, signal),
    enabled: mayRelease(session),
  });
  const actionOf = ({ actions }: ReleaseView) =>
    actions.find((each) => each.type === uid && each.documentId === documentId && each.locale === locale)?.action;
  const waiting = data.filter((release) => release.state !== "done" && actionOf(release) !== undefined);
  if (waiting.length === 0) return null;
  return (
    <ul className={styles.others}>
      {waiting.map((release) => (
        <li key={release.id}>
          <Icon name="layers" size={1} />{" "}
          <Link to="/releases/$id" params={{ id: String(release.id) }}>
            {release.name}
          </Link>
          {`: ${t(`plan.inRelease.${actionOf(release) ?? "publish"}`)}, ${release.state === "scheduled" && release.at ? momentText(release.at, zone) : t(`release.state.${release.state}`)}`}
        </li>
      ))}
    </ul>
  );
}
