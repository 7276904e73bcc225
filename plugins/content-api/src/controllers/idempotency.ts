import { createHash } from "node:crypto";
import { type App, lockStatement } from "@plinth/core";
import { type Endpoint, type EndpointAnswer, hasJsonText, jsonText, type RequestInfo } from "@plinth/core/http";
import { InvalidKeyError, KeyInUseError, KeyReusedError } from "../errors.js";
import { createAnswer } from "./respond.js";
import { Turns } from "./turns.js";

/** Answers by key; a row is written with the change that it answers. */
const TABLE = "plinth_idempotency";

const CREATE = `create table if not exists ${TABLE} (actor text not null, key text not null, hash text not null,
  status int not null, version text, body json, at timestamptz not null default now(), primary key (actor, key));
  create index if not exists ${TABLE}_at on ${TABLE} (at)`;

const KEPT = "interval '24 hours'";

/** PostgreSQL gives a member of `json` as it was written, so that the second answer has the bytes of the first. */
const LOOK = `with expired as (delete from ${TABLE} where actor = $1 and key = $2 and at <= now() - ${KEPT})
  select hash, status, version, (body -> 'data')::text as data, body -> 'meta' as meta
  from ${TABLE} where actor = $1 and key = $2 and at > now() - ${KEPT}`;

const KEEP = `insert into ${TABLE} (actor, key, hash, status, version, body) values ($1, $2, $3, $4, $5, $6)`;

/** Some at a time, so that no writer waits for long. */
const CLEAN = `delete from ${TABLE} where (actor, key) in
  (select actor, key from ${TABLE} where at <= now() - ${KEPT} limit 5000)`;
const CLEAN_EVERY = 500;

/** Visible ASCII, as a header has it. */
const KEY = /^[\x21-\x7e]{1,255}$/;
/** How many requests wait for another one with their key, and for how many milliseconds. */
const PATIENCE = { most: 10, time: 10_000 };
/** Seconds after which one that was refused is sent again. */
const RETRY_AFTER = "1";

/** Of each app: a key is a caller's, for all endpoints. */
const turns = new WeakMap<App, Turns>();

interface KnownRow {
  readonly hash: string;
  readonly status: number;
  readonly version: string | null;
  readonly data: string | null;
  readonly meta: Record<string, unknown> | null;
}

/** Makes the table, where it is missing; several processes may start at once. */
export async function openIdempotency({ db }: App): Promise<void> {
  await db.transaction(async () => {
    await db.lock(TABLE);
    for (const text of CREATE.split(";")) await db.query({ text, values: [] });
  });
}

/**
 * An endpoint that does its work once for each `Idempotency-Key` of a caller, and gives the same answer again for 24
 * hours. A request without the header, or one that fails, is as without this.
 *
 * @throws PLINTH_REST_INVALID_KEY (400), PLINTH_REST_KEY_IN_USE (409), PLINTH_REST_KEY_REUSED (422)
 */
export function idempotent(app: App, endpoint: Endpoint): Endpoint {
  let calls = 0;
  return async (request) => {
    const key = request.headers["idempotency-key"];
    if (key === undefined) return await endpoint(request);
    if (typeof key !== "string" || !KEY.test(key)) throw new InvalidKeyError({});
    calls += 1;
    if (calls % CLEAN_EVERY === 0) await app.db.query({ text: CLEAN, values: [] });
    return await answerOnce(app, endpoint, request, key);
  };
}

/** Requests of one process wait for each other without a connection; one that another process answers is refused. */
async function answerOnce(app: App, endpoint: Endpoint, request: RequestInfo, key: string): Promise<EndpointAnswer> {
  const place = { actor: actorOf(request), key };
  const own = turns.get(app) ?? new Turns(PATIENCE);
  turns.set(app, own);
  try {
    return await own.take(`${place.actor} ${key}`, () => answerNext(app, endpoint, request, place));
  } catch (error) {
    if (error instanceof KeyInUseError) request.context.set("Retry-After", RETRY_AFTER);
    throw error;
  }
}

/** Where the answer to a request is kept. */
interface Place {
  readonly actor: string;
  readonly key: string;
}

async function answerNext(
  { db }: App,
  endpoint: Endpoint,
  request: RequestInfo,
  { actor, key }: Place,
): Promise<EndpointAnswer> {
  const hash = hashOf(request.method, request.url, JSON.stringify(request.body) ?? "");
  return await db.transaction(async () => {
    // A wait would hold a connection that readers need.
    const [lock] = await db.query<{ is_taken: boolean }>(lockStatement([`idempotency ${actor} ${key}`], "tried"));
    if (!lock?.is_taken) throw new KeyInUseError({});
    const [known] = await db.query<KnownRow>({ text: LOOK, values: [actor, key], isPlan: true });
    if (known) return replay(known, hash);
    const answer = await endpoint(request);
    const values = [actor, key, hash, answer.status, answer.version ?? null, textOf(answer.body)];
    db.defer({ text: KEEP, values, isPlan: true });
    return answer;
  });
}

function replay({ hash, status, version, data, meta }: KnownRow, own: string): EndpointAnswer {
  if (hash !== own) throw new KeyReusedError({});
  const headers = { "idempotency-replayed": "true" };
  if (data === null) return { status, headers };
  const body = createAnswer({ text: data, parse: () => JSON.parse(data) as unknown }, meta ?? {});
  return { status, headers, body, ...(version === null ? {} : { version }) };
}

/** Tokens have no id here, and two callers must not see each other's answers: it is who the credentials are. */
function actorOf({ actor, headers }: RequestInfo): string {
  if (actor.user) return `${actor.kind} ${actor.user.documentId}`;
  return `${actor.kind} ${hashOf(headers.authorization ?? "")}`;
}

const hashOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

function textOf(body: EndpointAnswer["body"]): string | null {
  if (body === undefined) return null;
  return hasJsonText(body) ? body[jsonText]() : JSON.stringify(body);
}
