import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PlannedAction, PlanProblem, PlanView } from "../../../src/wire/plans.js";
import { problemsAt } from "../../app/problems.js";
import { mayDo, useSession } from "../../app/session.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Banner, messageOf } from "../../ui/state.js";
import { sayDone } from "../../ui/toast.js";
import { checkEntry, type DocumentPlace } from "../edit/entry-requests.js";
import { MomentField } from "./moment-field.js";
import { inputOf, type MomentInput, momentOf } from "./moment-input.js";
import styles from "./plans.module.css";
import { PLANS_KEY, sendPlan } from "./plans-api.js";
import { useZone } from "./zone-choice.js";
import { ZoneLine } from "./zone-line.js";

/** What publishing a document would be refused for today; nothing while it is read, and where the account may not try it. */
export function useProblemsToday(place: DocumentPlace, version: string, isAsked: boolean): readonly PlanProblem[] {
  const { data = [] } = useQuery({
    queryKey: [PLANS_KEY, "check", place.type.uid, place.id, place.locale, version],
    queryFn: () => checkEntry(place, {}),
    enabled: isAsked,
    retry: false,
  });
  return data.map(({ path, message, code = "" }) => ({ path: path.map(String), message, code }));
}

interface PlanDialogProps {
  readonly place: DocumentPlace;
  readonly documentId: string;
  /** Of the document in this language. */
  readonly plans: readonly PlanView[];
  readonly problems: readonly PlanProblem[];
  readonly hasChanges: boolean;
  readonly onClose: () => void;
}

const FIELDS = { publish: "publishAt", unpublish: "unpublishAt" } as const;

/** Says when a document goes out, and when it is taken back. */
export function PlanDialog({ place, documentId, plans, problems, hasChanges, onClose }: PlanDialogProps) {
  const session = useSession();
  const [zone, setZone] = useZone();
  const form = usePlanForm({ plans, zone });
  const { isBusy, error, send } = useSend(place, documentId, onClose);
  const may = (action: PlannedAction) => mayDo(session, place.type.uid, action);
  const own = (action: PlannedAction) => problemsAt(error, FIELDS[action]);
  const hasOwn = own("publish").length + own("unpublish").length > 0;
  return (
    <Dialog
      isOpen
      title={t("plan.title")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look="primary" isBusy={isBusy} onClick={() => void send(form.changes(zone))}>
            {t("plan.save")}
          </Button>
        </>
      }
    >
      <ZoneLine
        zone={zone}
        onChange={(next) => {
          form.move(zone, next);
          setZone(next);
        }}
      />
      {(["publish", "unpublish"] as const).filter(may).map((action) => (
        <MomentField
          key={action}
          label={t(`plan.field.${action}`)}
          hint={t(`plan.field.${action}.hint`)}
          zone={zone}
          value={form.values[action]}
          problems={own(action)}
          onChange={(value) => form.set(action, value)}
        />
      ))}
      <p className={styles.soft}>{t(hasChanges ? "plan.meanwhile.unsaved" : "plan.meanwhile")}</p>
      {problems.length > 0 && <Banner kind="warn">{t("plan.problemsToday", { count: problems.length })}</Banner>}
      {error !== undefined && !hasOwn && <Banner kind="wrong">{messageOf(error)}</Banner>}
    </Dialog>
  );
}

type Values = Readonly<Record<PlannedAction, MomentInput>>;
type Changes = Readonly<Partial<Record<(typeof FIELDS)[PlannedAction], string | null>>>;

function usePlanForm({ plans, zone }: { readonly plans: readonly PlanView[]; readonly zone: string }) {
  const plannedAt = (action: PlannedAction) => {
    const plan = plans.find((each) => each.action === action);
    return plan?.state === "waiting" ? plan.at : null;
  };
  const [values, setValues] = useState<Values>({
    publish: inputOf(plannedAt("publish"), zone),
    unpublish: inputOf(plannedAt("unpublish"), zone),
  });
  return {
    values,
    set: (action: PlannedAction, value: MomentInput) => setValues({ ...values, [action]: value }),
    /** The same moments, by other clocks. */
    move: (from: string, to: string) => {
      const moved = (value: MomentInput) => {
        const moment = momentOf(value, from);
        return moment === undefined ? value : inputOf(moment, to);
      };
      setValues({ publish: moved(values.publish), unpublish: moved(values.unpublish) });
    },
    /** What is not as it was; undefined where a field says no moment. */
    changes: (by: string): Changes | undefined => {
      const changes: Record<string, string | null> = {};
      for (const action of ["publish", "unpublish"] as const) {
        const moment = momentOf(values[action], by);
        if (moment === undefined) return undefined;
        if (moment !== shortened(plannedAt(action))) changes[FIELDS[action]] = moment;
      }
      return changes;
    },
  };
}

/** Fields have no seconds. */
const shortened = (moment: string | null): string | null => moment && `${moment.slice(0, 16)}:00.000Z`;

function useSend(place: DocumentPlace, documentId: string, onDone: () => void) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = async (changes: Changes | undefined) => {
    if (!changes) return;
    if (Object.keys(changes).length === 0) return onDone();
    setBusy(true);
    setError(undefined);
    try {
      const { locale } = place;
      await sendPlan(place.type.uid, documentId, { ...changes, ...(locale === undefined ? {} : { locale }) });
      await queries.invalidateQueries({ queryKey: [PLANS_KEY] });
      sayDone(t("plan.saved"));
      onDone();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, send };
}
