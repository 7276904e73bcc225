import type { App, Controller, ControllerFactory, HttpContext } from "@plinth/core";
import { auth, type SignedIn, sessions, users } from "../contract.js";
import { bodyField } from "../body/check-body.js";
import { rateLimits } from "../rate-limit/rate-limits.js";
import { deviceNameOf } from "../sessions/device-name.js";
import { createRefreshCookie, type RefreshCookie } from "../sessions/refresh-cookie.js";
import { createSessionActions } from "../sessions/session-actions.js";
import { NoUserError, ProviderDisabledError } from "../errors.js";

/** The endpoints of authentication: they translate between HTTP and the service `auth`. */
export const createAuthController: ControllerFactory = ({ app }) => {
  const { config } = app.plugin("users-permissions");
  const cookie = createRefreshCookie(app, config.sessions);
  return {
    ...createSignInActions(app, cookie),
    ...createMailActions(app),
    ...createSessionActions({ app, config, cookie }),
    /** The place of providers; none is built in. */
    connect() {
      throw new ProviderDisabledError({});
    },
  };
};

/** The actions that sign a user in. */
function createSignInActions(app: App, cookie: RefreshCookie): Controller {
  const service = app.service(auth);
  const limits = app.service(rateLimits);
  const { isEnabled } = app.service(sessions);
  const deviceOf = (ctx: HttpContext) => deviceNameOf(ctx.get("User-Agent"));
  const assertOwnSite = (ctx: HttpContext) => (isEnabled ? cookie.assertOwnSite(ctx) : undefined);
  const answer = (ctx: HttpContext, { session, ...signedIn }: Partial<SignedIn>) => ({
    ...signedIn,
    ...(session ? cookie.send(ctx, session) : {}),
  });
  /** A login is noted by its guard. */
  const noted = async (ctx: HttpContext, signedIn: Partial<SignedIn>) => {
    if (signedIn.jwt !== undefined && signedIn.user) await limits.remember(ctx, signedIn.user.id);
    return answer(ctx, signedIn);
  };
  return {
    async callback(ctx) {
      assertOwnSite(ctx);
      const login = () => service.login(ctx.request.body, deviceOf(ctx));
      return answer(ctx, await limits.guardLogin(ctx, bodyField(ctx, "identifier"), login));
    },
    async register(ctx) {
      assertOwnSite(ctx);
      return await noted(ctx, await service.register(ctx.request.body, deviceOf(ctx)));
    },
    async changePassword(ctx) {
      assertOwnSite(ctx);
      const { user } = ctx.state.actor;
      const account = user && (await app.service(users).findById(user.id));
      if (!account) throw new NoUserError({});
      return await noted(ctx, await service.changePassword(account, ctx.request.body, deviceOf(ctx)));
    },
    async resetPassword(ctx) {
      assertOwnSite(ctx);
      return await noted(ctx, await service.resetPassword(ctx.request.body, deviceOf(ctx)));
    },
  };
}

/** The actions that send a mail, or are called from one. */
function createMailActions(app: App): Controller {
  const service = app.service(auth);
  const { redirectTo } = app.plugin("users-permissions").config.emailConfirmation;
  return {
    async forgotPassword(ctx) {
      await service.forgotPassword(ctx.request.body);
      return { ok: true };
    },
    sendEmailConfirmation: async (ctx) => ({ ...(await service.sendConfirmation(ctx.request.body)), sent: true }),
    async emailConfirmation(ctx) {
      const account = await service.confirmEmail(ctx.query);
      if (redirectTo === undefined) return app.service(users).describe(account.id);
      ctx.redirect(redirectTo);
    },
  };
}
