# Copies the files of the primary, unless there are some, and follows it. PGHOST, PGUSER and PGPASSWORD lead to it.
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  chmod 700 "$PGDATA"
  pg_basebackup --pgdata="$PGDATA" --checkpoint=fast --write-recovery-conf
fi
exec postgres
