import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import type { Actor } from "./ability.js";

/**
 * How a write came: over an API, from code that runs by itself, by a command, or with an import. Not who may do it, which is
 * the ability.
 */
export type Transport = "rest" | "graphql" | "admin" | "code" | "command" | "import";

/** Who or what a write comes from, for hooks and for what is done about it later. */
export interface WriteOrigin {
  readonly transport: Transport;
  /**
   * Who acts: the `kind` of the request's Actor, and the document id of the user or API token, where there is one; as in
   * the log. Of a command the user of the system. Undefined without a caller, as for code that runs by itself.
   */
  readonly actor?: WriteActor | undefined;
  /** As in the log. */
  readonly requestId?: string | undefined;
  /** The `traceparent` that the request came with. */
  readonly traceparent?: string | undefined;
  /** In JSON there is none of it: an address belongs to a person. See clientOf. */
  readonly [REQUEST]?: OriginRequest | undefined;
}

/** Of an origin: the request that it was made of. */
export const REQUEST = Symbol("plinth.request");

/** As much of a request as an origin keeps. */
export interface OriginRequest {
  readonly headers: IncomingHttpHeaders;
  /** Of the client, by `server.proxy`. */
  readonly ip?: string | undefined;
  /** `actor` is there once the route has identified the caller. */
  readonly state: { readonly actor?: Actor };
}

/** From where a request came. */
export interface RequestClient {
  /** An address of IPv4 or IPv6; undefined once the client has gone. */
  readonly address: string | undefined;
  /** The header User-Agent. */
  readonly agent: string | undefined;
}

/**
 * From where what an origin is of was asked for; undefined where that was no request of this process. To be asked while
 * the request is under way.
 */
export function clientOf({ [REQUEST]: request }: WriteOrigin): RequestClient | undefined {
  return request && { address: request.ip || undefined, agent: request.headers["user-agent"] };
}

/** Who acts: `{ kind: "user", id: "k2v9..." }`, `{ kind: "public" }`; of a command `{ kind: "system", id: "deploy" }`. */
export interface WriteActor {
  readonly kind: string;
  readonly id?: string | undefined;
}

/** Names an actor, without what it may do. */
export const nameActor = ({ kind, user, id }: Actor): WriteActor => ({ kind, id: user?.documentId ?? id });

/** Of code that runs without a caller. */
const BY_ITSELF: WriteOrigin = Object.freeze({ transport: "code" });

const origins = new AsyncLocalStorage<() => WriteOrigin>();

/**
 * Runs work whose writes come from there: a request, a command; in all that it calls and waits for. What
 * goes on by itself, such as a job, begins with `codeOrigin`, so that it does not pass for the request that woke it.
 *
 * @param origin - asked at each write, because the caller of a request is known late.
 */
export const withOrigin = <Result>(origin: () => WriteOrigin, work: () => Result): Result => origins.run(origin, work);

/** Where writes come from now, of the request or command that runs; `{ transport: "code" }` outside of them. */
export const currentOrigin = (): WriteOrigin => origins.getStore()?.() ?? BY_ITSELF;

/** For `withOrigin`: from the code itself. */
export const codeOrigin = (): WriteOrigin => BY_ITSELF;

/** From a command of `plinth`. @param user - of the system, who runs it; undefined for one without a name. */
export const commandOrigin = (user: string | undefined): WriteOrigin => ({
  transport: "command",
  actor: { kind: "system", id: user },
});
