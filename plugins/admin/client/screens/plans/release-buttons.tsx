import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ReleaseCheck, ReleaseProblem, ReleaseView } from "../../../src/wire/plans.js";
import { forgetLists } from "../../app/forget-lists.js";
import { errorsOf } from "../../app/problems.js";
import { useSubmit } from "../../app/use-submit.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Field, TextInput, tiedTo } from "../../ui/field.js";
import { Menu } from "../../ui/menu.js";
import { QuestionDialog } from "../../ui/question-dialog.js";
import { Banner, messageOf } from "../../ui/state.js";
import { sayDone, sayWrong } from "../../ui/toast.js";
import { LONGEST_NAME } from "./new-release.js";
import { cancelRelease, changeRelease, checkRelease, deleteRelease, PLANS_KEY, runRelease } from "./plans-api.js";
import { isIdle } from "./release-documents.js";
import { Refusals } from "./release-runs.js";
import { ReleaseTime } from "./release-time.js";

interface ReleaseButtonsProps {
  readonly release: ReleaseView;
  readonly zone: string;
  readonly onZone: (zone: string) => void;
  readonly onCheck: (check: ReleaseCheck) => void;
}

type Question = "run" | "time" | "change" | "delete";

/** What may be done with a release in its state. */
export function ReleaseButtons({ release, zone, onZone, onCheck }: ReleaseButtonsProps) {
  const [asked, setAsked] = useState<Question>();
  const { isBusy, act } = useAct();
  const isScheduled = release.state === "scheduled";
  const mayRun = isIdle(release) || isScheduled;
  const close = () => setAsked(undefined);
  const cancel = () => act(() => cancelRelease(release.id), t("release.cancelled"));
  const check = () => act(async () => onCheck(await checkRelease(release.id)));
  return (
    <>
      {mayRun && (
        <Button icon="square-check" isBusy={isBusy} onClick={() => void check()}>
          {t("release.check")}
        </Button>
      )}
      {isScheduled && (
        <Button isBusy={isBusy} onClick={() => void cancel()}>
          {t("release.cancel")}
        </Button>
      )}
      {mayRun && (
        <Button icon="clock" onClick={() => setAsked("time")}>
          {t(isScheduled ? "release.changeTime" : "release.setTime")}
        </Button>
      )}
      {mayRun && (
        <Button look="primary" onClick={() => setAsked("run")}>
          {t("release.run")}
        </Button>
      )}
      {release.state !== "running" && (
        <Menu
          label={t("menu.label")}
          groups={[
            isIdle(release)
              ? [{ id: "change", label: t("release.change"), icon: "pencil", run: () => setAsked("change") }]
              : [],
            [
              {
                id: "delete",
                label: t("action.delete"),
                icon: "trash-2",
                isDangerous: true,
                run: () => setAsked("delete"),
              },
            ],
          ]}
        />
      )}
      {asked === "time" && <ReleaseTime release={release} zone={zone} onZone={onZone} onClose={close} />}
      {asked === "change" && <Change release={release} onClose={close} />}
      {(asked === "run" || asked === "delete") && <Ask release={release} question={asked} onClose={close} />}
    </>
  );
}

/** Does something at once, and says what is wrong. */
function useAct() {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const act = async (work: () => Promise<unknown>, done?: string) => {
    setBusy(true);
    try {
      await work();
      if (done) sayDone(done);
    } catch (error) {
      sayWrong(messageOf(error));
    }
    setBusy(false);
    await queries.invalidateQueries({ queryKey: [PLANS_KEY] });
  };
  return { isBusy, act };
}

interface AskProps {
  readonly release: ReleaseView;
  readonly question: "run" | "delete";
  readonly onClose: () => void;
}

function Ask({ release, question, onClose }: AskProps) {
  // It is read again behind the question, which is about what was there when it was asked.
  const [seen] = useState(release);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const answer = async () => {
    if (question === "delete") {
      await deleteRelease(seen.id);
      await navigate({ to: "/releases" });
    } else {
      const { state } = await runRelease(seen);
      if (state === "done") sayDone(t("release.ran"));
      else sayWrong(t(seen.transaction ? "release.refused" : "release.refusedSome"));
      await forgetLists(queries);
    }
    onClose();
  };
  // What is refused may have changed what is known of it, too.
  const { error, isBusy, submit } = useSubmit(() =>
    answer().finally(() => queries.invalidateQueries({ queryKey: [PLANS_KEY] })),
  );
  const problems = errorsOf<ReleaseProblem>(error);
  return (
    <QuestionDialog
      title={t(`release.ask.${question}`)}
      answer={t(question === "delete" ? "action.delete" : "release.run")}
      isDangerous={question === "delete"}
      onAnswer={submit}
      {...{ error, isBusy, onClose }}
    >
      <p>{t(`release.ask.${question}.text`, { count: seen.actions.length })}</p>
      {question === "run" && <p>{t(seen.transaction ? "release.whole" : "release.each")}</p>}
      {problems.length > 0 && <Refusals problems={problems} />}
    </QuestionDialog>
  );
}

function Change({ release, onClose }: { readonly release: ReleaseView; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(release.name);
  const [transaction, setWhole] = useState(release.transaction);
  const isNameless = name.trim() === "";
  const { error, isBusy, submit } = useSubmit(async () => {
    if (isNameless) return;
    await changeRelease(release.id, { name: name.trim(), transaction });
    await queries.invalidateQueries({ queryKey: [PLANS_KEY] });
    onClose();
  });
  return (
    <Dialog
      isOpen
      title={t("release.change")}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button look="primary" isBusy={isBusy} onClick={() => void submit()}>
            {t("action.save")}
          </Button>
        </>
      }
    >
      <Field label={t("release.name")} isRequired problems={isNameless ? [t("release.name.missing")] : []}>
        {(ids) => (
          <TextInput
            {...tiedTo(ids)}
            maxLength={LONGEST_NAME}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <fieldset>
        <legend>{t("release.mode")}</legend>
        {[true, false].map((isWhole) => (
          <label key={String(isWhole)}>
            <input
              type="radio"
              name="release-mode"
              checked={transaction === isWhole}
              onChange={() => setWhole(isWhole)}
            />{" "}
            {t(isWhole ? "release.whole" : "release.each")}
          </label>
        ))}
      </fieldset>
      {error !== undefined && <Banner kind="wrong">{messageOf(error)}</Banner>}
    </Dialog>
  );
}
