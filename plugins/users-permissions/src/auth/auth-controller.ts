import type { App, Controller, ControllerFactory, HttpContext } from "@plinth/core";
import { auth, type SignedIn, sessions, users } from "../contract.js";
import { loginBody } from "../body/bodies.js";
import { bodyField, checkBody } from "../body/check-body.js";
import { rateLimits } from "../rate-limit/rate-limits.js";
import { deviceNameOf } from "../sessions/device-name.js";
import { createRefreshCookie, type RefreshCookie } from "../sessions/refresh-cookie.js";
import { createSessionActions, deviceIdOf } from "../sessions/session-actions.js";
import { LOCAL } from "./auth-tools.js";
import { tellAuth } from "./tell-auth.js";
import { NoUserError, ProviderDisabledError } from "../errors.js";

/** The endpoints of authentication: they translate between HTTP and the service `auth`. */
export const createAuthController: ControllerFactory = ({ app }) => {
  const { config } = app.plugin("users-permissions");
  const cookie = createRefreshCookie(app, config.sessions);
  return {
    ...createSignInActions(app, cookie),
    ...createMailActions(app),
    ...createSessionActions({ app, config, cookie }),
    /** The place of providers, and of what they lead back to; none is built in. */
    connect({ params }) {
      // That of passwords has nothing to lead back with.
      if (params["provider"] === LOCAL) checkBody({}, loginBody);
      throw new ProviderDisabledError({});
    },
  };
};

/** The actions that sign a user in. */
function createSignInActions(app: App, cookie: RefreshCookie): Controller {
  const service = app.service(auth);
  const limits = app.service(rateLimits);
  const { isEnabled } = app.service(sessions);
  const deviceOf = (ctx: HttpContext) => ({ id: deviceIdOf(ctx), name: deviceNameOf(ctx.get("User-Agent")) });
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
      const name = bodyField(ctx, "identifier");
      const login = () => service.login(ctx.request.body, deviceOf(ctx));
      const signIn = () => limits.guardLogin(ctx, name, login);
      return answer(ctx, await tellAuth(app, ctx, { action: "auth.sign-in", name }, signIn));
    },
    async register(ctx) {
      assertOwnSite(ctx);
      const register = () => service.register(ctx.request.body, deviceOf(ctx));
      return await noted(ctx, await tellAuth(app, ctx, { action: "auth.register" }, register));
    },
    async changePassword(ctx) {
      assertOwnSite(ctx);
      const { user } = ctx.state.actor;
      const account = user && (await app.service(users).findById(user.id));
      if (!account) throw new NoUserError({});
      const change = () => service.changePassword(account, ctx.request.body, deviceOf(ctx));
      return await noted(ctx, await tellAuth(app, ctx, { action: "auth.password-change", account }, change));
    },
    async resetPassword(ctx) {
      assertOwnSite(ctx);
      const reset = () => service.resetPassword(ctx.request.body, deviceOf(ctx));
      return await noted(ctx, await tellAuth(app, ctx, { action: "auth.password-reset" }, reset));
    },
  };
}

/** The actions that send a mail, or are called from one. */
function createMailActions(app: App): Controller {
  const service = app.service(auth);
  const { redirectTo } = app.plugin("users-permissions").config.emailConfirmation;
  return {
    async forgotPassword(ctx) {
      const forgot = () => service.forgotPassword(ctx.request.body);
      await tellAuth(app, ctx, { action: "auth.password-forgot", name: bodyField(ctx, "email") }, forgot);
      return { ok: true };
    },
    sendEmailConfirmation: async (ctx) => ({ ...(await service.sendConfirmation(ctx.request.body)), sent: true }),
    async emailConfirmation(ctx) {
      const confirm = () => service.confirmEmail(ctx.query);
      const account = await tellAuth(app, ctx, { action: "auth.email-confirm" }, confirm);
      if (redirectTo === undefined) return app.service(users).describe(account.id);
      ctx.redirect(redirectTo);
    },
  };
}
