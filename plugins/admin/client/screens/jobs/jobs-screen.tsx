import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { QueueList, QueueView } from "../../../src/wire/operations.js";
import { formatGrouped } from "../../messages/formats.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { classNames } from "../../ui/class-names.js";
import { Banner, Bone, Failed, useIsSlow } from "../../ui/state.js";
import { Moment } from "../list/cell.js";
import planStyles from "../plans/plans.module.css";
import { JobsOf } from "./job-list.js";
import styles from "./jobs.module.css";
import { FRESH, JOBS_ACTION, JOBS_KEY, readQueues } from "./jobs-api.js";

const route = getRouteApi("/settings/jobs");

/** Work that is done later: what waits, runs and has failed, and when the clock has it done. */
export function JobsScreen() {
  const queues = useQuery({
    queryKey: [JOBS_KEY, "queues"],
    queryFn: ({ signal }) => readQueues(signal),
    refetchInterval: FRESH,
  });
  const queries = useQueryClient();
  const isSlow = useIsSlow(queues.isPending);
  return (
    <div className={planStyles.screen}>
      <title>{t("job.title")}</title>
      <header className={planStyles.head}>
        <h1>{t("job.title")}</h1>
        <Button icon="refresh-cw" onClick={() => void queries.invalidateQueries({ queryKey: [JOBS_KEY] })}>
          {t("job.refresh")}
        </Button>
      </header>
      {queues.error && !queues.data && (
        <Failed error={queues.error} retry={() => void queues.refetch()} action={JOBS_ACTION} />
      )}
      {queues.isPending && isSlow && <Bone height="14rem" />}
      {queues.data && <Loaded queues={queues.data} />}
    </div>
  );
}

function Loaded({ queues: { data, meta } }: { readonly queues: QueueList }) {
  const search = route.useSearch();
  const dead = data.reduce((sum, queue) => sum + queue.dead, 0);
  return (
    <>
      {!meta.works && <Banner kind="warn">{t("job.noWork")}</Banner>}
      {dead > 0 && <Banner kind="warn">{t("job.deadSome", { count: dead })}</Banner>}
      <Queues data={data} counted={meta.counted} />
      <JobsOf search={search} names={data.map(({ name }) => name)} />
    </>
  );
}

interface QueuesProps {
  readonly data: readonly QueueView[];
  readonly counted: number;
}

function Queues({ data, counted }: QueuesProps) {
  return (
    <div className={planStyles.tableFrame}>
      <table className={classNames(planStyles.table, styles.queues)}>
        <caption className="visually-hidden">{t("job.queues")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("job.name")}</th>
            <th scope="col">{t("job.waiting")}</th>
            <th scope="col">{t("job.running")}</th>
            <th scope="col">{t("job.dead")}</th>
            <th scope="col">{t("job.first")}</th>
            <th scope="col">{t("job.last")}</th>
            <th scope="col">{t("job.next")}</th>
          </tr>
        </thead>
        <tbody>
          {data.map((queue) => (
            <Queue key={queue.name} queue={queue} counted={counted} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Queue({ queue, counted }: { readonly queue: QueueView; readonly counted: number }) {
  const { name, isDeclared, nextAt, cron } = queue;
  const count = (state: "waiting" | "running" | "dead") => {
    const number = queue[state];
    if (number === 0) return <span className={planStyles.soft}>0</span>;
    const text = `${formatGrouped(number)}${number >= counted ? "+" : ""}`;
    return (
      <Link
        to="/settings/jobs"
        search={{ job: name, state }}
        className={classNames(planStyles.strong, state === "dead" && styles.dead)}
        aria-label={t("job.show", { count: text, state: t(`job.${state}`), name })}
      >
        {text}
      </Link>
    );
  };
  const none = <span className={planStyles.soft}>–</span>;
  return (
    <tr>
      <th scope="row">
        <span className={styles.name}>{name}</span>
        {cron && (
          <span className={classNames(planStyles.soft, styles.line)}>
            {cron.expression} {cron.timezone}
          </span>
        )}
        {!isDeclared && <span className={classNames(planStyles.badText, styles.line)}>{t("job.undeclared")}</span>}
      </th>
      <td>{count("waiting")}</td>
      <td>{count("running")}</td>
      <td>{count("dead")}</td>
      <td>{nextAt ? <Moment value={nextAt} /> : none}</td>
      <td>{cron?.lastAt ? <Moment value={cron.lastAt} /> : none}</td>
      <td>{cron?.nextAt ? <Moment value={cron.nextAt} /> : none}</td>
    </tr>
  );
}
