import type { Database } from "../driver/database.js";
import type { Finding } from "./finding.js";

/** A server that follows, as the primary sees it. */
export interface StandbyRow {
  readonly name: string;
  readonly state: string | null;
  readonly sync: string | null;
  /** Seconds until what the primary has written is replayed there; null: nothing to say. */
  readonly lag: number | null;
}

/** The replication of a server. */
export interface Replication {
  readonly standbys: readonly StandbyRow[];
  /** `synchronous_standby_names`. */
  readonly names: string;
  /** `synchronous_commit`. */
  readonly commit: string;
}

/** Seconds from which on a standby is far behind. */
const FAR_BEHIND = 10;

const STANDBYS = `select coalesce(nullif(application_name, ''), client_addr::text, pid::text) as name, state, sync_state as sync,
  extract(epoch from replay_lag)::float8 as lag from pg_stat_replication order by 1`;

/** Standbys that are behind, those that commits wait for, and replicas that no read may use. */
export async function examineStandbys(db: Database): Promise<readonly Finding[]> {
  const standbys = await db.query<StandbyRow & object>({ text: STANDBYS, values: [] });
  const text = `select current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as commit`;
  const [settings] = await db.query<{ names: string; commit: string }>({ text, values: [] });
  const { names = "", commit = "on" } = settings ?? {};
  return [...judgeReplication({ standbys, names, commit }), ...judgeReplicas(db)];
}

/** What is to be said of a server's replication. */
export function judgeReplication({ standbys, names, commit }: Replication): readonly Finding[] {
  const findings: Finding[] = standbys
    .filter(({ lag }) => (lag ?? 0) > FAR_BEHIND)
    .map(({ name, lag }) => ({
      weight: "warning",
      kind: "standby behind",
      where: name,
      what: `replays what was written ${Math.round(lag ?? 0)} s ago`,
      advice: "Look at its disk and network, and for long reads there (max_standby_streaming_delay).",
    }));
  if (names === "" || commit === "off" || commit === "local") return findings;
  const waitedFor = standbys.filter(
    ({ sync, state }) => (sync === "sync" || sync === "quorum") && state === "streaming",
  );
  const wanted = standbysWanted(names);
  if (waitedFor.length >= wanted + 1) return findings;
  const what = `is "${names}", and ${waitedFor.length} such standbys are there`;
  const where = "synchronous_standby_names";
  if (waitedFor.length < wanted)
    findings.push({
      weight: "error",
      kind: "commits wait",
      where,
      what,
      advice: "Start the standbys, or change the setting: no write is acknowledged until then.",
    });
  else
    findings.push({
      weight: "warning",
      kind: "commits wait",
      where,
      what: `${what}: without one of them no write is acknowledged`,
      advice: `Have one more than commits wait for: ANY ${wanted} (...).`,
    });
  return findings;
}

/** How many standbys a commit waits for: `ANY 1 (a, b)` one, `FIRST 2 (a, b, c)` and `2 (a, b, c)` two, `a, b` one. */
const standbysWanted = (names: string): number => Number(/^\s*(?:any|first)?\s*(\d+)\s*\(/i.exec(names)?.[1] ?? 1);

function judgeReplicas({ replicas }: Pick<Database, "replicas">): readonly Finding[] {
  if (!replicas || replicas.usable === replicas.pools.length) return [];
  const what = `${replicas.usable} of ${replicas.pools.length} can answer reads now`;
  const advice =
    "Those that are away, on another timeline or behind by more than `maxLag` get none: see the log of the app.";
  return [{ weight: "warning", kind: "replicas", where: "database.replicas", what, advice }];
}
