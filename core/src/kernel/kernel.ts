import { type PlinthError, reasonOf } from "../base/error.js";
import { explainStrapiCode } from "../base/strapi-code.js";
import { refuseStrapiMembers } from "../base/strapi-members.js";
import type { App, KernelApp, PluginHandle, ProvidedName } from "./app.js";
import { type ConfigReader, createConfigReader } from "./config.js";
import { createRegisterContext, createRunContext, type KernelParts } from "./contexts.js";
import {
  KernelDefinitionsError,
  KernelStopError,
  PluginAsyncRegisterError,
  PluginKeyError,
  PluginPhaseError,
  RegistryDuplicateError,
} from "./errors.js";
import { HookBus } from "./hook-bus.js";
import { Lifecycle, type Phase } from "./lifecycle.js";
import { type OrderedPlugin, orderPlugins } from "./order-plugins.js";
import { assertPluginConfigs } from "./plugin-configs.js";
import { type AppDefinition, definePlugin, type Plugin, type PluginDefinition } from "./plugin.js";
import { APP, FIELD_KINDS, qualify, RegistrySet } from "./registries.js";
import { Registry } from "./registry.js";
import { isThenable, type KernelReport, type PluginPhase, Stopwatch } from "./report.js";
import { ServiceContainer } from "./service-container.js";

/** Work between the phases of plugins, given by the floor that assembles the app. */
export interface Step {
  run(app: App): void | Promise<void>;
  /** Undoes `run`; called in its place of the reverse order once `run` began, even if it failed half-way. */
  stop?(app: App): void | Promise<void>;
}

/** What a kernel starts with. */
export interface KernelOptions {
  readonly plugins: readonly Plugin[];
  readonly app?: AppDefinition;
  /** The configuration of the app, read by `app.config.get("server.port")`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What the user wrote for each enabled plugin, by its name. */
  readonly pluginConfig?: Readonly<Record<string, unknown>>;
  /** Makes the database ready, after everything is declared and before anything acts. */
  readonly sync?: Step;
  /** Opens the app to clients, after everything has started. */
  readonly listen?: Step;
  /** Gets failures without a caller: of `on*` handlers, and of a stop after a failed start. */
  log(error: Error): void;
}

interface Undo {
  readonly part: string;
  readonly run: () => unknown;
}

/**
 * Runs plugins and an app: declare, register, seal, sync, bootstrap, listen; `stop` undoes that in reverse.
 * Knows nothing of HTTP, SQL or files.
 *
 * @throws PLINTH_PLUGIN_DUPLICATE, PLINTH_PLUGIN_MISSING, PLINTH_PLUGIN_CYCLE when it is made
 */
