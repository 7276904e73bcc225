import { Command } from "commander";
import type { HookReport } from "../kernel/hook.js";
import type { KernelReport, PluginReport } from "../kernel/report.js";
import type { CommandHost } from "./host.js";
import { table } from "./terminal.js";
import type { MatchedRoute } from "../http/route-description.js";

/** `plinth routes`: every route, in order of precedence. */
export function routesCommand(host: CommandHost): Command {
  return new Command("routes")
    .description("list every route with its owner and action")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { inspect } = await import("./inspect.js");
      const routes = await inspect(host, (plinth) => plinth.routes());
      host.terminal.print(json ? JSON.stringify(routes, undefined, 2) : describeRoutes(routes));
    });
}

function describeRoutes(routes: readonly MatchedRoute[]): string {
  const rows = routes.map(({ method, path, owner, action }) => [method, path, action ?? "(function)", owner]);
  return `${table(["METHOD", "PATH", "ACTION", "OWNER"], rows)}\n\n${routes.length} routes; HEAD comes with GET.`;
}

/** `plinth hooks`: every hook, and its handlers. */
export function hooksCommand(host: CommandHost): Command {
  return new Command("hooks")
    .description("list hooks, their kind and who listens, in order")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { declare } = await import("./inspect.js");
      const { hooks } = (await declare(host)).report();
      host.terminal.print(json ? JSON.stringify(hooks, undefined, 2) : describeHooks(hooks));
    });
}

function describeHooks(hooks: readonly HookReport[]): string {
  const rows = hooks.map(({ name, kind, taps, description }) => [name, kind, taps.join(", ") || "-", description]);
  return table(["HOOK", "KIND", "LISTENERS", "WHEN"], rows);
}

const PHASES = ["declare", "register", "bootstrap"] as const;

/** `plinth plugins`: the order of plugins, why it is so, and where the time of a start goes. */
export function pluginsCommand(host: CommandHost): Command {
  return new Command("plugins")
    .description("list plugins in order, with the reason for it and their milliseconds per phase")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { inspect } = await import("./inspect.js");
      const { plugins, steps } = await inspect(host, (plinth) => plinth.report());
      host.terminal.print(
        json ? JSON.stringify({ plugins, steps }, undefined, 2) : describePlugins({ plugins, steps }),
      );
    });
}

function describePlugins({ plugins, steps }: Pick<KernelReport, "plugins" | "steps">): string {
  const rows = plugins.map((plugin, index) => [
    `${index + 1}`,
    plugin.name,
    describeWhy(plugin),
    ...PHASES.map((phase) => describeMs(plugin.ms[phase])),
  ]);
  const others = Object.entries(steps).map(([step, ms]) => `${step} ${describeMs(ms)}`);
  return `${table(["", "PLUGIN", "WHY HERE", ...PHASES.map((phase) => phase.toUpperCase())], rows)}\n\nMilliseconds. Besides: ${others.join(", ")}.`;
}

function describeWhy({ name, dependsOn, after }: PluginReport): string {
  const reasons = [
    ...(dependsOn.length > 0 ? [`depends on ${dependsOn.join(", ")}`] : []),
    ...(after.length > 0 ? [`after ${after.join(", ")}`] : []),
  ];
  if (reasons.length > 0) return reasons.join("; ");
  if (name === "core") return "the core is first";
  return name === "app" ? "the app is last" : "as listed";
}

const describeMs = (ms: number | undefined): string => (ms === undefined ? "-" : ms.toFixed(1));
