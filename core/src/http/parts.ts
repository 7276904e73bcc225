import type { OwnedRoute } from "./route.js";
import type { Controller, ControllerFactory, Lookup, MiddlewareFactory, Policy, Tools } from "./types.js";

/** What plugins and the app declared for this floor; the look-ups are registries of the kernel. */
export interface HttpParts {
  /** In order of precedence: of two routes with one method and one shape of path, the first answers. */
  readonly routes: readonly OwnedRoute[];
  readonly controllers: Lookup<Controller>;
  readonly policies: Lookup<Policy>;
  readonly middlewares: Lookup<MiddlewareFactory>;
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