export class Kernel {
  readonly app: App;
  readonly hooks: HookBus;
  readonly #plugins: readonly OrderedPlugin[];
  readonly #parts: KernelParts;
  readonly #lifecycle = new Lifecycle();
  readonly #stopwatch = new Stopwatch();
  readonly #undo: Undo[] = [];
  #configs: ReadonlyMap<string, object> = new Map();
  #starting: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(private readonly options: KernelOptions) {
    const { plugins, app, config = {}, log } = options;
    this.#plugins = orderPlugins(plugins, app ? definePlugin({ name: APP, ...app }) : undefined);
    this.hooks = new HookBus(log);
    const contextOf = (plugin: string) => ({ app: this.app, config: this.#configs.get(plugin) ?? {} });
    this.#parts = {
      plugins: new Registry("plugin"),
      extensions: new Registry("extension"),
      services: new ServiceContainer(contextOf),
      registries: new RegistrySet(),
      hooks: this.hooks,
      lifecycle: this.#lifecycle,
      contextOf,
    };
    for (const plugin of this.#plugins) this.#parts.plugins.add(plugin.name, plugin, plugin.name);
    this.#parts.plugins.seal();
    this.app = createApp(this.#parts, createConfigReader(config));
  }

  /**
   * Adds a member that a higher floor merged into `App`; it is made when it is first read, once.
   *
   * @param from - the first phase in which it may be read; before, PLINTH_APP_TOO_EARLY.
   * @throws PLINTH_KERNEL_STATE after the start began, PLINTH_REGISTRY_DUPLICATE
   */
  provide<N extends ProvidedName>(name: N, create: () => App[N], from: Phase = "bootstrap"): void {
    this.#lifecycle.assertCreated(`provide("${String(name)}")`);
    const uid = `app.${String(name)}`;
    if (name in this.app) throw new RegistryDuplicateError({ registry: "member", uid, owner: APP, first: APP });
    let made: { readonly value: App[N] } | undefined;
    const get = () => {
      this.#lifecycle.assertReached(uid, from);
      made ??= { value: create() };
      return made.value;
    };
    Object.defineProperty(this.app, name, { enumerable: true, get });
  }

  /**
   * Runs every phase. When one fails, what had started is stopped first.
   *
   * @throws PLINTH_CONFIG_INVALID, PLINTH_PLUGIN_PHASE (the cause says why), PLINTH_PLUGIN_ASYNC_REGISTER,
   * PLINTH_KERNEL_DEFINITIONS or the one definition error, PLINTH_KERNEL_INTERRUPTED, PLINTH_KERNEL_STATE
   */
  async start(): Promise<this> {
    this.#lifecycle.assertCreated("start()");
    this.#starting = this.#start();
    await this.#starting;
    return this;
  }

  /**
   * Declares, registers and seals, and stops there: for commands that only inspect the app.
   *
   * @throws as `start` does
   */
  declareOnly(): this {
    this.#lifecycle.assertCreated("declareOnly()");
    this.#declare();
    this.#register();
    this.#seal();
    return this;
  }

  /**
   * Stops everything that started, last first, and waits for all of it; one failure does not stop the rest. During a
   * start it waits for the step under way, so a plugin must not await it in bootstrap. Every call is the same stop.
   *
   * @throws PLINTH_KERNEL_STOP_FAILED details `{ failures: [{ part, message }] }`
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** The order of plugins, why it is so, the handlers of hooks, and the times of all phases. */
  report(): KernelReport {
    const { phase } = this.#lifecycle;
    return { phase, ...this.#stopwatch.report(this.#plugins), hooks: this.hooks.isSealed ? this.hooks.list() : [] };
  }

  async #start(): Promise<void> {
    try {
      this.#declare();
      this.#register();
      this.#seal();
      await this.#step("sync");
      await this.#bootstrap();
      await this.#step("listen");
      this.#lifecycle.enter("running");
    } catch (error) {
      // The caller learns why the start failed; why stopping failed too is for the log.
      await this.#unwind().catch((failure) => this.options.log(failure));
      throw error;
    }
  }

  async #stop(): Promise<void> {
    this.#lifecycle.requestStop();
    // The caller of a failed start gets its error; here it only has to be over.
    await Promise.allSettled([this.#starting]);
    await this.#unwind();
  }

  #declare(): void {
    this.#lifecycle.enter("declare");
    this.#configs = assertPluginConfigs(this.#plugins, this.options.pluginConfig ?? {});
    for (const plugin of this.#plugins) this.#now(plugin, "declare", () => declarePlugin(plugin, this.#parts));
    assertNone(this.#parts.extensions.seal());
  }

  #register(): void {
    this.#lifecycle.enter("register");
    for (const plugin of this.#plugins) {
      const context = createRegisterContext(plugin.name, this.#parts);
      const result: unknown = this.#now(plugin, "register", () => plugin.definition.register?.(context));
      if (!isThenable(result)) continue;
      // A later rejection of the promise would be unhandled.
      result.then(undefined, (failure) => this.options.log(phaseError(plugin.name, "register", failure)));
      throw new PluginAsyncRegisterError({ plugin: plugin.name });
    }
  }

  #seal(): void {
    this.#lifecycle.enter("seal");
    const { registries, services, hooks } = this.#parts;
    this.#stopwatch.step("seal", () => assertNone([...registries.seal(), ...services.seal(), ...hooks.seal()]));
  }

  async #bootstrap(): Promise<void> {
    this.#lifecycle.enter("bootstrap");
    for (const plugin of this.#plugins) {
      this.#lifecycle.assertWanted();
      const { definition } = plugin;
      const context = createRunContext(plugin.name, this.#parts);
      const destroy = () => this.#later(plugin, "destroy", () => definition.destroy?.(context));
      this.#undo.push({ part: plugin.name, run: destroy });
      await this.#later(plugin, "bootstrap", () => definition.bootstrap?.(context));
    }
    this.#undo.push({ part: "hooks", run: () => this.hooks.idle() });
  }

  async #step(name: "sync" | "listen"): Promise<void> {
    this.#lifecycle.enter(name);
    const step = this.options[name];
    if (!step) return;
    this.#undo.push({ part: name, run: () => step.stop?.(this.app) });
    await this.#stopwatch.step(name, () => step.run(this.app));
  }

  async #unwind(): Promise<void> {
    this.#lifecycle.enter("stopping");
    const errors: unknown[] = [];
    const failures: { readonly part: string; readonly message: string }[] = [];
    for (let undo = this.#undo.pop(); undo; undo = this.#undo.pop()) {
      try {
        await undo.run();
      } catch (error) {
        errors.push(error);
        failures.push({ part: undo.part, message: reasonOf(error) });
      }
    }
    this.#lifecycle.enter("stopped");
    if (failures.length > 0) throw new KernelStopError({ failures }, { cause: new AggregateError(errors) });
  }

  /** Runs a synchronous phase of a plugin, measured. @throws PLINTH_PLUGIN_PHASE */
  #now<R>({ name }: OrderedPlugin, phase: PluginPhase, run: () => R): R {
    try {
      return this.#stopwatch.plugin(name, phase, run);
    } catch (cause) {
      throw phaseError(name, phase, cause);
    }
  }

