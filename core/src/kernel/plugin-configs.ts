import { reasonOf } from "../base/error.js";
import { frozenCopy } from "../base/frozen-copy.js";
import { type OptionProblem, type ParsedOptions, parseOptions } from "../base/options/parse-options.js";
import { describeKnown } from "../base/suggest.js";
import { ConfigInvalidError } from "./errors.js";
import type { Plugin } from "./plugin.js";

interface ConfigProblem {
  readonly plugin: string;
  readonly message: string;
}

/**
 * The validated, frozen configuration of every plugin by name.
 *
 * @param raw - what the user wrote, by plugin.
 * @throws PLINTH_CONFIG_INVALID details `{ problems: [{ plugin, message }] }`, all of them at once
 */
export function assertPluginConfigs(
  plugins: readonly Plugin[],
  raw: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, object> {
  const configs = new Map<string, object>();
  const problems = [...checkOwners(plugins, raw)];
  const causes: unknown[] = [];
  for (const plugin of plugins) {
    try {
      const parsed = parseConfig(plugin, raw[plugin.name]);
      if (parsed.problems) problems.push(...parsed.problems.map((problem) => toConfigProblem(plugin, problem)));
      else configs.set(plugin.name, frozenCopy(parsed.value));
    } catch (cause) {
      causes.push(cause);
      problems.push({ plugin: plugin.name, message: reasonOf(cause) });
    }
  }
  if (problems.length === 0) return configs;
  throw new ConfigInvalidError({ problems }, causes.length > 0 ? { cause: new AggregateError(causes) } : {});
}

function parseConfig({ definition: { config } }: Plugin, raw: unknown): ParsedOptions<object> {
  if (typeof config === "object") return parseOptions(config, raw, "");
  return { value: config?.(raw) ?? {} };
}

function toConfigProblem({ name }: Plugin, { path, message }: OptionProblem): ConfigProblem {
  return { plugin: name, message: `${path} ${message}` };
}

/** Configuration for plugins that are not there, or that take none. */
function checkOwners(plugins: readonly Plugin[], raw: Readonly<Record<string, unknown>>): readonly ConfigProblem[] {
  const known = plugins.map(({ name }) => name);
  return Object.keys(raw).flatMap((plugin) => {
    const owner = plugins.find(({ name }) => name === plugin);
    if (!owner) return [{ plugin, message: `no such plugin is enabled. ${describeKnown(plugin, known)}` }];
    const isTaken = owner.definition.config !== undefined || raw[plugin] === undefined;
    return isTaken ? [] : [{ plugin, message: "this plugin takes no configuration; remove it." }];
  });
}
