import compose from "koa-compose";
import type { Actor } from "../access/ability.js";
import { type Access, assertCan } from "../access/access.js";
import { describeKnown } from "../base/suggest.js";
import { ActionMissingError, OpenRouteError, PolicyFailedError } from "./errors.js";
import type { HttpParts } from "./parts.js";
import { type BuiltEndpoint, endpointOf } from "./request-info.js";
import type { MiddlewareRef, OwnedRoute, PolicyRef, Route, RouteAuth } from "./route.js";
import type { Controller, Handler, Lookup, Middleware, Tools } from "./types.js";
import { readLateBody } from "./body-reader.js";

/** What endpoints are made of. */
export interface EndpointSources {
  readonly parts: HttpParts;
  readonly access: Access;
  readonly tools: Tools;
}

/**
 * Composes what answers a route, once, when the server starts.
 *
 * @param action - the handler's action; what authorisation asks for unless the route says otherwise.
 * @throws what an unknown name of a policy, middleware, controller or action is answered with
 */
export function createEndpoint(owned: OwnedRoute, action: string | undefined, sources: EndpointSources): Middleware {
  const { route, owner } = owned;
  const { policies = [], middlewares = [] } = route.config ?? {};
  return compose<Parameters<Middleware>[0]>([
    admit(route, action, sources.access),
    readLateBody,
    ...policies.map((ref) => applyPolicy(ref, owner, sources)),
    ...middlewares.map((ref) => createRouteMiddleware(ref, owner, sources)),
    control(route.handler, action, sources.parts),
  ]);
}

/**
 * The action of a route's handler with its owner before it: `article.find` of `api::article` is
 * `api::article.article.find`. A bare function has none.
 */
export function actionOf({ owner, route }: OwnedRoute): string | undefined {
  if (typeof route.handler !== "string") return undefined;
  if (route.handler.includes("::")) return route.handler;
  return owner.includes("::") ? `${owner}.${route.handler}` : `${owner}::${route.handler}`;
}

/** An endpoint without policies and middlewares. */
export interface PlainEndpoint extends BuiltEndpoint {
  readonly admission: Admission;
}

/** What a caller has to be. */
export interface Admission {
  /** The actions that the actor has to have; undefined: the route is public and reads no credentials. */
  readonly scope: readonly string[] | undefined;
  readonly expired: RouteAuth["expired"];
}

/** The endpoint of a route; undefined where a policy, a middleware or the handler needs a koa context. */
export function plainEndpointOf(
  owned: OwnedRoute,
  action: string | undefined,
  sources: EndpointSources,
): PlainEndpoint | undefined {
  const { policies = [], middlewares = [] } = owned.route.config ?? {};
  if (policies.length + middlewares.length > 0) return undefined;
  const built = builtInEndpointOf(owned, action, sources);
  return built && { ...built, admission: admissionOf(owned.route, action) };
}

/** The endpoint that a route leads to; undefined where its handler is a function of its own, which may call an endpoint. */
export function builtInEndpointOf(
  { route }: OwnedRoute,
  action: string | undefined,
  { parts }: EndpointSources,
): BuiltEndpoint | undefined {
  const handler = typeof route.handler === "function" ? route.handler : findHandler(action ?? route.handler, parts);
  return endpointOf(handler);
}

function admit(route: Route, action: string | undefined, access: Access): Middleware {
  const admission = admissionOf(route, action);
  return async (ctx, next) => {
    const { actor, scope } = await identify(access, admission, ctx.headers.authorization);
    ctx.state.actor = actor;
    assertCan(actor.ability, scope);
    return next();
  };
}

function admissionOf(route: Route, action: string | undefined): Admission {
  const { auth } = route.config ?? {};
  return { scope: scopeOf(route, action), expired: auth === false ? undefined : auth?.expired };
}

/**
 * The actor of a request, and the actions that they have to have.
 *
 * @throws PLINTH_ACCESS_UNAUTHENTICATED (401), and what strategies throw
 */
