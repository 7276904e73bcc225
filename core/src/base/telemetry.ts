import { channel } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isPlinthError } from "./error.js";

/*
 * What an app reports of its work, by node's diagnostics_channel. Nothing is made for a channel without a listener. The
 * channels are those of the process: the member `app` or `pool` of a message says which of several apps it is of.
 */

/**
 * A channel whose messages have one type. A listener is called where the work is done, and must not throw: node raises
 * what it throws as an uncaught exception.
 *
 * @source https://nodejs.org/docs/latest-v20.x/api/diagnostics_channel.html
 */
export interface ReportChannel<Message extends object> {
  /** Such as `plinth:pool`, for `diagnostics_channel.subscribe`. */
  readonly name: string;
  readonly hasSubscribers: boolean;
  publish(message: Message): void;
  subscribe(listener: (message: Message) => void): void;
  unsubscribe(listener: (message: Message) => void): void;
}

/**
 * Work that takes time: `start` gets a message before it, and `end` the same object after it, then complete. A tracer keeps
 * its span by the object; `start` is called in the async context of the caller.
 */
export class TimedChannel<Message extends object> {
  readonly start: ReportChannel<Message>;
  readonly end: ReportChannel<Message>;

  /** @param name - of `end`; `start` has `:start` after it. */
  constructor(name: string) {
    this.start = open<Message>(`${name}:start`);
    this.end = open<Message>(name);
  }

  /** Whether one of both has a listener. */
  get hasListeners(): boolean {
    return this.end.hasSubscribers || this.start.hasSubscribers;
  }
}

/** A request of the public address, health aside. It ends when its answer is sent, or its client has gone. */
export interface HttpMessage {
  /** The app. */
  readonly app: object;
  readonly request: IncomingMessage;
  /** Its `statusCode` is final at the end; `writableFinished` is false where the client has gone. */
  readonly response: ServerResponse;
  /** From the match on; undefined where none matches. */
  readonly route: ReportedRoute | undefined;
  /** At the end: that of the route, or `query` or `mutation` of GraphQL; undefined where no route matches. */
  readonly operation: string | undefined;
  /** When it arrived, as of `performance.now()`: before it waited for other requests. */
  readonly startedAt: number;
  /** Milliseconds; 0 until the end. */
  readonly duration: number;
}

/** What a message says of a route; the `MatchedRoute` of the request. */
export interface ReportedRoute {
  readonly method: string;
  /** As declared: `/api/articles/:documentId`. */
  readonly path: string;
  /** `api::article`, `plugin::upload`, `plinth`. */
  readonly owner: string;
  /** `api::article.article.find`; undefined for a bare function. */
  readonly action: string | undefined;
  /** One of a closed list: `rest`, `graphql`, `auth`, `upload`, `admin`, `other`. */
  readonly api: string;
  /** The last part of the action, `find`; the method, `get`, of a bare function. */
  readonly operation: string;
}

/** A request that was refused before it was looked at, because the process has enough to do. */
export interface ShedMessage {
  readonly app: object;
  /** Too many requests at once, too long a wait for the database, or an event loop that is late. */
  readonly reason: "concurrent" | "queue" | "loop";
}

/** What a trip to the database is for; `batch`: several statements at once, most of which write. */
export type StatementKind = "read" | "write" | "batch" | "schema";

/** One trip to the database. */
export interface DatabaseMessage {
  /** The knex of its pool: `app.db.knex`, or that of one of `app.db.replicas.pools`. */
  readonly pool: object;
  readonly kind: StatementKind;
  /** SQL of the statement, or of the first that is not `begin`; values are never part of it. */
  readonly text: string;
  /** How many go at once. */
  readonly statements: number;
  /** Milliseconds for which it waited for its connection; 0 for the later statements of a transaction. */
  readonly waited: number;
  /** As of `performance.now()`. */
  readonly startedAt: number;
  /** Milliseconds; 0 until the end. */
  duration: number;
  /** That came back. */
  rows: number;
  /** What the driver said; `code` is the SQLSTATE where the server said it. */
  error: unknown;
}

/** A connection was taken from the pool, or was not to be had. */
export interface PoolMessage {
  /** The knex of the pool. */
  readonly pool: object;
  /** Milliseconds. */
  readonly waited: number;
  /** Why there is none. */
  readonly error?: unknown;
}

/** Where a read went that replicas may answer. */
export interface ReplicaMessage {
  /** The knex of the primary. */
  readonly pool: object;
  readonly target: "primary" | "replica";
  /**
   * `public`: any replica may answer it. With a position that it has to see: `caught-up`, one was there; `waited`, one came
   * there in time. `behind`: none is, or the one that was chosen failed.
   */
  readonly why: "public" | "caught-up" | "waited" | "behind";
}

/** A read whose statement equal reads may share: it `led`, or `joined` one that was about to be sent. */
export interface SharedReadMessage {
  /** The knex of the pool. */
  readonly pool: object;
  readonly how: "led" | "joined";
}

/** Where the total of a list came from: `kept` from an earlier read, `counted`, or the `sum` that writers keep. */
export interface TotalMessage {
  /** The knex of the pool. */
  readonly pool: object;
  readonly how: "kept" | "counted" | "sum";
}

/** A caller proved who they are, or did not. */
export interface AuthMessage {
  readonly app: object;
  readonly kind: AuthKind;
  readonly result: WorkResult;
}

