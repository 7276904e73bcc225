import type { App, KernelApp, PluginHandle } from "./app.js";
import type { ConfigReader } from "./config.js";
import type { KernelParts } from "./parts.js";
import { qualify } from "./registries.js";

/** Makes the app of a kernel; what higher floors provide is added by `Kernel.provide`. */
export function createApp(parts: KernelParts, config: ConfigReader): App {
  const app: KernelApp = {
    config,
    hooks: parts.hooks,
    has: (plugin) => parts.plugins.has(plugin),
    plugin: (name) => {
      parts.plugins.get(name);
      return createPluginHandle(name, app, parts);
    },
    // The uid or ref says the type, and services and extensions are stored without it.
    service: ((target: string | { readonly uid: string }) =>
      findService(typeof target === "string" ? target : target.uid, parts)) as KernelApp["service"],
    extension: ((ref: { readonly uid: string }) => parts.extensions.get(ref.uid)) as KernelApp["extension"],
    registry: (kind) => parts.registries.of(kind),
  };
  // Members that higher floors merged into App are not there before they are provided.
  return app as App;
}

/** An extension is there from register on; a service from bootstrap on. */
function findService(uid: string, { extensions, services, lifecycle }: KernelParts): unknown {
  if (extensions.has(uid)) return extensions.get(uid);
  lifecycle.assertReached(`The service "${uid}"`, "bootstrap");
  return services.get(uid);
}

function createPluginHandle<P extends string>(name: P, app: KernelApp, parts: KernelParts): PluginHandle<P> {
  return {
    name,
    config: parts.contextOf(name).config as PluginHandle<P>["config"],
    service: ((service: string) => findService(qualify(name, "service", service), parts)) as PluginHandle<P>["service"],
    get: (kind, thing) => app.registry(kind).get(qualify(name, kind, thing)),
  };
}
