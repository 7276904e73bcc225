import type { ConfigReader } from "./config.js";
import type { HookBus } from "./hook-bus.js";
import type { ExtensionRef, ServiceAt, ServiceRef, ServiceUid } from "./ref.js";
import type { RegistryKind, ValueOf } from "./registries.js";
import type { ReadableRegistry } from "./registry.js";

/** Plugin -> its validated configuration. Empty here: the contract.ts of each plugin adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged into
export interface PluginConfigs {}

/** The names `<name>` for which the compiler knows `plugin::<plugin>.<name>`. */
export type ServiceName<P extends string> = ServiceUid extends infer U
  ? U extends `plugin::${P}.${infer Name}`
    ? Name
    : never
  : never;

/** One plugin of the app, by strings: `app.plugin("upload").service("files")`. */
export interface PluginHandle<P extends string> {
  readonly name: P;
  readonly config: P extends keyof PluginConfigs ? PluginConfigs[P] : Readonly<Record<string, unknown>>;
  /** A service from bootstrap on; an extension from register on. @throws as `App.service` does */
  service<N extends ServiceName<P>>(name: N): ServiceAt<`plugin::${P}.${N}`>;
  /** One of its things from bootstrap on: `get("policy", "is-owner")`. @throws PLINTH_REGISTRY_UNKNOWN */
  get<K extends RegistryKind>(kind: K, name: string): ValueOf<K>;
}

/** What the kernel itself puts into an app. */
export interface KernelApp {
  readonly config: ConfigReader;
  readonly hooks: HookBus;
  /** Whether a plugin is enabled. */
  has(plugin: string): boolean;
  /** Names of the plugins that are enabled, in the order of their phases. */
  readonly plugins: readonly string[];
  /** @throws PLINTH_REGISTRY_UNKNOWN for a plugin that is not enabled */
  plugin<P extends string>(name: P): PluginHandle<P>;
  /**
   * A service, by uid (typed by `Services` and `ServiceFiles`) or by ref; an extension by uid.
   *
   * @throws PLINTH_APP_TOO_EARLY for a service before bootstrap, PLINTH_REGISTRY_UNKNOWN, PLINTH_SERVICE_CYCLE,
   * PLINTH_SERVICE_CREATE_FAILED
   */
  service<U extends ServiceUid>(uid: U): ServiceAt<U>;
  service<S>(ref: ServiceRef<S>): S;
  /** What a plugin collects. @throws PLINTH_REGISTRY_UNKNOWN */
  extension<E>(ref: ExtensionRef<E>): E;
  /** All things of a kind; readable once everything has registered. */
  registry<K extends RegistryKind>(kind: K): ReadableRegistry<ValueOf<K>>;
}

/**
 * The running app, as plugins and projects see it; there may be several in one process. Higher floors add `documents`,
 * `db`, `http`, `log` by declaration merging, and the values by `Kernel.provide`.
 */
export interface App extends KernelApp {}

/** The members of an app that higher floors added. */
export type ProvidedName = Exclude<keyof App, keyof KernelApp>;
