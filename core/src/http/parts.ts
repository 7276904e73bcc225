import { namespaceOf } from "../base/uid.js";
import { APP } from "../kernel/registries.js";
import type { ReadableRegistry } from "../kernel/registry.js";
import type { OwnedRoute, Route } from "./route.js";
import type { Controller, ControllerFactory, Lookup, MiddlewareFactory, Policy, Tools } from "./types.js";

declare module "../kernel/registries.js" {
  interface Registries {
    route: Route;
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
 * generates by declaring the same method and path.
 */
export function listRoutes(registry: ReadableRegistry<Route>): readonly OwnedRoute[] {
  const isApps = (uid: string) => registry.ownerOf(uid) === APP;
  const uids = [...registry.keys()];
  const ordered = [...uids.filter(isApps), ...uids.filter((uid) => !isApps(uid))];
  return ordered.map((uid) => ({ owner: namespaceOf(uid), route: registry.get(uid) }));
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
