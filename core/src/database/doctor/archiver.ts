import type { Database } from "../driver/database.js";
import type { Finding } from "./finding.js";

const FAILING = `select last_failed_wal as segment, failed_count::float8 as failures, last_failed_time::text as at from pg_stat_archiver
  where last_failed_time is not null and (last_archived_time is null or last_failed_time > last_archived_time)
  and current_setting('archive_mode') <> 'off'`;

/** Whether the log can be archived: while it cannot, backups end there, and the disk fills. */
export async function examineArchiver(db: Database): Promise<readonly Finding[]> {
  const found = await db.query<{ segment: string; failures: number; at: string }>({ text: FAILING, values: [] });
  return found.map(({ segment, failures, at }) => ({
    weight: "error",
    kind: "archive failures",
    where: "archive_command",
    what: `failed ${failures} times, last at ${at} with ${segment}, and has not succeeded since`,
    advice: "Look into the log of PostgreSQL for what it said.",
  }));
}
