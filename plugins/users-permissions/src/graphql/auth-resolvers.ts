import type { App, Document } from "@plinth/core";
import type { GraphqlContext, ResolverMap } from "@plinth/plugin-graphql";
import { LOCAL } from "../auth/auth-tools.js";
import { NotSignedInError, NoUserError, ProviderDisabledError } from "../errors.js";
import { type Account, auth, type Device, jwt, type SignedIn, sessions, users } from "../contract.js";
import { tellAuth } from "../auth/tell-auth.js";
import { rateLimits } from "../rate-limit/rate-limits.js";
import { readUser } from "../rest/read-users.js";
import { deviceNameOf } from "../sessions/device-name.js";
import { createRefreshCookie, type RefreshCookie } from "../sessions/refresh-cookie.js";
import { authAction } from "./actions.js";

type Input = Readonly<Record<string, unknown>>;
type InputArguments = { readonly input: Input };

/** Fields that do what the authentication routes do. Their arguments are checked as the routes' bodies. */
export const authResolvers: ResolverMap = {
  Query: { me: (_parent: unknown, _args: Input, context) => readMe(context) },
  Mutation: {
    login: async (_parent: unknown, { input }: InputArguments, context) => {
      assertOwnSite(context);
      await count(context, "login", input["identifier"]);
      if (input["provider"] !== LOCAL) throw new ProviderDisabledError({});
      const login = () => context.app.service(auth).login(input, deviceOf(context));
      const name = input["identifier"];
      const signIn = () => context.app.service(rateLimits).guardLogin(context.http, name, login);
      return answer(context, await tellAuth(context.app, context.http, { action: "auth.sign-in", name }, signIn));
    },
    register: async (_parent: unknown, { input }: InputArguments, context) => {
      assertOwnSite(context);
      await count(context, "register", input["email"]);
      const { app, http } = context;
      const register = () => app.service(auth).register(input, deviceOf(context));
      return await noted(context, await tellAuth(app, http, { action: "auth.register" }, register));
    },
    changePassword: async (_parent: unknown, args: Input, context) => {
      assertOwnSite(context);
      await count(context, "changePassword");
      const { app, http, state } = context;
      const { user } = state.actor;
      const account = user && (await app.service(users).findById(user.id));
      if (!account) throw new NoUserError({});
      const change = () => app.service(auth).changePassword(account, args, deviceOf(context));
      return await noted(context, await tellAuth(app, http, { action: "auth.password-change", account }, change));
    },
    forgotPassword: async (_parent: unknown, args: Input, context) => {
      await count(context, "forgotPassword", args["email"]);
      const { app, http } = context;
      const forgot = () => app.service(auth).forgotPassword(args);
      await tellAuth(app, http, { action: "auth.password-forgot", name: args["email"] }, forgot);
      return { ok: true };
    },
    resetPassword: async (_parent: unknown, args: Input, context) => {
      assertOwnSite(context);
      await count(context, "resetPassword");
      const { app, http } = context;
      const reset = () => app.service(auth).resetPassword(args, deviceOf(context));
      return await noted(context, await tellAuth(app, http, { action: "auth.password-reset" }, reset));
    },
    emailConfirmation: async (_parent: unknown, args: Input, context) => {
      await count(context, "emailConfirmation");
      const { app, http } = context;
      const confirm = () => app.service(auth).confirmEmail(args);
      return await describeConfirmed(context, await tellAuth(app, http, { action: "auth.email-confirm" }, confirm));
    },
  },
  UsersPermissionsMe: { role: readRole },
};

/** What guesses is counted, together with the route that does the same. @throws PLINTH_USERS_RATE_LIMITED (429) */
async function count({ app, http }: GraphqlContext, mutation: string, account?: unknown): Promise<void> {
  const attempt = { action: authAction(mutation), account: typeof account === "string" ? account : undefined };
  await app.service(rateLimits).count(http, attempt);
}

const deviceOf = ({ http }: GraphqlContext): Device => ({ name: deviceNameOf(http.get("User-Agent")) });

/** @throws PLINTH_SESSION_FOREIGN_SITE (403), as the routes that set the cookie do */
function assertOwnSite({ app, http }: GraphqlContext): void {
  if (app.service(sessions).isEnabled) cookieOf(app).assertOwnSite(http);
}

/** A login is noted by its guard. */
async function noted(context: GraphqlContext, signedIn: Partial<SignedIn>): Promise<object> {
  const { jwt, user } = signedIn;
  if (jwt !== undefined && user) await context.app.service(rateLimits).remember(context.http, user.id);
  return answer(context, signedIn);
}

function answer({ app, http }: GraphqlContext, { session, ...signedIn }: Partial<SignedIn>): object {
  return session ? { ...signedIn, ...cookieOf(app).send(http, session) } : signedIn;
}

const cookieOf = (app: App): RefreshCookie => createRefreshCookie(app, app.plugin("users-permissions").config.sessions);

/** In refresh mode a confirmed address is not a session; its owner signs in. */
async function describeConfirmed({ app }: GraphqlContext, account: Account): Promise<object> {
  const token = app.service(sessions).isEnabled ? {} : { jwt: app.service(jwt).issue(account) };
  return { ...token, user: await app.service(users).describe(account.id) };
}

/** @throws PLINTH_USERS_NOT_SIGNED_IN (401) for an API token */
async function readMe({ app, state }: GraphqlContext): Promise<Document> {
  const { user, ability } = state.actor;
  const found = user && (await readUser(app, user.id, {}, { ability, action: "me" }));
  if (!found) throw new NotSignedInError({});
  return found;
}

/** Users may always read the name of their own role. */
async function readRole({ id }: Document, _args: Input, { app }: GraphqlContext): Promise<unknown> {
  return (await app.service(users).findById(id))?.role ?? null;
}
