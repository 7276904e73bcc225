import type { Controller, ControllerFactory, HttpContext } from "@plinth/core";
import { auth, type SignedIn, users } from "../contract.js";
import { isRecord } from "../body/check-body.js";
import { rateLimits } from "../rate-limit/rate-limits.js";
import { deviceNameOf } from "../sessions/device-name.js";
import { createRefreshCookie } from "../sessions/refresh-cookie.js";
import { createSessionActions } from "../sessions/session-actions.js";
import { NoUserError, ProviderDisabledError } from "./errors.js";

/** The endpoints about signing in: they translate between HTTP and the service `auth`. */
export const createAuthController: ControllerFactory = ({ app }) => {
  const { config } = app.plugin("users-permissions");
  const cookie = createRefreshCookie(app, config.sessions);
  const service = app.service(auth);
  const deviceOf = (ctx: HttpContext) => deviceNameOf(ctx.get("User-Agent"));
  const answer = (ctx: HttpContext, { session, ...signedIn }: Partial<SignedIn>) => ({
    ...signedIn,
    ...(session ? cookie.send(ctx, session) : {}),
  });
  const limits = app.service(rateLimits);
  const known = async <S extends Partial<SignedIn>>(ctx: HttpContext, signedIn: S): Promise<S> => {
    if (signedIn.jwt !== undefined && signedIn.user) await limits.remember(ctx, signedIn.user.id);
    return signedIn;
  };
  const actions: Controller = {
    async callback(ctx) {
      const { body } = ctx.request;
      const login = () => service.login(body, deviceOf(ctx));
      return answer(ctx, await limits.guardLogin(ctx, isRecord(body) ? body["identifier"] : undefined, login));
    },
    register: async (ctx) => answer(ctx, await known(ctx, await service.register(ctx.request.body, deviceOf(ctx)))),
    async changePassword(ctx) {
      const { user } = ctx.state.actor;
      const account = user && (await app.service(users).findById(user.id));
      if (!account) throw new NoUserError({});
      return answer(ctx, await known(ctx, await service.changePassword(account, ctx.request.body, deviceOf(ctx))));
    },
    async forgotPassword(ctx) {
      await service.forgotPassword(ctx.request.body);
      return { ok: true };
    },
    resetPassword: async (ctx) =>
      answer(ctx, await known(ctx, await service.resetPassword(ctx.request.body, deviceOf(ctx)))),
    sendEmailConfirmation: async (ctx) => ({ ...(await service.sendConfirmation(ctx.request.body)), sent: true }),
    async emailConfirmation(ctx) {
      const account = await service.confirmEmail(ctx.query);
      const { redirectTo } = config.emailConfirmation;
      if (redirectTo === undefined) return app.service(users).describe(account.id);
      ctx.redirect(redirectTo);
    },
    /** The place of providers; none is built in. */
    connect() {
      throw new ProviderDisabledError({});
    },
  };
  return { ...actions, ...createSessionActions({ app, config, cookie }) };
};
