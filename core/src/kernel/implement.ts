import type { Uid } from "../base/uid.js";
import type { App } from "./app.js";
import type { ExtensionRef, ServiceOf, ServiceRef } from "./ref.js";

/** Other services that a service calls, under the names it calls them by. */
export type Deps = Readonly<Record<string, ServiceRef<unknown>>>;

/** The services behind `Deps`. */
export type Resolved<D extends Deps> = { readonly [K in keyof D]: ServiceOf<D[K]> };

/** What a service is made from beside its deps: the app, and the validated configuration of its plugin. */
export interface ServiceContext<C extends object = object> {
  readonly app: App;
  readonly config: Readonly<C>;
}

/** A service and how to make it; `C` is the configuration it needs from the plugin that lists it. */
export interface ServiceImpl<C extends object = object> {
  readonly kind: "service";
  readonly uid: Uid;
  readonly deps: Readonly<Record<string, Uid>>;
  readonly create: (deps: Readonly<Record<string, unknown>>, context: ServiceContext<C>) => unknown;
}

/** An extension and how to make it. */
export interface ExtensionImpl<C extends object = object> {
  readonly kind: "extension";
  readonly uid: Uid;
  readonly create: (context: ServiceContext<C>) => unknown;
}

/** How a service is made: `deps` names the services it calls. */
export interface ServiceSpec<S, D extends Deps, C extends object> {
  readonly deps?: D;
  readonly create: (deps: Resolved<D>, context: ServiceContext<C>) => S;
}

/** How an extension is made, before anything registers. */
export interface ExtensionSpec<E, C extends object> {
  readonly create: (context: ServiceContext<C>) => E;
}

/**
 * Binds a ref to its implementation, for `services` or `extensions` of a plugin:
 * `implement(bookmarks, { deps: { files }, create: ({ files }, { config }) => ... })`.
 */
export function implement<S, const D extends Deps = Record<never, never>, C extends object = object>(
  ref: ServiceRef<S>,
  spec: ServiceSpec<NoInfer<S>, D, C>,
): ServiceImpl<C>;
export function implement<E, C extends object = object>(
  ref: ExtensionRef<E>,
  spec: ExtensionSpec<NoInfer<E>, C>,
): ExtensionImpl<C>;
export function implement<C extends object>(
  ref: ServiceRef<unknown> | ExtensionRef<unknown>,
  spec: ServiceSpec<unknown, Deps, C> | ExtensionSpec<unknown, C>,
): ServiceImpl<C> | ExtensionImpl<C> {
  const { kind, uid } = ref;
  if (kind === "extension") return { kind, uid, create: (spec as ExtensionSpec<unknown, C>).create };
  const { deps = {}, create } = spec as ServiceSpec<unknown, Deps, C>;
  return { kind, uid, deps: Object.fromEntries(Object.entries(deps).map(([key, dep]) => [key, dep.uid])), create };
}
