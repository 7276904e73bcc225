/** Sequence of the ids of components; a process takes 100 of them at a time: `nextval` up to `nextval + 99`. */
export const COMPONENT_IDS = "plinth_component_ids";

/**
 * Table that keeps unique attributes inside components unique, one row per published value: `type` (uid of the owner),
 * `path` (of the attribute: `seo.slug`), `locale`, `hash` (of the value), `document_id`.
 * Unique (type, path, locale, hash); index (type, document_id).
 */
export const COMPONENT_UNIQUES = "plinth_component_uniques";

/** Its unique index, by which a publication names its rows. */
export const COMPONENT_UNIQUES_IDENTITY = `${COMPONENT_UNIQUES}_value`;

/** The statements that make it. */
export const COMPONENT_UNIQUES_SQL: readonly string[] = [
  `create table ${COMPONENT_UNIQUES} (type text not null, path text not null, locale text not null default '', hash text not null, document_id text not null)`,
  `create unique index ${COMPONENT_UNIQUES_IDENTITY} on ${COMPONENT_UNIQUES} (type, path, locale, hash)`,
  `create index ${COMPONENT_UNIQUES}_document on ${COMPONENT_UNIQUES} (type, document_id)`,
];

/**
 * Table of the attempts that rate limits count, in fixed intervals: `key` (a hash), `value`, `ends_at`. Unlogged: after
 * a crash of the server counting starts again.
 */
export const ATTEMPTS = "plinth_attempts";

/** The statements that make it. */
export const ATTEMPTS_SQL: readonly string[] = [
  `create unlogged table ${ATTEMPTS} (key text primary key, value bigint not null, ends_at timestamptz not null) with (fillfactor = 70)`,
  `create index ${ATTEMPTS}_end on ${ATTEMPTS} (ends_at)`,
];
