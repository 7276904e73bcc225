import type { IncomingHttpHeaders } from "node:http";
import type { Actor } from "../access/ability.js";
import type { Handler, QueryObject } from "./types.js";

/** What a direct read is told of its request: nothing that depends on a middleware. */
export interface DirectRequest {
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** As sent, without the question mark. */
  readonly querystring: string;
  readonly headers: IncomingHttpHeaders;
  readonly actor: Actor;
  /** The parsed query string. @throws PLINTH_HTTP_QUERY_LIMIT, PLINTH_HTTP_FORBIDDEN_KEY (400) */
  parseQuery(): QueryObject;
}

/** The body of a 200, as JSON. */
export interface DirectAnswer {
  readonly text: string;
  /** Of the one document that the answer shows, for its ETag. */
  readonly version?: string | undefined;
}

/** Answers a GET as the handler that it belongs to would, without a context; undefined leaves the request to that handler. */
export type DirectRead = (request: DirectRequest) => Promise<DirectAnswer> | undefined;

/** An endpoint that can be answered directly. */
export interface DirectEndpoint {
  readonly read: DirectRead;
  /** The actions that the actor has to have; undefined: the route is open and reads no credentials. */
  readonly scope: readonly string[] | undefined;
}

const directRead = Symbol("plinth.directRead");

/** A handler with its direct form, for requests that nothing but built-in parts see; see direct-road.ts. */
export function withDirectRead(handler: Handler, read: DirectRead): Handler {
  return Object.assign(handler, { [directRead]: read });
}

/** The direct form of a handler, if it has one. */
export function directReadOf(handler: Handler): DirectRead | undefined {
  return (handler as { readonly [directRead]?: DirectRead })[directRead];
}
