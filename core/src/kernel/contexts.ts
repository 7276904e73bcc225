import { withoutStrapi } from "../base/strapi-code.js";
import type { HandlerOf } from "./hook.js";
import type { HookBus } from "./hook-bus.js";
import type { ServiceContext } from "./implement.js";
import type { Lifecycle } from "./lifecycle.js";
import { qualify, type RegistrySet, type ValueOf, VERB_KINDS } from "./registries.js";
import type { PartVerbs, RegisterContext, RegistryWriter, RunContext } from "./plugin.js";
import type { Registry } from "./registry.js";
import type { ServiceContainer } from "./service-container.js";

/** What one kernel is made of; the app and the contexts of plugins are views of it. */
export interface KernelParts {
  /** Enabled plugins; sealed from the first moment. */
  readonly plugins: Registry<unknown>;
  /** Live extensions; sealed when everything is declared, so that register can reach them. */
  readonly extensions: Registry<unknown>;
  readonly services: ServiceContainer;
  readonly registries: RegistrySet;
  readonly hooks: HookBus;
  readonly lifecycle: Lifecycle;
  /** The app, and the validated configuration of a plugin. */
  readonly contextOf: (plugin: string) => ServiceContext;
}

/** What register() of a plugin gets. */
export function createRegisterContext(plugin: string, parts: KernelParts): RegisterContext<object> {
  const { app, config } = parts.contextOf(plugin);
  return withoutStrapi({
    ...createVerbs(plugin, parts),
    app,
    config,
    has: app.has,
    extension: app.extension,
    on: (target, handler, order = {}) =>
      parts.hooks.tap(target, handler as HandlerOf<typeof target>, { ...order, owner: plugin }),
    // The ref or uid has checked the wrapper; services are stored without their types.
    wrap: ((target: string | { readonly uid: string }, wrapper: (inner: never) => unknown) =>
      parts.services.wrap(
        typeof target === "string" ? target : target.uid,
        wrapper as (inner: unknown) => unknown,
        plugin,
      )) as RegisterContext<object>["wrap"],
    registry: (kind) => createWriter(plugin, kind, parts),
  });
}

/** What bootstrap() and destroy() of a plugin get. */
export function createRunContext(plugin: string, parts: KernelParts): RunContext<object> {
  const { app, config } = parts.contextOf(plugin);
  const { hooks, service, extension, has } = app;
  return withoutStrapi({ app, config, hooks, service, extension, has });
}

function createVerbs(plugin: string, parts: KernelParts): PartVerbs {
  const verbs = Object.entries(VERB_KINDS).map(([verb, kind]) => [verb, createWriter(plugin, kind, parts).add]);
  // The table is complete by its type; Object.fromEntries forgets the keys.
  return Object.fromEntries(verbs) as PartVerbs;
}

function createWriter<K extends string>(plugin: string, kind: K, parts: KernelParts): RegistryWriter<ValueOf<K>> {
  const registry = parts.registries.of(kind);
  const uidOf = (name: string) => qualify(plugin, kind, name);
  return {
    add: (name, value) => registry.add(uidOf(name), value, plugin),
    extend: (name, change) => registry.extend(uidOf(name), change, plugin),
    wrap: (name, wrapper) => registry.wrap(uidOf(name), wrapper, plugin),
    has: (name) => registry.has(uidOf(name)),
  };
}
