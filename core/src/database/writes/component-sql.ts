import { COMPONENT_IDS, COMPONENT_UNIQUES } from "../layout/system-tables.js";

/** `$1` uid, `$2` document id, `$3` locales: gives up the unique values that components of published rows hold. */
export const CLEAR_COMPONENT_UNIQUES = `delete from ${COMPONENT_UNIQUES} where type = $1 and document_id = $2 and locale = any($3::text[])`;

/** `$1` uid, `$2` document id, `$3` locale, `$4` JSON list of `{ path, hash }`: claims values, and gives the `key` of each that was free. */
export const CLAIM_COMPONENT_UNIQUES = [
  `insert into ${COMPONENT_UNIQUES} (type, document_id, locale, path, hash)`,
  "select $1, $2, $3, v.path, v.hash from jsonb_to_recordset($4::jsonb) as v(path text, hash text)",
  "on conflict do nothing returning path || ' ' || hash as key",
].join(" ");

/** `$1` uid, `$2` JSON list of `{ document_id, locale, path, hash }`: claims values of many documents. */
export const LOAD_COMPONENT_UNIQUES = [
  `insert into ${COMPONENT_UNIQUES} (type, document_id, locale, path, hash)`,
  "select $1, v.document_id, v.locale, v.path, v.hash",
  "from jsonb_to_recordset($2::jsonb) as v(document_id text, locale text, path text, hash text) on conflict do nothing",
].join(" ");

/** The first `id` of the next block of component ids. */
export const NEXT_COMPONENT_IDS = `select nextval('${COMPONENT_IDS}')::text as id`;

/** `$1` id: moves the sequence of component ids beyond it. */
export const RESERVE_COMPONENT_IDS = `select setval('${COMPONENT_IDS}', $1::int8) where coalesce(pg_sequence_last_value('${COMPONENT_IDS}'::regclass), 0) < $1::int8`;
