/**
 * SQL of the id (xid8) that every transaction of this database has or exceeds that can still commit something which the
 * statement does not see: of those that were under way when its snapshot was taken the oldest, else the next id.
 *
 * `pg_snapshot_xmin` counts transactions of all databases of the server, so that a long one elsewhere holds everything back.
 * Left out is what `pg_stat_activity` or `pg_prepared_xacts` shows at another database; what has ended since the snapshot is
 * in neither, and counts. Ids of transactions are seen without the right to see what others run.
 *
 * @source https://www.postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT, https://www.postgresql.org/docs/15/monitoring-stats.html#MONITORING-PG-STAT-ACTIVITY-VIEW
 */
export const OLDEST_TRANSACTION = `least(pg_current_xact_id_if_assigned(), coalesce((
    select running.xid from pg_snapshot_xip(pg_current_snapshot()) running(xid)
      where not exists (select from pg_stat_activity where backend_xid = running.xid::xid and datname <> current_database())
        and not exists (select from pg_prepared_xacts where transaction = running.xid::xid and database <> current_database())
      order by running.xid limit 1),
    pg_snapshot_xmax(pg_current_snapshot())))`;
