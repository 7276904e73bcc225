import type { HookBus } from "./hook-bus.js";
import type { ServiceContext } from "./implement.js";
import type { Lifecycle } from "./lifecycle.js";
import type { RegistrySet } from "./registries.js";
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