/**
 * How: a password at `login`, `admin` that of an administrator, `password` a change of it, `reset` a code from a mail,
 * `refresh` of a session, `bearer` an Authorization header. `register`: a new account. `attempt`: one of them, refused by
 * the rate limit.
 */
export type AuthKind = "login" | "register" | "password" | "reset" | "refresh" | "admin" | "bearer" | "attempt";

/** How work for a caller ended: `refused` by a 4xx, `limited` by a 429, `failed` by any other fault. */
export type WorkResult = "accepted" | "refused" | "limited" | "failed";

/** A file that came in, or did not. */
export interface UploadMessage {
  readonly app: object;
  readonly result: WorkResult;
  /** Of the file, and not of its smaller forms. */
  readonly bytes: number;
}

/** A job that is run, or was: an attempt of it. */
export interface JobMessage {
  readonly app: object;
  readonly id: string;
  /** The name that it was defined by. */
  readonly queue: string;
  /** 1 is the first. */
  readonly attempt: number;
  /** Milliseconds between the time when it was to run and its start. */
  readonly waited: number;
  /** As of `performance.now()`. */
  readonly startedAt: number;
  /** Milliseconds; 0 until the end. */
  duration: number;
  /** Undefined until the end. */
  result: JobResult | undefined;
}

/**
 * How an attempt ended: `retry`, it failed and is run again; `dead`, it failed for the last time; `returned`, the process
 * stopped, and another goes on; `lost`, the process lost hold of it, and another may run it.
 */
export type JobResult = "done" | "retry" | "dead" | "returned" | "lost";

/** What waits in a queue, as a process that works saw it. */
export interface JobQueueMessage {
  readonly app: object;
  readonly queue: string;
  /** Milliseconds for which the oldest job that could run has waited; 0 where none does. */
  readonly oldest: number;
}

/** Events that a consumer of the plugin events is handed, or was. */
export interface EventMessage {
  readonly app: object;
  /** The name that its place is kept by. */
  readonly consumer: string;
  /** How many there are. */
  readonly events: number;
  /** As of `performance.now()`. */
  readonly startedAt: number;
  /** Milliseconds; 0 until the end. */
  duration: number;
  /** Undefined until the end. `retry`: it failed, and gets the same events again. */
  result: "done" | "retry" | undefined;
}

/** What consumers have before them, as a process that has consumers saw it: each has the same picture. */
export interface EventBacklogMessage {
  readonly app: object;
  readonly consumers: readonly ConsumerBacklog[];
  /** When the oldest transaction began that writes, by the clock of the app; readers wait for it. Undefined: there is none. */
  readonly writingSince: number | undefined;
}

/** What a consumer has before it. */
export interface ConsumerBacklog {
  readonly consumer: string;
  /** Events that it wants and has not handled, counted up to 10,000. */
  readonly pending: number;
  /** When the oldest of them was written, by the clock of the app; undefined: there is none. */
  readonly oldest: number | undefined;
}

/** A try to deliver an event to somebody else's server: a webhook. */
export interface DeliveryMessage {
  readonly app: object;
  /** Id of the endpoint. */
  readonly endpoint: string;
  /** Short, and the same in all processes: for labels. */
  readonly number: string;
  /** Of the event: `entry.publish`. */
  readonly type: string;
  /** 1 is the first. */
  readonly attempt: number;
  /** As of `performance.now()`. */
  readonly startedAt: number;
  /** Milliseconds; 0 until the end. */
  duration: number;
  /** Undefined until the end. `retry`: it failed and is tried again; `dead`: it failed for the last time. */
  result: "delivered" | "retry" | "dead" | undefined;
  /** HTTP status of the answer, where there was one. */
  status: number | undefined;
}

/** The result of work that threw. */
export function resultOf(error: unknown): Exclude<WorkResult, "accepted"> {
  const status = isPlinthError(error) ? error.status : 500;
  if (status === 429) return "limited";
  return status < 500 ? "refused" : "failed";
}

/** Runs what proves who a caller is, and reports by `plinth:auth` how it ended. */
export async function reportAuth<T>(app: object, kind: AuthKind, work: () => Promise<T>): Promise<T> {
  const { auth } = channels;
  if (!auth.hasSubscribers) return await work();
  try {
    const done = await work();
    auth.publish({ app, kind, result: "accepted" });
    return done;
  } catch (error) {
    auth.publish({ app, kind, result: resultOf(error) });
    throw error;
  }
}

const open = <Message extends object>(name: string): ReportChannel<Message> =>
  channel(name) as unknown as ReportChannel<Message>;

/** Every channel of core and its plugins. */
export const channels = {
  http: new TimedChannel<HttpMessage>("plinth:http"),
  shed: open<ShedMessage>("plinth:http:shed"),
  db: new TimedChannel<DatabaseMessage>("plinth:db"),
  pool: open<PoolMessage>("plinth:pool"),
  replica: open<ReplicaMessage>("plinth:replica"),
  sharedRead: open<SharedReadMessage>("plinth:shared-read"),
  total: open<TotalMessage>("plinth:total"),
  auth: open<AuthMessage>("plinth:auth"),
  upload: open<UploadMessage>("plinth:upload"),
  job: new TimedChannel<JobMessage>("plinth:job"),
  jobQueue: open<JobQueueMessage>("plinth:job:queue"),
  event: new TimedChannel<EventMessage>("plinth:event"),
  eventBacklog: open<EventBacklogMessage>("plinth:event:backlog"),
  delivery: new TimedChannel<DeliveryMessage>("plinth:delivery"),
} as const;
