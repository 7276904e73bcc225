import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { JobState, JobView } from "../../../src/wire/operations.js";
import type { JobsSearch } from "../../app/jobs-search.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { classNames } from "../../ui/class-names.js";
import { Select } from "../../ui/field.js";
import { QuestionDialog } from "../../ui/question-dialog.js";
import { Bone, Empty, messageOf, useIsSlow } from "../../ui/state.js";
import { sayDone, sayWrong } from "../../ui/toast.js";
import { Moment } from "../list/cell.js";
import planStyles from "../plans/plans.module.css";
import webhookStyles from "../webhooks/webhooks.module.css";
import { changeJobs, FRESH, type JobChoice, JOBS_KEY, type JobVerb, listJobs } from "./jobs-api.js";

const STATES: readonly JobState[] = ["waiting", "running", "dead"];
const LOOKS: Readonly<Record<JobState, string | undefined>> = {
  waiting: undefined,
  running: planStyles.accent,
  dead: planStyles.bad,
};

interface JobsOfProps {
  readonly search: JobsSearch;
  readonly names: readonly string[];
}

/** Jobs of a queue and a state, the oldest first. */
export function JobsOf({ search, names }: JobsOfProps) {
  const jobs = useQuery({
    queryKey: [JOBS_KEY, "list", search],
    queryFn: ({ signal }) => listJobs(search, signal),
    placeholderData: keepPreviousData,
    refetchInterval: FRESH,
  });
  const isSlow = useIsSlow(jobs.isPending);
  const rows = jobs.data?.data ?? [];
  const { job, state } = search;
  return (
    <section className={planStyles.card} aria-labelledby="jobs">
      <div className={planStyles.bar}>
        <h2 id="jobs">{t("job.list")}</h2>
        <div className={planStyles.buttons}>
          <Filters search={search} names={names} />
          {job !== undefined && state === "dead" && rows.length > 0 && <AllOf job={job} />}
        </div>
      </div>
      {jobs.error && <p className={planStyles.badText}>{messageOf(jobs.error)}</p>}
      {jobs.isPending && isSlow && <Bone height="6rem" />}
      {jobs.isSuccess && !jobs.isPlaceholderData && rows.length === 0 && (
        <Empty icon="list-checks" title={t("job.none")} text={t("job.none.text")} />
      )}
      <ul className={planStyles.documents}>
        {rows.map((each) => (
          <Job key={each.id} job={each} />
        ))}
      </ul>
      {jobs.data?.meta.isCut && <p className={planStyles.soft}>{t("job.cut", { count: rows.length })}</p>}
    </section>
  );
}

function Filters({ search, names }: JobsOfProps) {
  const navigate = useNavigate();
  const { job, state } = search;
  const go = (next: { readonly job: string | undefined; readonly state: JobState | undefined }) =>
    void navigate({
      to: "/settings/jobs",
      search: { ...(next.job ? { job: next.job } : {}), ...(next.state ? { state: next.state } : {}) },
      resetScroll: false,
    });
  return (
    <>
      <Select
        aria-label={t("job.name")}
        className={planStyles.actionSelect}
        value={job ?? ""}
        onChange={({ target }) => go({ job: target.value, state })}
      >
        <option value="">{t("job.allNames")}</option>
        {[...new Set([...names, ...(job === undefined ? [] : [job])])].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        aria-label={t("job.state")}
        className={planStyles.actionSelect}
        value={state ?? ""}
        onChange={({ target }) => go({ job, state: STATES.find((each) => each === target.value) })}
      >
        <option value="">{t("job.allStates")}</option>
        {STATES.map((each) => (
          <option key={each} value={each}>
            {t(`job.${each}`)}
          </option>
        ))}
      </Select>
    </>
  );
}

/** Says what came of it, and reads everything anew. */
function useChange() {
  const queries = useQueryClient();
  return async (verb: JobVerb, choice: JobChoice) => {
    try {
      sayDone(t(`job.done.${verb}`, { count: await changeJobs(verb, choice) }));
    } catch (error) {
      sayWrong(messageOf(error));
    }
    await queries.invalidateQueries({ queryKey: [JOBS_KEY] });
  };
}

function AllOf({ job }: { readonly job: string }) {
  const [isAsked, setAsked] = useState(false);
  const change = useChange();
  return (
    <>
      <Button onClick={() => void change("retry", { job })}>{t("job.retryAll")}</Button>
      <Button icon="trash-2" onClick={() => setAsked(true)}>
        {t("job.dropAll")}
      </Button>
      {isAsked && (
        <AskDrop
          text={t("job.ask.dropAll", { name: job })}
          onClose={() => setAsked(false)}
          onDrop={() => void change("drop", { job })}
        />
      )}
    </>
  );
}

function Job({ job }: { readonly job: JobView }) {
  const { id, job: name, state, attempts, at, endedAt, key, reason, data } = job;
  const [isAsked, setAsked] = useState(false);
  const change = useChange();
  return (
    <li className={planStyles.document}>
      <details className={classNames(planStyles.grow, webhookStyles.details)}>
        <summary>
          <span className={planStyles.bold}>{name}</span>{" "}
          <span className={planStyles.soft}>{[id, key].filter(Boolean).join(" · ")}</span>
          {reason !== null && <span className={webhookStyles.reason}>{reason}</span>}
        </summary>
        <div className={webhookStyles.facts}>
          <p className={planStyles.bold}>{t("job.data")}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer is scrolled by keys */}
          <pre className={webhookStyles.code} tabIndex={0}>
            {data ?? t("job.data.none")}
          </pre>
          <p className={planStyles.soft}>{t("job.data.hidden")}</p>
        </div>
      </details>
      <span className={planStyles.soft}>
        <Moment value={endedAt ?? at} />
        {" · "}
        {t("delivery.attempts", { count: attempts })}
      </span>
      <span className={classNames(planStyles.badge, LOOKS[state])}>{t(`job.${state}`)}</span>
      {state === "dead" && (
        <Button isSmall onClick={() => void change("retry", { id })}>
          {t("job.retry")}
          <span className="visually-hidden">{id}</span>
        </Button>
      )}
      {state !== "running" && (
        <Button isSmall look="quiet" onClick={() => setAsked(true)}>
          {t("action.delete")}
          <span className="visually-hidden">{id}</span>
        </Button>
      )}
      {isAsked && (
        <AskDrop
          text={t(state === "dead" ? "job.ask.drop" : "job.ask.dropWaiting", { name })}
          onClose={() => setAsked(false)}
          onDrop={() => void change("drop", { id })}
        />
      )}
    </li>
  );
}

interface AskDropProps {
  readonly text: string;
  readonly onClose: () => void;
  readonly onDrop: () => void;
}

const AskDrop = ({ text, onClose, onDrop }: AskDropProps) => (
  <QuestionDialog
    isDangerous
    title={t("job.ask")}
    answer={t("action.delete")}
    onAnswer={() => {
      onClose();
      onDrop();
    }}
    onClose={onClose}
  >
    <p>{text}</p>
  </QuestionDialog>
);
