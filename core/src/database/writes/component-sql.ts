import type { Database } from "../driver/database.js";
import { identifier } from "../sql/sql.js";
import { COMPONENT_IDS, COMPONENT_UNIQUES } from "../layout/counters.js";

/** `$1` uid, `$2` document id, `$3` locales: gives up the unique values that components of published rows hold. */
export const CLEAR_COMPONENT_UNIQUES = `delete from ${COMPONENT_UNIQUES} where type = $1 and document_id = $2 and locale = any($3::text[])`;

/** `$1` uid, `$2` document id, `$3` locale, `$4` names of attributes: gives up the values of the locale, and those of the attributes in every one. */
export const RELEASE_COMPONENT_UNIQUES = [
  `delete from ${COMPONENT_UNIQUES} where type = $1 and document_id = $2`,
  "and (locale = $3 or split_part(translate(path, ':', '.'), '.', 1) = any($4::text[]))",
].join(" ");

/**
 * The statement that claims values of a published row, the shared ones in every locale that the document is published in:
 * `$1` uid, `$2` document id, `$3` locale, `$4` JSON list of `{ path, hash, shared }`. It gives `locale` and `key` of those
 * that another document has. Claims are made in one order, so that two documents which take the same values at once do not deadlock.
 *
 * @param table - of the content-type.
 */
export const claimUniquesSql = (table: string): string =>
  [
    `with l as (select $3::text as locale union select locale from ${identifier(table)} where document_id = $2 and published_at is not null),`,
    "wanted as (select l.locale, v.path, v.hash from jsonb_to_recordset($4::jsonb) as v(path text, hash text, shared bool)",
    "join l on v.shared or l.locale = $3),",
    `added as (insert into ${COMPONENT_UNIQUES} (type, document_id, locale, path, hash)`,
    "select $1, $2, locale, path, hash from wanted order by path, locale, hash on conflict do nothing returning locale, path, hash)",
    "select w.locale, w.path || ' ' || w.hash as key from wanted w",
    "where not exists (select from added a where a.locale = w.locale and a.path = w.path and a.hash = w.hash)",
  ].join(" ");

/** `$1` uid, `$2` JSON list of `{ document_id, locale, path, hash }`: claims values of many documents. */
export const LOAD_COMPONENT_UNIQUES = [
  `insert into ${COMPONENT_UNIQUES} (type, document_id, locale, path, hash)`,
  "select $1, v.document_id, v.locale, v.path, v.hash",
  "from jsonb_to_recordset($2::jsonb) as v(document_id text, locale text, path text, hash text) on conflict do nothing",
].join(" ");

/** The first `id` of the next block of component ids. */
const NEXT_COMPONENT_IDS = `select nextval('${COMPONENT_IDS}')::text as id`;

/** `$1` id: moves the sequence of component ids beyond it. */
export const RESERVE_COMPONENT_IDS = `select setval('${COMPONENT_IDS}', $1::int8) where coalesce(pg_sequence_last_value('${COMPONENT_IDS}'::regclass), 0) < $1::int8`;

/** How many ids one step of the sequence stands for. */
const BLOCK = 100;

/**
 * Allocates ids of components: blocks come from a sequence, so that ids are unique across processes and cost little.
 */
export class ComponentIds {
  #free: number[] = [];

  constructor(private readonly db: Database) {}

  /** Takes `count` ids; a block that another caller emptied meanwhile is followed by the next one. */
  async take(count: number): Promise<number[]> {
    const taken = this.#free.splice(0, count);
    while (taken.length < count) {
      const [row] = await this.db.query<{ id: string }>({
        text: NEXT_COMPONENT_IDS,
        values: [],
        isPlan: true,
      });
      const first = Number(row?.id);
      this.#free.push(...Array.from({ length: BLOCK }, (_, index) => first + index));
      taken.push(...this.#free.splice(0, count - taken.length));
    }
    return taken;
  }
}
