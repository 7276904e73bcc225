// The statements that make an embedded database as it was when it was new.

/** What empties a database. */
export interface Emptying {
  /** One after the other, in no transaction. */
  readonly statements: readonly string[];
  /** Whether it is as a new one: one row, with `is_empty`. */
  readonly question: string;
}

/** Drops all schemas with their objects, and makes `public` as PostgreSQL does. */
const DROP_SCHEMAS = `
  do $$
  declare name text;
  begin
    for name in select nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
      execute format('drop schema %I cascade', name);
    end loop;
  end $$;
  create schema public authorization pg_database_owner;
  grant usage on schema public to public;
  comment on schema public is 'standard public schema'`;

/** Objects outside of schemas. */
const OUTSIDE = [
  ...["pg_authid", "pg_database", "pg_tablespace", "pg_default_acl", "pg_largeobject_metadata", "pg_event_trigger"],
  ...["pg_publication", "pg_subscription", "pg_foreign_data_wrapper", "pg_language", "pg_extension", "pg_cast"],
];

/**
 * The first id of an object that was not made with the cluster.
 *
 * @source https://github.com/postgres/postgres/blob/master/src/include/access/transam.h, FirstNormalObjectId
 */
const FIRST_ID = 16384;

/** Bytes of an empty database: a new one has 7.6 MB, and its catalogues grow with the tables that there were at a time. */
const MOST_BYTES = 32 * 2 ** 20;

/** Whether nothing is left that goes with no schema, such as a role or a setting, and the files are small. */
const IS_EMPTY = `
  select pg_database_size(current_database()) <= ${MOST_BYTES}
    and not exists (select from pg_db_role_setting)
    and not exists (select from pg_parameter_acl)
    and not exists (select from pg_database where datname = current_database() and datacl is not null)
    and not exists (select from pg_file_settings where sourcefile like '%.auto.conf')
    ${OUTSIDE.map((table) => `and not exists (select from ${table} where oid >= ${FIRST_ID})`).join("\n    ")} as is_empty`;

/** Empties a database. The last statements give free what its rows, and those of the catalogues, took. */
export const EMPTYING: Emptying = { statements: [DROP_SCHEMAS, "vacuum", "checkpoint"], question: IS_EMPTY };
