import {
  type Ability,
  type Actor,
  type ActorUser,
  type App,
  ForbiddenError,
  type HttpContext,
  type Policy,
  UnauthenticatedError,
} from "@plinth/core";
import { assertCan } from "@plinth/core/access";
import { OtherAccountError } from "../errors.js";
import { SetUpNeededError } from "../second-factor/errors.js";
import { UNNAMED } from "./actions.js";
import type { KnownSession } from "./known-sessions.js";
import { assertSameOrigin } from "./same-origin.js";
import { createSessionCookie, type SessionCookie } from "./session-cookie.js";
import { sessions } from "./sessions.js";

/** By it a page says whose it is: the documentId of an administrator. */
const ACCOUNT = "X-Plinth-Account";

/** Where a request keeps its session. */
const SESSION = "adminSession";

/** What a route's `{ name, config }` may hold: the action that it asks for, or that every role may use it. */
interface GateConfig {
  readonly action?: string;
  readonly anyRole?: boolean;
  /** The page asks by itself: the request keeps no session alive. */
  readonly isQuiet?: boolean;
  /** Whether it is open to an account that has to make a second factor first. */
  readonly duringSetUp?: boolean;
  /** Whether API tokens, which are no person, are kept out. */
  readonly personsOnly?: boolean;
}

/**
 * Lets the cookie of a session pass beside bearers, and asks for the action of the route. A request with a bearer is
 * checked as without this plugin.
 *
 * @param byBearer - the policy that it wraps.
 * @throws PLINTH_ACCESS_UNAUTHENTICATED (401), PLINTH_ACCESS_FORBIDDEN (403), PLINTH_ADMIN_FOREIGN_ORIGIN (403),
 * PLINTH_ADMIN_BODY_TYPE (415), PLINTH_ADMIN_OTHER_ACCOUNT (409), PLINTH_ADMIN_SECOND_FACTOR_SETUP (403)
 */
export function createGate(app: App, byBearer: Policy): Policy {
  const cookie = createSessionCookie(app);
  return async (ctx, config, tools) => {
    if (ctx.headers.authorization !== undefined) await byBearer(ctx, config, tools);
    else await admitSession(app, cookie, ctx, (config as GateConfig).isQuiet);
    const session = ctx.state[SESSION] as KnownSession | undefined;
    if (session?.mustSetUp && !(config as GateConfig).duringSetUp) throw new SetUpNeededError({});
    assertMay(ctx.state.actor, config);
    return true;
  };
}

/** Lets a page of this origin pass, signed in or not. */
export function createOriginPolicy(app: App): Policy {
  return (ctx) => {
    ctx.set("Cache-Control", "no-store");
    assertSameOrigin(ctx, app.config.get<string>("server.url"));
    return true;
  };
}

async function admitSession(app: App, cookie: SessionCookie, ctx: HttpContext, isQuiet = false): Promise<void> {
  ctx.set("Cache-Control", "no-store");
  const key = cookie.read(ctx);
  if (!key) throw new UnauthenticatedError({});
  assertSameOrigin(ctx, app.config.get<string>("server.url"));
  const recognised = await app.service(sessions).recognise(key, !isQuiet);
  if (!recognised) {
    cookie.clear(ctx);
    throw new UnauthenticatedError({});
  }
  const { session, renewed } = recognised;
  if (renewed) cookie.send(ctx, renewed.key, renewed.expires);
  const { id, documentId, name, email } = session.account;
  const meant = ctx.get(ACCOUNT);
  if (meant !== "" && meant !== documentId) throw new OtherAccountError({ user: { name, email } });
  ctx.state.actor = { kind: "admin", user: { id, documentId }, ability: session.ability };
  ctx.state[SESSION] = session;
}

/** An API token for administrators is no person and has no role: it may what administrators may, and no content. */
function assertMay({ user, ability }: Actor, { action = UNNAMED, anyRole = false, personsOnly }: GateConfig): void {
  if (!user && personsOnly) throw new ForbiddenError({});
  if (user && !anyRole) assertCan(ability, [action]);
}

/** A person who sends a request, with what they may do. */
export interface Caller extends ActorUser {
  readonly ability: Ability;
}

/** The caller: an administrator, by a session or a bearer. @throws PLINTH_ACCESS_FORBIDDEN (403) for an API token, which is no person */
export function callerOf(ctx: HttpContext): Caller {
  const { user, ability } = ctx.state.actor;
  if (!user) throw new ForbiddenError({});
  return { ...user, ability };
}

/** The session by which a request was let in. @throws PLINTH_ACCESS_FORBIDDEN (403) for one with a bearer */
export function sessionOf(ctx: HttpContext): KnownSession {
  const session = ctx.state[SESSION] as KnownSession | undefined;
  if (!session) throw new ForbiddenError({});
  return session;
}
