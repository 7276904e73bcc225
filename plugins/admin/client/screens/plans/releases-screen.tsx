import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ReleaseState, ReleaseView } from "../../../src/wire/plans.js";
import { t } from "../../messages/text.js";
import { Button } from "../../ui/button.js";
import { Bone, Empty, Failed, useIsSlow } from "../../ui/state.js";
import { Moment } from "../list/cell.js";
import { momentText } from "./moment-text.js";
import { NewRelease } from "./new-release.js";
import { listReleases, PLANS_KEY, RELEASES_ACTION } from "./plans-api.js";
import { ReleaseBadge } from "./release-badge.js";
import styles from "./plans.module.css";
import { useZone } from "./zone-choice.js";
import { ZoneLine } from "./zone-line.js";

const route = getRouteApi("/releases");

/** By which a list of releases is narrowed; undefined: all. */
const STATES: readonly (ReleaseState | undefined)[] = [undefined, "open", "scheduled", "failed", "done"];

/** How many a page of the server has. */
const PAGE = 25;

/** Releases, the newest first. */
export function ReleasesScreen() {
  const { state } = route.useSearch();
  const [zone, setZone] = useZone();
  const [isMaking, setMaking] = useState(false);
  const navigate = useNavigate();
  const releases = useInfiniteQuery({
    queryKey: [PLANS_KEY, "releases", state],
    queryFn: ({ pageParam, signal }) => listReleases({ state, before: pageParam }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    placeholderData: keepPreviousData,
  });
  const rows = releases.data?.pages.flat() ?? [];
  const isSlow = useIsSlow(releases.isPending);
  const make = (
    <Button look="primary" icon="plus" onClick={() => setMaking(true)}>
      {t("release.new")}
    </Button>
  );
  return (
    <div className={styles.screen}>
      <title>{t("release.list")}</title>
      <header className={styles.head}>
        <h1>{t("release.list")}</h1>
        {make}
      </header>
      <div className={styles.bar}>
        <nav className={styles.tabs} aria-label={t("release.states")}>
          {STATES.map((each) => (
            <Link
              key={each ?? "all"}
              to="/releases"
              search={each ? { state: each } : {}}
              className={styles.tab}
              aria-current={each === state ? "page" : undefined}
            >
              {each ? t(`release.state.${each}`) : t("release.all")}
            </Link>
          ))}
        </nav>
        <ZoneLine zone={zone} onChange={setZone} />
      </div>
      {releases.error && (
        <Failed error={releases.error} retry={() => void releases.refetch()} action={RELEASES_ACTION} />
      )}
      {releases.isPending && isSlow && <Bone height="12rem" />}
      {releases.isSuccess && rows.length === 0 && (
        <Empty icon="layers" title={t(state ? "release.noneOfState" : "release.none")} text={t("release.none.text")} />
      )}
      {rows.length > 0 && <Rows rows={rows} zone={zone} />}
      {releases.hasNextPage && <Button onClick={() => void releases.fetchNextPage()}>{t("list.more")}</Button>}
      {isMaking && (
        <NewRelease
          onClose={() => setMaking(false)}
          onMade={({ id }) => void navigate({ to: "/releases/$id", params: { id: String(id) } })}
        />
      )}
    </div>
  );
}

function Rows({ rows, zone }: { readonly rows: readonly ReleaseView[]; readonly zone: string }) {
  return (
    <div className={styles.tableFrame}>
      <table className={styles.table}>
        <caption className="visually-hidden">{t("release.list")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("release.name")}</th>
            <th scope="col">{t("list.state")}</th>
            <th scope="col">{t("release.time")}</th>
            <th scope="col">{t("release.documents")}</th>
            <th scope="col">{t("list.createdAt")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, state, at, actions, createdAt }) => (
            <tr key={id}>
              <th scope="row">
                <Link to="/releases/$id" params={{ id: String(id) }} className={styles.strong}>
                  {name}
                </Link>
              </th>
              <td>
                <ReleaseBadge state={state} />
              </td>
              <td>{at ? momentText(at, zone) : <span className={styles.soft}>{t("release.byHand")}</span>}</td>
              <td>{t("release.count", { count: actions.length })}</td>
              <td>
                <Moment value={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