  /** Runs an asynchronous phase of a plugin, measured. @throws PLINTH_PLUGIN_PHASE */
  async #later({ name }: OrderedPlugin, phase: PluginPhase, run: () => unknown): Promise<void> {
    try {
      await this.#stopwatch.plugin(name, phase, run);
    } catch (cause) {
      throw phaseError(name, phase, cause);
    }
  }
}

function phaseError(plugin: string, phase: PluginPhase, cause: unknown): PlinthError {
  const shown = explainStrapiCode(cause) ?? cause;
  return new PluginPhaseError({ plugin, phase, reason: reasonOf(shown) }, { cause: shown });
}

/** Throws the one problem, or all of them in one error. */
function assertNone(problems: readonly PlinthError[]): void {
  const [first, ...others] = problems;
  if (!first) return;
  if (others.length === 0) throw first;
  const details = { problems: problems.map(({ code, message }) => ({ code, message })) };
  throw new KernelDefinitionsError(details, { cause: new AggregateError(problems) });
}

/** Makes the app of a kernel; what higher floors provide is added by `Kernel.provide`. */
function createApp(parts: KernelParts, config: ConfigReader): App {
  const app: KernelApp = {
    config,
    hooks: parts.hooks,
    has: (plugin) => parts.plugins.has(plugin),
    get plugins() {
      return parts.plugins.keys().filter((name) => name !== APP);
    },
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
  return refuseStrapiMembers(app, "app") as App;
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

/**
 * Puts what a plugin's definition lists where it belongs, and makes its extensions.
 *
 * @throws PLINTH_REGISTRY_DUPLICATE, PLINTH_PLUGIN_UNKNOWN_KEY
 */
function declarePlugin({ name: owner, definition }: Plugin, parts: KernelParts): void {
  assertKeys(owner, definition);
  for (const target of definition.hooks ?? []) parts.hooks.declare(target, owner);
  for (const service of definition.services ?? []) parts.services.add(service, owner);
  for (const { uid, create } of definition.extensions ?? []) {
    parts.extensions.add(uid, create(parts.contextOf(owner)), owner);
  }
  for (const [field, kind] of Object.entries(FIELD_KINDS)) {
    const registry = parts.registries.of<string>(kind);
    const things: Readonly<Record<string, unknown>> = Object(definition[field as keyof typeof FIELD_KINDS]);
    for (const [name, thing] of Object.entries(things)) registry.add(qualify(owner, kind, name), thing, owner);
  }
}

const OTHER_KEYS: Readonly<Record<Exclude<keyof PluginDefinition<object>, keyof typeof FIELD_KINDS>, true>> = {
  name: true,
  dependsOn: true,
  after: true,
  config: true,
  services: true,
  extensions: true,
  hooks: true,
  register: true,
  bootstrap: true,
  destroy: true,
};

/** An unknown key is a misspelt one: a `bootstap` would never run. */
function assertKeys(plugin: string, definition: object): void {
  const known = [...Object.keys(OTHER_KEYS), ...Object.keys(FIELD_KINDS)];
  const unknown = Object.keys(definition).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new PluginKeyError({ plugin, key: unknown, known });
}
