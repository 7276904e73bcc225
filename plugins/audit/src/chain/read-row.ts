import type { AuditEntry, Seal } from "../contract.js";
import { flatDetails } from "./flat-details.js";

/** A time of a row. */
export interface Timed {
  /** Where JavaScript has no such date, what the driver makes of it: a number, or an invalid date. */
  readonly at: unknown;
  /** Of a time that not every driver reads alike, such as `infinity`, its text; else null. */
  readonly at_text: string | null;
}

/** A row of entries. */
export interface EntryRow extends Timed {
  readonly id: string;
  readonly action: string;
  readonly result: AuditEntry["result"];
  readonly transport: string;
  readonly actor_kind: string | null;
  readonly actor_id: string | null;
  readonly actor_name: string | null;
  readonly uid: string | null;
  readonly document_id: string | null;
  readonly locales: readonly string[] | null;
  readonly attributes: readonly string[] | null;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly agent: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
}

/** What a query selects of a time, of a table or alias that has it as `at`. Of the years 1 to 9999 a date is enough. */
export const timeColumns = (of: string): string =>
  `${of}.at, case when ${of}.at between '0001-01-01T00:00:00Z' and '9999-12-31T23:59:59.999Z' then null else (${of}.at at time zone 'UTC')::text end as at_text`;

/** What a query of entries selects, of a table or alias `e`. */
export const ENTRY_COLUMNS: string = `e.id::text as id, ${timeColumns("e")}, e.action, e.result, e.transport, e.actor_kind, e.actor_id, e.actor_name, e.uid, e.document_id, e.locales, e.attributes, e.request_id, e.address, e.agent, e.details`;

/**
 * ISO 8601. Who may write to a table may write any time there: where JavaScript has no such date, it is the text, so that
 * reading never fails, and the digest is merely another one.
 */
export function timeOf({ at, at_text: text }: Timed): string {
  return at instanceof Date && Number.isFinite(at.getTime()) ? at.toISOString() : (text ?? String(at));
}

/** The entry of a row; what is null is absent. Never throws. */
export function entryOf(row: EntryRow): AuditEntry {
  const { actor_kind: kind, actor_id, actor_name } = row;
  const details = row.details && flatDetails(row.details);
  // An id without a kind is nothing that the plugin writes; what is not in the entry would not be covered by its digest.
  const isActor = [kind, actor_id, actor_name].some((part) => part !== null);
  const actor = isActor && { kind: kind ?? "", ...present({ id: actor_id, name: actor_name }) };
  return {
    ...{
      id: Number(row.id),
      at: timeOf(row),
      action: row.action,
      result: row.result,
      transport: row.transport,
    },
    ...(actor ? { actor } : {}),
    ...present({ uid: row.uid, documentId: row.document_id, locales: row.locales, attributes: row.attributes }),
    ...present({ requestId: row.request_id, address: row.address, agent: row.agent, details }),
  };
}

/** Those that are not null. */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], null> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: Exclude<T[K], null>;
  };
}

/** A row of seals, without what it covers. */
export interface HeadRow extends Timed {
  readonly id: string;
  readonly last: string;
  readonly previous: string;
  readonly hash: string;
}

/** A row of seals. */
export interface SealRow extends HeadRow {
  readonly ids: readonly string[];
  readonly digests: readonly string[];
}

/** What a query of seals `s` selects, without what they cover. To be ordered by `s.id`, the number. */
export const HEAD_COLUMNS: string = `s.id::text as id, ${timeColumns("s")}, s.last::text as last, s.previous, s.hash`;

/** What a query of seals `s` selects; ids as texts, because those of a list come as such. */
export const SEAL_COLUMNS: string = `${HEAD_COLUMNS}, s.ids::text[] as ids, s.digests`;

/** The seal of a row. Never throws. */
export function sealOf(row: HeadRow): Seal {
  const { id, last, previous, hash } = row;
  return { id: Number(id), at: timeOf(row), last: Number(last), previous, hash };
}
