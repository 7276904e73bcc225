/** How positions are asked for. */
export interface Tracking {
  /** Sent to the primary every 50 ms: its position, as a column `position`. No row, or an error, on a server that is none. */
  readonly primary: string;
  /** The same of a replica: what it has replayed. No row, or null: not known. */
  readonly replica: string;
  /** Sent along with each commit: the position that includes it. Undefined: the time of this process is taken. */
  readonly commit: string | undefined;
}

/*
 * Flushed, not inserted: that includes what others have not committed, and no standby gets soon. Where commits do not wait
 * for the disk it has to be what was inserted: they are there, and not flushed.
 */
const COMMITTED = `select substr(pg_walfile_name(lsn), 1, 8) || '-' || lsn as position from (select case
  current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end as lsn) log`;

/*
 * A standby that receives from a timeline has a past that fits to it. Who may not see the receiver (pg_read_all_stats)
 * gets the timeline of the last restart point, which follows a promotion within checkpoint_timeout.
 */
const REPLAYED = `select lpad(to_hex(coalesce((select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint()))), 8, '0')
  || '-' || pg_last_wal_replay_lsn() as position where pg_is_in_recovery()`;

/*
 * Aurora has one storage and no log to replay: durable_lsn of the writer is what is committed, current_read_lsn of a
 * reader what it sees.
 *
 * https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/aurora_replica_status.html
 */
const aurora = (column: string, which: string) =>
  `select '00000001-' || upper(to_hex(lsn >> 32)) || '/' || upper(to_hex(lsn & 4294967295)) as position from (select ${column}::bigint as lsn from aurora_replica_status() where ${which}) status`;
const DURABLE = aurora("durable_lsn", "session_id = 'MASTER_SESSION_ID' and not pg_is_in_recovery()");

/** Whether a server answers, and what it is: for positions that are times. */
const alive = (is: string) => `select '' as position where ${is} pg_is_in_recovery()`;

/** The ways to ask, by `replicas.position`. */
export const TRACKINGS: Readonly<Record<"lsn" | "aurora" | "time", Tracking>> = {
  lsn: { primary: COMMITTED, replica: REPLAYED, commit: COMMITTED },
  aurora: {
    primary: DURABLE,
    replica: aurora("current_read_lsn", "server_id = aurora_db_instance_identifier()"),
    commit: DURABLE,
  },
  time: { primary: alive("not"), replica: alive(""), commit: undefined },
};
