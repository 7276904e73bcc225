import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { BuilderChange, BuilderPlan } from "../../../src/wire/builder.js";
import { ApiError, api } from "../../app/api.js";
import { useRenewBoot } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { announce } from "../../ui/announce.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Bone, Failed } from "../../ui/state.js";
import { sayDone } from "../../ui/toast.js";
import { type ApplyStage, applyPlan, whenServed } from "./apply-draft.js";
import { changeDraft, dropDraft } from "./draft-store.js";
import { PlanView } from "./plan-view.js";
import { StalePlan } from "./stale-plan.js";
import { readBuilder, useDraft } from "./use-builder.js";

const STALE = ["PLINTH_ADMIN_BUILDER_STALE", "PLINTH_SOURCES_CHANGED"];

/** What the draft would do, and the button that does it. */
export function PlanDialog({ onClose }: { readonly onClose: () => void }) {
  const { draft } = useDraft();
  const plan = usePlan();
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const apply = useApply(onClose);
  const stale = [apply.error, plan.error].find((error) => error instanceof ApiError && STALE.includes(error.code));
  const error = apply.error ?? plan.error;
  const isNamed = plan.data?.losses.every(({ id, name }) => names[id] === name) ?? false;
  const hash = plan.data?.hash ?? null;
  const isEmpty = Object.keys(draft.changes).length === 0;
  const run = () => {
    if (hash !== null && isNamed) void apply.run({ changes: Object.values(draft.changes), hash, names });
  };
  const again = () => {
    apply.reset();
    plan.ask();
  };
  return (
    <Dialog
      isOpen
      shape="wide"
      title={t("builder.plan.title")}
      onClose={apply.stage === undefined ? onClose : undefined}
      footer={
        <>
          {apply.stage === undefined && <Button onClick={onClose}>{t("action.cancel")}</Button>}
          {hash !== null && (
            <Button
              look={plan.data?.losses.length ? "danger" : "primary"}
              isBusy={!isNamed || apply.stage !== undefined}
              onClick={run}
            >
              {t("builder.apply")}
            </Button>
          )}
        </>
      }
    >
      {apply.stage !== undefined && <Progress stage={apply.stage} />}
      {stale instanceof ApiError && <StalePlan error={stale} onDone={again} />}
      {!stale && error !== undefined && <Failed error={error} retry={again} />}
      {isEmpty && apply.stage === undefined && <p>{t("builder.changes", { count: 0 })}</p>}
      {!error && !plan.data && !isEmpty && <Bone height="12rem" />}
      {!error && plan.data && apply.stage === undefined && (
        <PlanView plan={plan.data} names={names} onNames={setNames} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Asks for a plan of the draft. What is wrong is shown at its fields from then on. */
function usePlan() {
  const { draft } = useDraft();
  const [data, setData] = useState<BuilderPlan>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    // Nothing is drafted any more once the plan has been applied.
    if (Object.keys(draft.changes).length === 0) return;
    const ended = new AbortController();
    const body = { changes: Object.values(draft.changes) };
    const ask = () => api<BuilderPlan>("/builder/plan", { method: "POST", body, signal: ended.signal });
    whenServed(ask).then(
      (plan) => {
        setData(plan);
        changeDraft({ problems: plan.problems });
      },
      (reason: unknown) => !ended.signal.aborted && setError(reason),
    );
    return () => ended.abort();
  }, [attempt, draft.changes]);
  const ask = () => {
    setData(undefined);
    setError(undefined);
    setAttempt((number) => number + 1);
  };
  return { data, error, ask };
}

/** Applies the plan; afterwards the page knows the new model. */
function useApply(onClose: () => void) {
  const queries = useQueryClient();
  const renewBoot = useRenewBoot();
  const [stage, setStage] = useState<ApplyStage>();
  const [error, setError] = useState<unknown>();
  const tell = (next: ApplyStage) => {
    setStage(next);
    announce(t(`builder.stage.${next}`));
  };
  const finish = async (change: BuilderChange) => {
    if (change.state === "failed") return changeDraft({ problems: change.problems });
    await queries.fetchQuery({ queryKey: ["builder"], queryFn: readBuilder, staleTime: 0 });
    dropDraft();
    await renewBoot();
    await queries.invalidateQueries();
    sayDone(t("builder.applied"));
  };
  const run = async (application: Parameters<typeof applyPlan>[0]) => {
    try {
      await finish(await applyPlan(application, tell));
      onClose();
    } catch (reason) {
      setStage(undefined);
      setError(reason);
    }
  };
  return { stage, error, run, reset: () => setError(undefined) };
}

const STAGES = ["writing", "restarting", "ready"] as const;

function Progress({ stage }: { readonly stage: ApplyStage }) {
  const now = STAGES.indexOf(stage === "failed" ? "ready" : stage);
  return (
    <ol style={{ display: "flex", flexWrap: "wrap", gap: "var(--space-4)", paddingBlock: "var(--space-5)" }}>
      {STAGES.map((step, index) => (
        <li key={step} aria-current={index === now ? "step" : undefined} style={{ opacity: index > now ? 0.65 : 1 }}>
          {index < now ? "✓ " : ""}
          {t(`builder.stage.${step}`)}
        </li>
      ))}
    </ol>
  );
}
