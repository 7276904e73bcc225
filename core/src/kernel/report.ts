import type { HookReport } from "./hook.js";
import type { Phase } from "./lifecycle.js";
import type { OrderedPlugin } from "./order-plugins.js";

/** The phases in which code of a plugin runs. */
export type PluginPhase = "declare" | "register" | "bootstrap" | "destroy";

/** The parts of a start that belong to no plugin. */
export type StepName = "seal" | "sync" | "listen";

/** One plugin in the report. */
export interface PluginReport {
  readonly name: string;
  /** Why it stands where it stands: plugins that it depends on, and enabled ones that it only follows. */
  readonly dependsOn: readonly string[];
  readonly after: readonly string[];
  /** Milliseconds per phase; a phase that has not run is absent. */
  readonly ms: Readonly<Partial<Record<PluginPhase, number>>>;
}

/** What a kernel is made of and where its time went. */
export interface KernelReport {
  readonly phase: Phase;
  /** In the order of all phases; destroy runs in reverse. */
  readonly plugins: readonly PluginReport[];
  /** Milliseconds. */
  readonly steps: Readonly<Partial<Record<StepName, number>>>;
  /** Empty until everything has registered. */
  readonly hooks: readonly HookReport[];
}

/** Measures the phases of plugins and the steps of a start. */
export class Stopwatch {
  readonly #plugins = new Map<string, Partial<Record<PluginPhase, number>>>();
  readonly #steps: Partial<Record<StepName, number>> = {};

  /** Runs and measures a phase of a plugin, also when it fails. */
  plugin<R>(plugin: string, phase: PluginPhase, run: () => R): R {
    const times = this.#plugins.get(plugin) ?? {};
    this.#plugins.set(plugin, times);
    return measure(run, (ms) => {
      times[phase] = ms;
    });
  }

  /** Runs and measures a step, also when it fails. */
  step<R>(step: StepName, run: () => R): R {
    return measure(run, (ms) => {
      this.#steps[step] = ms;
    });
  }

  /** What was measured so far, for plugins in this order. */
  report(plugins: readonly OrderedPlugin[]): Pick<KernelReport, "plugins" | "steps"> {
    return {
      plugins: plugins.map(({ name, dependsOn, after }) => ({
        name,
        dependsOn,
        after,
        ms: { ...this.#plugins.get(name) },
      })),
      steps: { ...this.#steps },
    };
  }
}

/** Whether something must be awaited. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Reports the time when the work ends, for a promise when it settles. */
function measure<R>(run: () => R, done: (ms: number) => void): R {
  const start = performance.now();
  const finish = () => done(performance.now() - start);
  let result: R;
  try {
    result = run();
  } catch (error) {
    finish();
    throw error;
  }
  if (!isThenable(result)) finish();
  else result.then(finish, finish);
  return result;
}
