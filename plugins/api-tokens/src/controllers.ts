import type { App, Handler, HttpContext } from "@plinth/core";
import { actionsOfType, type Grant, parseAccessConfig } from "@plinth/core/access";
import { parseOptions, secret, text } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import type { Administrators } from "./contract.js";
import { InvalidTokenError } from "./errors.js";
import { tellAdministrator } from "./services/tell-administrator.js";

/** Strings only: an object could become a filter further down. */
export const loginBody = v.object({
  email: text(),
  password: v.pipe(text(), secret()),
  code: v.optional(v.pipe(text(), secret(), v.description("Of the second factor, where the account has one"))),
});

/** Makes `POST /admin/login`: `{ email, password, code }` becomes `{ token }`. */
export function createLogin(app: App, administrators: () => Administrators): Handler {
  return async (ctx) => {
    ctx.set("Cache-Control", "no-store");
    const { email, password, code } = readCredentials(ctx);
    const retryAfter = (seconds: number) => ctx.set("Retry-After", String(seconds));
    const from = { address: ctx.ip, retryAfter };
    const user = await tellAdministrator(app, ctx, { action: "auth.sign-in", email }, async () => {
      const known = await administrators().authenticate({ email, password, ...from });
      await administrators().confirm(known, { code, ...from });
      return known;
    });
    return { token: await administrators().openSession(user) };
  };
}

/** @throws PLINTH_TOKENS_INVALID (400) */
function readCredentials(ctx: HttpContext): v.InferOutput<typeof loginBody> {
  const { value, problems } = parseOptions(loginBody, Object(ctx.request.body), "");
  if (problems) throw new InvalidTokenError({ errors: problems });
  return value;
}

/** An action that can be granted, and the requests that need it. */
interface GrantableAction {
  /** `api::article.article.find` */
  readonly action: string;
  /** `["GET /api/articles"]` */
  readonly routes: readonly string[];
}

/** Makes `GET /admin/permissions`: what permissions may name. */
export function createPermissionList(app: App): Handler {
  return () => ({ data: listActions(app) });
}

function listActions(app: App): readonly GrantableAction[] {
  // What is done with drafts has no routes of its own, and is granted beside those that have.
  const types = [...app.model.contentTypes.values()].filter(({ uid }) => uid.startsWith("api::"));
  const routes = new Map<string, string[]>(
    types.flatMap((type) => actionsOfType(type).map((action) => [`${type.uid}.${action}`, []] as const)),
  );
  for (const { action, method, path } of app.http.routes) {
    if (action === undefined) continue;
    routes.set(action, [...(routes.get(action) ?? []), `${method} ${path}`]);
  }
  return [...routes]
    .map(([action, paths]) => ({ action, routes: paths }))
    .sort((a, b) => (a.action < b.action ? -1 : 1));
}

/** A token of `config/access`, which is changed there. */
export interface ConfiguredToken {
  /** Its first characters, by which problems and `plinth permissions` name it. */
  readonly start: string;
  readonly grant: Grant;
}

const SHOWN_OF_TOKEN = 4;

/** Makes `GET /admin/api-tokens`: those of the database, and, without their text, those of the configuration. */
export function createTokenList(app: App, list: () => Promise<readonly object[]>): Handler {
  const { tokens } = parseAccessConfig(app.config.get("access"));
  const configured: readonly ConfiguredToken[] = Object.entries(tokens).map(([token, grant]) => ({
    start: token.slice(0, SHOWN_OF_TOKEN),
    grant,
  }));
  return async () => ({ data: await list(), meta: { configured } });
}
