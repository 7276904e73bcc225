import type { WorkResult } from "../base/telemetry.js";
import { hook } from "../kernel/hook.js";
import type { WriteOrigin } from "./origin.js";

/** What somebody did, or tried to do, beside writes of documents. */
export interface Act {
  /** Such as `auth.sign-in`, `access.refuse`, `command.run`; one of your own has its area first: `shop.refund`. */
  readonly action: string;
  /** `refused` by a 4xx, `limited` by a 429, `failed` by any other fault. */
  readonly result: WorkResult;
  /** Who, over which transport, in which request: `originOf(ctx)`. The actor is absent where the caller has not proved who they are. */
  readonly origin: WriteOrigin;
  /** What it is about: of an attempt to sign in, the account. */
  readonly subject?: ActSubject | undefined;
  /** What else is to be known of it, a few short values; nothing secret. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Whether the transaction in which it is noted keeps it. Default: that of what was accepted does; a refusal is thrown as a
   * rule, and takes its transaction back.
   */
  readonly isKept?: boolean | undefined;
}

/** What an act is about. */
export interface ActSubject {
  /** Of a content-type. */
  readonly uid?: string | undefined;
  readonly documentId?: string | undefined;
  readonly locales?: readonly string[] | undefined;
}

/**
 * Somebody did something that is no write of a document, which has hooks of its own; or was refused. Code that does such a
 * thing says so, in the transaction of it where there is one: `void app.hooks.notify(onAct, { action, result, origin })`.
 */
export const onAct = hook.notify<Act>(
  "access:onAct",
  "Somebody signed in or out, ran a command, was refused, or did another thing that is no write of a document.",
);
