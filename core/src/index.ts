/** The public entry of `@plinth/core`: everything a plugin or an app may import, re-exported from the floors. */
export type { Ability, Actor } from "./access/ability.js";
export { unlimited } from "./access/ability.js";
export { ForbiddenError, UnauthenticatedError } from "./access/errors.js";
export type { AuthStrategy } from "./access/strategy.js";
export type {
  GlobalMiddlewareRef,
  MatchedRoute,
  MiddlewareRef,
  OwnedRoute,
  PolicyRef,
  Route,
  RouteConfig,
  RouteMethod,
} from "./http/route.js";
export type {
  App,
  Controller,
  ControllerFactory,
  Handler,
  HttpContext,
  Middleware,
  MiddlewareFactory,
  Next,
  Policy,
  QueryObject,
  QueryValue,
  RequestState,
  Tools,
} from "./http/types.js";
