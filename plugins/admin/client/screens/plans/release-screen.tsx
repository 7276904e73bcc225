import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ReleaseCheck, ReleaseStory } from "../../../src/wire/plans.js";
import { ApiError } from "../../app/api.js";
import { NotFound } from "../../app/not-found.js";
import { t } from "../../messages/text.js";
import { Icon } from "../../ui/icon.js";
import { Banner, Bone, Failed, useIsSlow } from "../../ui/state.js";
import { Moment } from "../list/cell.js";
import { momentText, plannerText } from "./moment-text.js";
import styles from "./plans.module.css";
import { PLANS_KEY, RELEASES_ACTION, readRelease } from "./plans-api.js";
import { ReleaseBadge } from "./release-badge.js";
import { ReleaseButtons } from "./release-buttons.js";
import { ReleaseDocuments } from "./release-documents.js";
import { Refusals, ReleaseRuns } from "./release-runs.js";
import { keyOf } from "./use-titles.js";
import { useZone } from "./zone-choice.js";
import { ZoneLine } from "./zone-line.js";

const route = getRouteApi("/releases/$id");

/** How often a release that is about to run is read again, in milliseconds. */
const SOON = 2_000;

/** One release: what is in it, when it runs, and what came of it. */
export function ReleaseScreen() {
  const { id } = route.useParams();
  const release = useQuery({
    queryKey: [PLANS_KEY, "release", id],
    queryFn: ({ signal }) => readRelease(id, signal),
    refetchInterval: ({ state }) => waitOf(state.data),
  });
  const isSlow = useIsSlow(release.isPending);
  if (release.error instanceof ApiError && release.error.status === 404) return <NotFound />;
  if (release.error && !release.data)
    return <Failed error={release.error} retry={() => void release.refetch()} action={RELEASES_ACTION} />;
  if (!release.data) return isSlow ? <Bone height="16rem" /> : null;
  return <Release key={id} release={release.data} />;
}

/** It runs without this page: soon after its time, and while it runs, it is looked at. */
function waitOf(release: ReleaseStory | undefined): number | false {
  if (release?.state === "running") return SOON;
  if (release?.state !== "scheduled" || !release.at) return false;
  return Math.max(SOON, Math.min(60_000, Date.parse(release.at) - Date.now() + SOON));
}

function Release({ release }: { readonly release: ReleaseStory }) {
  const [zone, setZone] = useZone();
  const [checked, setChecked] = useState<{ readonly contents: string; readonly check: ReleaseCheck }>();
  const contents = contentsOf(release);
  return (
    <div className={styles.screen}>
      <title>{release.name}</title>
      <header className={styles.head}>
        <div className={styles.names}>
          <Link to="/releases" className={styles.back}>
            <Icon name="chevron-left" size={0.875} />
            {t("release.list")}
          </Link>
          <div className={styles.title}>
            <h1>{release.name}</h1>
            <ReleaseBadge state={release.state} />
          </div>
        </div>
        <ReleaseButtons
          release={release}
          zone={zone}
          onZone={setZone}
          onCheck={(check) => setChecked({ contents, check })}
        />
      </header>
      <Facts release={release} zone={zone} onZone={setZone} />
      {checked?.contents === contents && <CheckResult check={checked.check} />}
      <ReleaseDocuments release={release} />
      <ReleaseRuns runs={release.runs} zone={zone} />
    </div>
  );
}

/** What is in it, and what is done with each: a check of something else says nothing of it. */
const contentsOf = ({ actions }: ReleaseStory): string =>
  JSON.stringify(actions.map((action) => [keyOf(action), action.action]));

interface FactsProps {
  readonly release: ReleaseStory;
  readonly zone: string;
  readonly onZone: (zone: string) => void;
}

/** When it runs, as whom, and what holds for it, in words. */
function Facts({ release, zone, onZone }: FactsProps) {
  const { state, at, by, createdBy, createdAt, transaction } = release;
  return (
    <section className={styles.card}>
      <p className={styles.when}>
        <Icon name={state === "scheduled" ? "clock" : "layers"} size={1.125} />
        <span>
          {state === "scheduled" && at
            ? t("release.goesOut", { time: momentText(at, zone), name: plannerText(by) })
            : t(`release.now.${state}`)}
        </span>
      </p>
      <p className={styles.soft}>{t(transaction ? "release.whole" : "release.each")}</p>
      <p className={styles.soft}>{t("release.meanwhile")}</p>
      <div className={styles.bar}>
        <p className={styles.soft}>
          {t("release.madeBy", { name: plannerText(createdBy) })} <Moment value={createdAt} />
        </p>
        <ZoneLine zone={zone} onChange={onZone} />
      </div>
    </section>
  );
}

/** What would come of it now. */
function CheckResult({ check: { problems, warnings } }: { readonly check: ReleaseCheck }) {
  if (problems.length + warnings.length === 0) return <Banner>{t("release.check.fine")}</Banner>;
  return (
    <section className={styles.card} aria-labelledby="release-check">
      <h2 id="release-check">{t("release.check.result")}</h2>
      {problems.length > 0 && (
        <div role="alert">
          <p className={styles.bold}>{t("release.check.problems", { count: problems.length })}</p>
          <Refusals problems={problems} />
        </div>
      )}
      {warnings.length > 0 && (
        <div role="status">
          <p className={styles.bold}>{t("release.check.warnings", { count: warnings.length })}</p>
          <Refusals
            problems={warnings.map(({ path, target, ...place }) => ({
              ...{ ...place, path, code: "" },
              message: t("release.check.unpublished"),
              target,
            }))}
          />
        </div>
      )}
    </section>
  );
}
