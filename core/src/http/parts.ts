import { namespaceOf } from "../base/uid.js";
import { APP } from "../kernel/registries.js";
import type { ReadableRegistry } from "../kernel/registry.js";
import type { OwnedRoute, Route, RouteSource } from "./route.js";
import type { Controller, ControllerFactory, Lookup, MiddlewareFactory, Policy, Tools } from "./types.js";

declare module "../kernel/registries.js" {
  interface Registries {
    route: Route | RouteSource;
    controller: ControllerFactory;
    policy: Policy;
    middleware: MiddlewareFactory;
  }
}

/** What plugins and the app declared for this floor; the look-ups are registries of the kernel. */
export interface HttpParts {
  /** In order of precedence: of two routes with one method and one shape of path, the first answers. */
  readonly routes: readonly OwnedRoute[];
  readonly controllers: Lookup<Controller>;
  readonly policies: Lookup<Policy>;
  readonly middlewares: Lookup<MiddlewareFactory>;
}

/**
 * The declared routes with their owners, the app's before those of plugins, so that an app replaces what a plugin
 * generates by declaring the same method and path; and of one owner, single routes before those of sources.
 */
export function listRoutes(registry: ReadableRegistry<Route | RouteSource>, tools: Tools): readonly OwnedRoute[] {
  const rank = (uid: string) => (registry.ownerOf(uid) === APP ? 0 : 2) + (isSource(registry.get(uid)) ? 1 : 0);
  const ordered = [...registry.keys()].sort((a, b) => rank(a) - rank(b));
  return ordered.flatMap((uid) => {
    const declared = registry.get(uid);
    const routes = isSource(declared) ? declared.createRoutes(tools) : [declared];
    return routes.map((route) => ({ owner: namespaceOf(uid), route }));
  });
}

function isSource(declared: Route | RouteSource): declared is RouteSource {
  return "createRoutes" in declared;
}

/** Makes each controller once, when it is first asked for. */
export function createControllers(factories: Lookup<ControllerFactory>, tools: Tools): Lookup<Controller> {
  const made = new Map<string, Controller>();
  return {
    has: (uid) => factories.has(uid),
    get: (uid) => {
      const known = made.get(uid);
      if (known) return known;
      const controller = factories.get(uid)(tools);
      made.set(uid, controller);
      return controller;
    },
  };
}
