import { Command } from "commander";
import type { MatchedRoute } from "../../../http/matched-route.js";
import { print, table } from "../terminal.js";

/** `plinth routes`: every way into the server, in order of precedence. */
export function routesCommand(): Command {
  return new Command("routes")
    .description("list every route with its owner and action")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { inspect } = await import("../inspect.js");
      const routes = await inspect(process.cwd(), (plinth) => plinth.routes());
      print(json ? JSON.stringify(routes, undefined, 2) : describeRoutes(routes));
    });
}

function describeRoutes(routes: readonly MatchedRoute[]): string {
  const rows = routes.map(({ method, path, owner, action }) => [method, path, action ?? "(function)", owner]);
  return `${table(["METHOD", "PATH", "ACTION", "OWNER"], rows)}\n\n${routes.length} routes; HEAD comes with GET.`;
}
