import type { App, HttpContext } from "@plinth/core";
import { sessionOf } from "../access/gate.js";
import type { KnownSession } from "../access/known-sessions.js";
import { Tickets } from "../access/tickets.js";
import { ConfirmNeededError } from "./errors.js";

/** The header of a confirmation. */
const HEADER = "X-Plinth-Confirmation";
/** Seconds that a password is remembered for changes of what protects an account. */
const LIFE = 600;

interface Confirmed {
  /** documentId of the session that the password was given in. */
  readonly session: string;
}

const ticketsOf = (app: App) => new Tickets<Confirmed>(app, "confirmation", LIFE);

/** What shows for ten minutes that the password was given in a session: in another one it shows nothing. */
export const confirmationOf = (app: App, session: string): string => ticketsOf(app).issue({ session });

/** The session of a request that has been confirmed. @throws PLINTH_ADMIN_CONFIRM_NEEDED (403) */
export function assertConfirmed(app: App, ctx: HttpContext): KnownSession {
  const session = sessionOf(ctx);
  if (ticketsOf(app).read(ctx.get(HEADER))?.session !== session.documentId) throw new ConfirmNeededError({});
  return session;
}
