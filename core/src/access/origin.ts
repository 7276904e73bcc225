import type { Actor } from "./ability.js";

/**
 * How a write came: over an API, from code of the app, by a command in a process of its own, or with an import. Not who
 * may do it, which is the ability.
 */
export type Transport = "rest" | "graphql" | "admin" | "code" | "command" | "import";

/** Who or what a write comes from, for hooks and for what is done about it later. */
export interface WriteOrigin {
  readonly transport: Transport;
  /**
   * Who acts: the `kind` of the request's Actor, and the document id of the user or API token, where there is one; as in
   * the log. Undefined without a caller, as for code that runs by itself.
   */
  readonly actor?: WriteActor | undefined;
  /** As in the log. */
  readonly requestId?: string | undefined;
  /** The `traceparent` that the request came with. */
  readonly traceparent?: string | undefined;
}

/** Who acts: `{ kind: "user", id: "k2v9..." }`, `{ kind: "public" }`. */
export interface WriteActor {
  readonly kind: string;
  readonly id?: string | undefined;
}

/** Names an actor, without what it may do. */
export const nameActor = ({ kind, user, id }: Actor): WriteActor => ({ kind, id: user?.documentId ?? id });
