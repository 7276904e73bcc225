import type { App, Statement, WriteOrigin } from "@plinth/core";
import type { Act } from "@plinth/core/access";
import { clientOf } from "@plinth/core/http";
import { identifier, shortened } from "./texts.js";
import { ENTRIES } from "../tables.js";
import type { Places } from "./places.js";

/** An entry that is to be written. */
export interface NewEntry {
  readonly action: string;
  readonly result: Act["result"];
  readonly transport: string;
  readonly actor_kind: string | null;
  readonly actor_id: string | null;
  readonly uid: string | null;
  readonly document_id: string | null;
  readonly locales: readonly string[] | null;
  readonly attributes: readonly string[] | null;
  readonly request_id: string | null;
  readonly address: string | null;
  readonly agent: string | null;
  readonly details: Readonly<Record<string, unknown>> | null;
}

/** What an entry says of who and where. */
export type EntryOrigin = Pick<NewEntry, "transport" | "actor_kind" | "actor_id" | "request_id" | "address" | "agent">;

/** What an entry says of an origin. */
export function describeOrigin(origin: WriteOrigin, places: Places): EntryOrigin {
  const { transport, requestId, actor } = origin;
  const client = clientOf(origin);
  return {
    transport,
    actor_kind: actor?.kind ?? null,
    actor_id: shortened(actor?.id),
    request_id: shortened(requestId),
    address: places.addressOf(client),
    agent: places.agentOf(client),
  };
}

/** Where a name is: the content-type, and the attribute. */
type NamePlace = readonly [uid: string, attribute: string];

const TOKEN_NAME: NamePlace = ["plugin::api-tokens.token", "name"];

/** The kinds of actors whose names are in the database. What acts as an administrator is an account or an API token. */
const NAMES: Readonly<Record<string, readonly NamePlace[]>> = {
  user: [["plugin::users-permissions.user", "username"]],
  admin: [["plugin::api-tokens.admin", "email"], TOKEN_NAME],
  token: [TOKEN_NAME],
};

/** The statements that write entries. */
export class EntryStatements {
  readonly #names: string;

  /** @param hasNames - whether entries have the name of who acted. */
  constructor(app: App, hasNames: boolean) {
    const cases = Object.entries(hasNames ? NAMES : {}).flatMap(([kind, places]) => {
      const names = places.flatMap((place) => nameSql(app, place));
      return names.length === 0 ? [] : [`when '${kind}' then coalesce(${names.join(", ")})`];
    });
    this.#names =
      cases.length === 0 ? "null::text" : `case v.actor_kind ${cases.join(" ")} when 'system' then v.actor_id end`;
  }

  /** One entry. @param details - SQL of details, of the document `$7`, in place of those of the entry. */
  one(entry: NewEntry, details = "$13::jsonb"): Statement {
    const { locales, attributes } = entry;
    const text = `insert into ${ENTRIES} (${COLUMNS}, details, actor_name)
      select ${COLUMNS}, ${details}, ${this.#names} from (select $1::text as action, $2::text as result, $3::text as transport,
      $4::text as actor_kind, $5::text as actor_id, $6::text as uid, $7::text as document_id, $8::text[] as locales,
      $9::text[] as attributes, $10::text as request_id, $11::text as address, $12::text as agent) v${details.includes("$13") ? "" : " where $13::jsonb is null"}`;
    const values = [
      ...[entry.action, entry.result, entry.transport, entry.actor_kind, entry.actor_id, entry.uid, entry.document_id],
      ...[locales, attributes, entry.request_id, entry.address, entry.agent],
      entry.details === null ? null : JSON.stringify(entry.details),
    ];
    return { text, values, isPlan: true };
  }

  /** Many entries. @param entries - `at`: when it happened, in milliseconds since 1970; default: it happens now. */
  many(entries: readonly (NewEntry & { readonly at?: number })[]): Statement {
    const text = `insert into ${ENTRIES} (at, ${COLUMNS}, details, actor_name)
      select least(clock_timestamp(), to_timestamp(v.at / 1000)), ${COLUMNS}, details, ${this.#names}
      from jsonb_to_recordset($1::jsonb) as v(at float8, action text, result text, transport text, actor_kind text, actor_id text, uid text,
      document_id text, locales text[], attributes text[], request_id text, address text, agent text, details jsonb)`;
    return { text, values: [JSON.stringify(entries)], isPlan: true };
  }
}

/** SQL of the name of an actor; nothing where the content-type is not there. */
function nameSql({ model }: App, [uid, attribute]: NamePlace): readonly string[] {
  const type = model.contentTypes.get(uid);
  if (!type) return [];
  const { table } = type;
  return [`(select n.${identifier(attribute)} from ${identifier(table)} n where n.document_id = v.actor_id limit 1)`];
}

const COLUMNS =
  "action, result, transport, actor_kind, actor_id, uid, document_id, locales, attributes, request_id, address, agent";
