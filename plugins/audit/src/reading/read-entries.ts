import type { Database } from "@plinth/core";
import { ENTRY_COLUMNS, type EntryRow, entryOf, SEAL_COLUMNS, type SealRow, sealOf } from "../chain/read-row.js";
import { lineOf } from "../chain/hash.js";
import type { AuditFilter, AuditPage } from "../contract.js";
import { InvalidSelectionError } from "../errors.js";
import { ENTRIES, SEALS } from "../tables.js";

/** Entries that an export reads at once. */
const BATCH = 500;
const DEFAULT_LIMIT = 100;

/** The time of an entry in the place of a page: milliseconds since 1970, or a time without end. */
const PLACE = "case when isfinite(e.at) then round(extract(epoch from e.at) * 1000)::bigint::text else e.at::text end";
/** The first and the last millisecond of PostgreSQL. */
const TIMES = [-210_866_803_200_000, 9_224_318_015_999_000] as const;

/** Statements grow by what is asked for, so that each has the plan, and the index, of its own. */
class Conditions {
  readonly values: unknown[] = [];
  readonly #texts: string[] = [];

  /** @param text - with `?` for the value. */
  add(text: string, value: unknown): void {
    this.values.push(value);
    this.#texts.push(text.replaceAll("?", `$${this.values.length}`));
  }

  get where(): string {
    return this.#texts.length === 0 ? "" : `where ${this.#texts.join(" and ")}`;
  }
}

function conditionsOf({ since, until, actor, action, result, uid, documentId }: AuditFilter): Conditions {
  const conditions = new Conditions();
  if (since) conditions.add("e.at >= ?::timestamptz", since.toISOString());
  if (until) conditions.add("e.at <= ?::timestamptz", until.toISOString());
  if (documentId !== undefined) conditions.add("e.document_id = ?", documentId);
  if (uid !== undefined) conditions.add("e.uid = ?", uid);
  if (result !== undefined) conditions.add("e.result = ?", result);
  if (action?.endsWith(".*")) conditions.add("starts_with(e.action, ?)", action.slice(0, -1));
  else if (action !== undefined) conditions.add("e.action = ?", action);
  if (actor !== undefined) addActor(conditions, actor);
  return conditions;
}

/** `user:k2v9...`; without a colon a kind or an id. */
function addActor(conditions: Conditions, actor: string): void {
  const colon = actor.indexOf(":");
  if (colon < 0) conditions.add("(e.actor_id = ? or e.actor_kind = ?)", actor);
  else {
    conditions.add("e.actor_kind = ?", actor.slice(0, colon));
    conditions.add("e.actor_id = ?", actor.slice(colon + 1));
  }
}

/** What is read of a list. */
interface PageRequest {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

/** See Audit.list. @throws PLINTH_AUDIT_SELECTION_INVALID (400) */
export async function listEntries(
  db: Database,
  filter: AuditFilter,
  { limit = DEFAULT_LIMIT, after }: PageRequest,
): Promise<AuditPage> {
  const conditions = conditionsOf(filter);
  if (after !== undefined)
    conditions.add(
      "(e.at, e.id) < (select to_timestamp((?::text[])[1]::float8 / 1000)::timestamptz(3), (?::text[])[2]::bigint)",
      placeOf(after),
    );
  const text = `select ${ENTRY_COLUMNS}, ${PLACE} as place from ${ENTRIES} e ${conditions.where} order by e.at desc, e.id desc limit ${limit + 1}`;
  const rows = await db.query<EntryRow & { readonly place: string }>({ text, values: conditions.values, isRead: true });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { entries: shown.map(entryOf), next: last ? `${last.place}-${last.id}` : null };
}

/** @throws PLINTH_AUDIT_SELECTION_INVALID (400) */
function placeOf(text: string): readonly string[] {
  const [, at, id] = /^(-?\d{1,16}|-?infinity)-(-?\d{1,18})$/.exec(text) ?? [];
  if (at === undefined || id === undefined || Number(at) < TIMES[0] || Number(at) > TIMES[1])
    throw new InvalidSelectionError({ reason: `"${text.slice(0, 40)}" is no place of a page before this one` });
  return [at, id];
}

/** Ids of entries. */
interface Range {
  readonly after?: string;
  readonly upTo?: string;
}

/** See Audit.export. */
export async function* exportEntries(
  db: Database,
  filter: AuditFilter,
  { after = "0", upTo }: Range = {},
): AsyncGenerator<string> {
  for (;;) {
    const conditions = conditionsOf(filter);
    conditions.add("e.id > ?::bigint", after);
    if (upTo !== undefined) conditions.add("e.id <= ?::bigint", upTo);
    const text = `select ${ENTRY_COLUMNS} from ${ENTRIES} e ${conditions.where} order by e.id limit ${BATCH}`;
    const rows = await db.query<EntryRow>({ text, values: conditions.values, isRead: true });
    for (const row of rows) yield `${lineOf(entryOf(row))}\n`;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.id;
  }
}

const NEXT_SEAL = `select ${SEAL_COLUMNS} from ${SEALS} s where s.id > $1 order by s.id limit 1`;

/** All that is sealed, each seal after what it covers, and then what is not. */
export async function* exportSealed(db: Database): AsyncGenerator<string> {
  let [id, after] = ["0", "0"];
  for (;;) {
    const [seal] = await db.query<SealRow>({ text: NEXT_SEAL, values: [id], isRead: true });
    if (!seal) break;
    yield* exportEntries(db, {}, { after, upTo: seal.last });
    yield `${JSON.stringify({ seal: sealOf(seal) })}\n`;
    [id, after] = [seal.id, seal.last];
  }
  yield* exportEntries(db, {}, { after });
}
