import type { Database } from "../driver/database.js";
import type { Finding } from "./finding.js";

/** A place in the log that the server keeps for somebody who is away. */
export interface SlotRow {
  readonly name: string;
  /** Bytes of the log that are kept for it; null: none. */
  readonly kept: number | null;
  /** `reserved`, `extended`, `unreserved` or `lost`. */
  readonly status: string | null;
}

const GIB = 1024 ** 3;

const INACTIVE = `select slot_name as name, wal_status as status, case when pg_is_in_recovery() then null
  else pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) end::float8 as kept from pg_replication_slots where not active order by 1`;

/** Replication slots that nothing reads: the log is kept for them until the disk is full. */
export async function examineSlots(db: Database): Promise<readonly Finding[]> {
  return judgeSlots(await db.query<SlotRow & object>({ text: INACTIVE, values: [] }));
}

/** What is to be said of inactive slots. */
export function judgeSlots(slots: readonly SlotRow[]): readonly Finding[] {
  return slots.map(({ name, kept, status }) => ({
    weight: (kept ?? 0) > GIB ? "error" : "warning",
    kind: "inactive slot",
    where: name,
    what: `is read by nothing, and keeps ${((kept ?? 0) / GIB).toFixed(2)} GiB of the log (${status ?? "unknown"})`,
    advice: "Start its reader, or drop it with pg_drop_replication_slot; limit such with max_slot_wal_keep_size.",
  }));
}