export async function identify(
  access: Access,
  { scope, expired }: Admission,
  authorization: string | undefined,
): Promise<{ readonly actor: Actor; readonly scope: readonly string[] }> {
  if (scope === undefined) return { actor: await access.authenticate(undefined), scope: NO_ACTIONS };
  if (expired === undefined) return { actor: await access.authenticate(authorization), scope };
  const actor = await access.tryAuthenticate(authorization);
  if (actor) return { actor, scope };
  return { actor: await access.authenticate(undefined), scope: expired === "open" ? NO_ACTIONS : scope };
}

const NO_ACTIONS: readonly string[] = [];

/**
 * The actions that a route requires; undefined for a public route.
 *
 * @throws PLINTH_HTTP_OPEN_ROUTE (500) for a bare function without a scope: closed is the default
 */
export function scopeOf({ config }: Route, action: string | undefined): readonly string[] | undefined {
  if (config?.auth === false) return undefined;
  const scope = config?.auth?.scope ?? (action === undefined ? [] : [action]);
  if (scope.length === 0) throw new OpenRouteError({});
  return scope;
}

function applyPolicy(ref: PolicyRef, owner: string, { parts, tools }: EndpointSources): Middleware {
  const name = typeof ref === "string" ? ref : ref.name;
  const policy = typeof ref === "function" ? ref : parts.policies.get(resolveName(name, owner, parts.policies));
  const config = typeof ref === "object" ? (ref.config ?? {}) : {};
  return async (ctx, next) => {
    if ((await policy(ctx, config, tools)) === false) throw new PolicyFailedError({});
    return next();
  };
}

function createRouteMiddleware(ref: MiddlewareRef, owner: string, { parts, tools }: EndpointSources): Middleware {
  if (typeof ref === "function") return ref;
  const { name, config = {} } = typeof ref === "string" ? { name: ref } : ref;
  return parts.middlewares.get(resolveName(name, owner, parts.middlewares))(config, tools);
}

function control(named: string | Handler, action: string | undefined, parts: HttpParts): Middleware {
  const handler = typeof named === "function" ? named : boundHandler(action ?? named, parts);
  return async (ctx, next) => {
    const result = await handler(ctx, next);
    if (result !== undefined && ctx.body === undefined) ctx.body = result;
  };
}

function boundHandler(action: string, parts: HttpParts): Handler {
  return findHandler(action, parts).bind(parts.controllers.get(action.slice(0, action.lastIndexOf("."))));
}

/** @throws PLINTH_HTTP_ACTION_MISSING (500) details `{ controller, action, known }` */
function findHandler(action: string, parts: HttpParts): Handler {
  const end = action.lastIndexOf(".");
  const uid = action.slice(0, end);
  const name = action.slice(end + 1);
  const controller = parts.controllers.get(uid);
  const handler = controller[name];
  if (typeof handler === "function") return handler;
  throw new ActionMissingError({ controller: uid, action: name, known: describeKnown(name, actionsOf(controller)) });
}

/** Own and inherited actions; extended controllers have those of the core as their prototype. */
function actionsOf(controller: Controller): readonly string[] {
  const names: string[] = [];
  for (const name in controller) names.push(name);
  return names;
}

/**
 * Finds the uid of a policy, middleware or controller named on a route. A name with `::` is a uid already; another is
 * the owner's own (`is-owner` of `api::article` is `api::article.is-owner`), else the app's (`global::is-owner`).
 *
 * @returns a uid; it may be unknown, and the look-up says so then.
 */
function resolveName(name: string, owner: string, known: Lookup<unknown>): string {
  if (name.includes("::")) return name;
  const own = owner.includes("::") ? `${owner}.${name}` : `${owner}::${name}`;
  const shared = `global::${name}`;
  return !known.has(own) && known.has(shared) ? shared : own;
}
