import type { AuditEntry, Seal } from "../contract.js";

/** A row of entries. */
export interface EntryRow {
  readonly id: string;
  readonly at: Date;
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

/** What a query of entries selects, of a table or alias `e`. */
export const ENTRY_COLUMNS =
  "e.id::text as id, e.at, e.action, e.result, e.transport, e.actor_kind, e.actor_id, e.actor_name, e.uid, e.document_id, e.locales, e.attributes, e.request_id, e.address, e.agent, e.details";

/** The entry of a row; what is null is absent. */
export function entryOf(row: EntryRow): AuditEntry {
  const { actor_kind: kind, actor_id, actor_name } = row;
  // An id without a kind is nothing that the plugin writes; what is not in the entry would not be covered by its digest.
  const isActor = [kind, actor_id, actor_name].some((part) => part !== null);
  const actor = isActor && { kind: kind ?? "", ...present({ id: actor_id, name: actor_name }) };
  return {
    ...{
      id: Number(row.id),
      at: row.at.toISOString(),
      action: row.action,
      result: row.result,
      transport: row.transport,
    },
    ...(actor ? { actor } : {}),
    ...present({ uid: row.uid, documentId: row.document_id, locales: row.locales, attributes: row.attributes }),
    ...present({ requestId: row.request_id, address: row.address, agent: row.agent, details: row.details }),
  };
}

/** Those that are not null. */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], null> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: Exclude<T[K], null>;
  };
}

/** A row of seals, without what it covers. */
export interface HeadRow {
  readonly id: string;
  readonly at: Date;
  readonly last: string;
  readonly previous: string;
  readonly hash: string;
}

/** A row of seals. */
export interface SealRow extends HeadRow {
  readonly ids: readonly string[];
  readonly digests: readonly string[];
}

/** What a query of seals `s` selects; ids as texts, because those of a list come as such. To be ordered by `s.id`, the number. */
export const SEAL_COLUMNS =
  "s.id::text as id, s.at, s.last::text as last, s.ids::text[] as ids, s.digests, s.previous, s.hash";

/** The seal of a row. */
export function sealOf({ id, at, last, previous, hash }: HeadRow): Seal {
  return { id: Number(id), at: at.toISOString(), last: Number(last), previous, hash };
}
