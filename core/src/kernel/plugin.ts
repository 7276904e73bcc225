import type { OptionsSchema } from "../base/options/schema-node.js";
import type { App } from "./app.js";
import { PluginNameError } from "./errors.js";
import type { AnyHook, HandlerOf, TapOrder } from "./hook.js";
import type { HookBus } from "./hook-bus.js";
import type { ExtensionImpl, ServiceImpl } from "./implement.js";
import type { ExtensionRef, ServiceAt, ServiceRef, ServiceUid } from "./ref.js";
import type { FIELD_KINDS, RegistryKind, ValueOf, VERB_KINDS } from "./registries.js";

/** A registry as a plugin may fill it. A name without `::` is the plugin's own: `is-owner`. */
export interface RegistryWriter<V> {
  /** @throws PLINTH_REGISTRY_DUPLICATE, PLINTH_REGISTRY_SEALED */
  add(name: string, value: V): void;
  /** Changes a definition, this plugin's or another's, when it is first used. @throws PLINTH_REGISTRY_SEALED */
  extend(name: string, change: (inner: V) => V): void;
  /** Puts something around it, after all extends. @throws PLINTH_REGISTRY_SEALED */
  wrap(name: string, wrapper: (inner: V) => V): void;
  has(name: string): boolean;
}

/** The verbs that add a thing of one kind: `policy("is-owner", isOwner)`. */
export type PartVerbs = {
  readonly [Verb in keyof typeof VERB_KINDS]: (name: string, value: ValueOf<(typeof VERB_KINDS)[Verb]>) => void;
};

/** What a plugin may do while it declares itself. There is no service() here: nothing exists yet. */
export interface RegisterContext<C extends object> extends PartVerbs {
  readonly app: App;
  readonly config: Readonly<C>;
  /** Takes part in a hook. */
  on<H extends AnyHook>(target: H, handler: HandlerOf<H>, order?: TapOrder): void;
  /** What another plugin collects. @throws PLINTH_REGISTRY_UNKNOWN */
  extension<E>(ref: ExtensionRef<E>): E;
  /** Wraps a service, for all its callers. */
  wrap<S>(ref: ServiceRef<S>, wrapper: (inner: S) => NoInfer<S>): void;
  wrap<U extends ServiceUid>(uid: U, wrapper: (inner: ServiceAt<U>) => ServiceAt<U>): void;
  /** Whether a plugin is enabled. */
  has(plugin: string): boolean;
  registry<K extends RegistryKind>(kind: K): RegistryWriter<ValueOf<K>>;
}

/** What a plugin may do once everything is declared. There is no on() and no wrap() here: what exists is fixed. */
export interface RunContext<C extends object> {
  readonly app: App;
  readonly config: Readonly<C>;
  readonly hooks: HookBus;
  service<S>(ref: ServiceRef<S>): S;
  service<U extends ServiceUid>(uid: U): ServiceAt<U>;
  extension<E>(ref: ExtensionRef<E>): E;
  has(plugin: string): boolean;
}

/** Things of one kind by name. A name without `::` is the owner's: `is-owner` is `plugin::bookmarks.is-owner`. */
export type Contributions<K extends string> = Readonly<Record<string, ValueOf<K>>>;

type Parts = {
  readonly [Field in Exclude<keyof typeof FIELD_KINDS, "routes">]?: Contributions<(typeof FIELD_KINDS)[Field]>;
};

/** What a plugin and the app have in common. */
export interface Definition<C extends object> extends Parts {
  /** Routes, as a list or by name. */
  readonly routes?: Contributions<"route"> | readonly ValueOf<"route">[];
  readonly services?: readonly ServiceImpl<C>[];
  readonly extensions?: readonly ExtensionImpl<C>[];
  /** The hooks that it calls. */
  readonly hooks?: readonly AnyHook[];
  /** Declares and wires; synchronous. */
  register?(context: RegisterContext<C>): void;
  /** Runs once everything is declared and the database is ready. */
  bootstrap?(context: RunContext<C>): void | Promise<void>;
  /** Undoes bootstrap; runs in reverse order, and also when this bootstrap failed half-way. */
  destroy?(context: RunContext<C>): void | Promise<void>;
}

/** The definition of a plugin; all fields but the name are optional. */
export interface PluginDefinition<C extends object> extends Definition<C> {
  /** kebab-case; also the namespace `plugin::<name>` and the key of its configuration. */
  readonly name: string;
  /** Must be enabled, and come first in every phase. */
  readonly dependsOn?: readonly (Plugin | string)[];
  /** Come first when they are enabled. */
  readonly after?: readonly string[];
  /**
   * A schema of valibot, with defaults for what the user leaves out; or a function that turns what the user wrote,
   * undefined when nothing, into the configuration, and throws what is wrong with it.
   */
  readonly config?: OptionsSchema<C> | ((raw: unknown) => C);
}

/** A plugin as a value that others can depend on. */
export interface Plugin {
  readonly name: string;
  readonly definition: PluginDefinition<object>;
}

/**
 * Declares a plugin.
 *
 * @throws PLINTH_PLUGIN_NAME for a name that is not kebab-case
 */
export function definePlugin<C extends object = Record<never, never>>(definition: PluginDefinition<C>): Plugin {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(definition.name)) throw new PluginNameError({ plugin: definition.name });
  // C matters inside the plugin only: the kernel passes on what the plugin's own config() returned.
  return { name: definition.name, definition: definition as unknown as PluginDefinition<object> };
}

/** The app: the last plugin, with the same phases and powers. Its own things are `global::<name>`. */
export type AppDefinition = Definition<Record<never, never>>;

/** Declares the app. */
export function defineApp(definition: AppDefinition): AppDefinition {
  return definition;
}
