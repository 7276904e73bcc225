import { sortByAfter } from "../base/sort.js";
import { PluginCycleError, PluginDuplicateError, PluginMissingError } from "./errors.js";
import type { Plugin } from "./plugin.js";

/** A plugin in the order, and the reasons for its place. */
export interface OrderedPlugin extends Plugin {
  /** Enabled plugins that it depends on. */
  readonly dependsOn: readonly string[];
  /** Enabled plugins that it only follows. */
  readonly after: readonly string[];
}

/**
 * Puts plugins in the order of all phases; plugins without a reason keep their given order.
 *
 * @param app - the app as a plugin: always the last.
 * @throws PLINTH_PLUGIN_DUPLICATE, PLINTH_PLUGIN_MISSING (all at once), PLINTH_PLUGIN_CYCLE details `{ path }`
 */
export function orderPlugins(plugins: readonly Plugin[], app?: Plugin): readonly OrderedPlugin[] {
  const names = assertDistinct(app ? [...plugins, app] : plugins);
  const ordered = plugins.map((plugin) => explain(plugin, names));
  const missing = ordered.flatMap(({ name, dependsOn }) =>
    dependsOn.filter((dependency) => !names.has(dependency)).map((dependency) => ({ plugin: name, dependency })),
  );
  if (missing.length > 0) throw new PluginMissingError({ missing });
  const sorted = sortByAfter(ordered.map((plugin) => ({ name: plugin.name, after: reasons(plugin), plugin })));
  if ("cycle" in sorted) throw new PluginCycleError({ path: sorted.cycle });
  const order = sorted.order.map(({ plugin }) => plugin);
  return app ? [...order, { ...app, dependsOn: [], after: order.map(({ name }) => name) }] : order;
}

function assertDistinct(plugins: readonly Plugin[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name } of plugins) {
    if (names.has(name)) throw new PluginDuplicateError({ plugin: name });
    names.add(name);
  }
  return names;
}

function explain(plugin: Plugin, enabled: ReadonlySet<string>): OrderedPlugin {
  const { dependsOn = [], after = [] } = plugin.definition;
  return {
    ...plugin,
    dependsOn: dependsOn.map((dependency) => (typeof dependency === "string" ? dependency : dependency.name)),
    after: after.filter((name) => enabled.has(name)),
  };
}

function reasons({ dependsOn, after }: OrderedPlugin): readonly string[] {
  return [...dependsOn, ...after];
}
