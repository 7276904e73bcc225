import { type App, type Controller, type HttpContext, NotFoundError } from "@plinth/core";
import { tellAct } from "@plinth/core/http";
import { reportAuth } from "@plinth/core/telemetry";
import { tellAuth } from "../auth/tell-auth.js";
import { bodyField } from "../body/check-body.js";
import type { UsersPermissionsConfig } from "../config.js";
import { type Account, jwt, sessions, users } from "../contract.js";
import {
  InvalidRefreshTokenError,
  MissingRefreshTokenError,
  NotSignedInError,
  SessionNotFoundError,
} from "../errors.js";
import { endOldSession } from "./end-old-session.js";
import type { RefreshCookie } from "./refresh-cookie.js";

/** What the actions about sessions need. */
export interface SessionActionTools {
  readonly app: App;
  readonly config: UsersPermissionsConfig;
  readonly cookie: RefreshCookie;
}

/** The actions about sessions; outside refresh mode there is nothing at their paths. */
export function createSessionActions(tools: SessionActionTools): Controller {
  const { isEnabled } = tools.app.service(sessions);
  const actions = isEnabled ? createActions(tools) : {};
  const absent = () => {
    throw new NotFoundError({});
  };
  return { refresh: absent, logout: absent, getSessions: absent, revokeSession: absent, ...actions };
}

/** @source plugins/content-api/WIRE.md#sessions */
function createActions({ app, config, cookie }: SessionActionTools): Controller {
  const all = app.service(sessions);
  return {
    async refresh(ctx) {
      cookie.assertOwnSite(ctx);
      const given = bodyField(ctx, "refreshToken") ?? cookie.read(ctx);
      if (typeof given !== "string" || given === "") throw new MissingRefreshTokenError({});
      const { account, tokens } = await tellAct(app, ctx, REFRESH, () =>
        reportAuth(app, "refresh", async () => {
          const refreshed = await all.refresh(given);
          if (!refreshed) throw new InvalidRefreshTokenError({});
          return refreshed;
        }),
      );
      const { accessLifespan: expiresIn } = config.sessions;
      return { jwt: app.service(jwt).issue(account, { sid: tokens.sid, expiresIn }), ...cookie.send(ctx, tokens) };
    },
    async logout(ctx) {
      cookie.assertOwnSite(ctx);
      if (ctx.state.actor.kind === "public") await endOld(app, ctx, cookie);
      else await endOwn(app, ctx);
      cookie.clear(ctx);
      return { ok: true };
    },
    async getSessions(ctx) {
      const sid = sidOf(app, ctx);
      const found = await all.list(await accountOf(app, ctx));
      const shown = found.map(({ id, ...session }) => ({ id, current: id === sid, ...session }));
      return { data: shown.sort((a, b) => Number(b.current) - Number(a.current)) };
    },
    async revokeSession(ctx) {
      const account = await accountOf(app, ctx);
      await tellAuth(app, ctx, { action: "auth.session-end", account }, async () => {
        if (!(await all.end(account, ctx.params["id"] ?? ""))) throw new SessionNotFoundError({});
      });
      return { data: {} };
    },
  };
}

/** Ends the session of a caller, those on a device, or all of theirs. @throws PLINTH_USERS_NOT_SIGNED_IN (401) for an API token */
async function endOwn(app: App, ctx: HttpContext): Promise<void> {
  const account = await accountOf(app, ctx);
  const sid = sidOf(app, ctx);
  await tellAuth(app, ctx, { action: "auth.sign-out", account }, async () => {
    const device = deviceIdOf(ctx);
    if (bodyField(ctx, "scope") === "all") await app.service(users).endSessions(account.id);
    else if (device !== undefined) await app.service(sessions).endOnDevice(account, device);
    else if (sid !== undefined) await app.service(sessions).end(account, sid);
  });
}

/**
 * Credentials that have expired are enough to end their own session, and those on a device that the body names.
 *
 * @throws PLINTH_USERS_NOT_SIGNED_IN (401) where all sessions are to end
 */
async function endOld(app: App, ctx: HttpContext, cookie: RefreshCookie): Promise<void> {
  if (bodyField(ctx, "scope") === "all") throw new NotSignedInError({});
  const given = bodyField(ctx, "refreshToken");
  const account = await endOldSession(app, bearerOf(ctx), typeof given === "string" ? given : cookie.read(ctx));
  const device = deviceIdOf(ctx);
  if (account && device !== undefined) await app.service(sessions).endOnDevice(account, device);
  if (account) await tellAuth(app, ctx, { action: "auth.sign-out", account }, async () => undefined);
}

/** One that succeeds is of no interest; one that fails may be of a token that was copied. */
const REFRESH = { action: "auth.refresh", account: () => undefined, isRefusalOnly: true };

/** The device that a client signs out of, or signs in on; undefined where it names none. */
export function deviceIdOf(ctx: HttpContext): string | undefined {
  const id = bodyField(ctx, "deviceId");
  return typeof id === "string" && id !== "" ? id : undefined;
}

/** The session of the access token, whose signature was checked before. */
function sidOf(app: App, ctx: HttpContext): string | undefined {
  return app.service(jwt).verify(bearerOf(ctx))?.sid;
}

const bearerOf = (ctx: HttpContext): string => ctx.get("Authorization").split(" ")[1] ?? "";

/** @throws PLINTH_USERS_NOT_SIGNED_IN (401) for an API token */
async function accountOf(app: App, ctx: HttpContext): Promise<Account> {
  const { user } = ctx.state.actor;
  const account = user && (await app.service(users).findById(user.id));
  if (!account) throw new NotSignedInError({});
  return account;
}
