# Runs once, when the primary's files are made: lets the standby copy them, and follow.
set -e
psql --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
create role standby login replication password :'password';
SQL
echo "host replication standby samenet scram-sha-256" >>"$PGDATA/pg_hba.conf"
