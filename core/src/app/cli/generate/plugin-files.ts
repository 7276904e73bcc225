import { camelCase } from "../../../base/case.js";
import { assertName } from "./names.js";
import type { NewFile } from "./new-file.js";

/** A plugin in src/plugins that works at once: a service, a controller, a route, and its page of documentation. */
export function pluginFiles(name: string): readonly NewFile[] {
  assertName(name, "a plugin");
  const files = {
    "index.ts": index(name),
    "contract.ts": contract(name),
    "services/greetings.ts": service(),
    "controllers/greetings.ts": controller(),
    "routes/greetings.ts": routes(name),
    "README.md": readme(name),
  };
  return Object.entries(files).map(([path, text]) => ({ path: `src/plugins/${name}/${path}`, text }));
}

const index = (name: string) => `import { definePlugin } from "@plinth/core";

/** The plugin; its folders (services, controllers, policies, middlewares, routes, content-types) are read by themselves. */
export const ${camelCase(name)}Plugin = definePlugin<{ greeting: string }>({
  name: "${name}",
  config: (raw) => ({ greeting: "Hello", ...(raw as object | undefined) }),
});

export default ${camelCase(name)}Plugin;
`;

const contract = (name: string) => `import { serviceRef } from "@plinth/core";

/** Greets by name. */
export interface Greetings {
  greet(name: string): string;
}

/** What others depend on: \`service(greetings)\`, or \`app.plugin("${name}").service("greetings")\`. */
export const greetings = serviceRef<Greetings>("plugin::${name}.greetings");

declare module "@plinth/core" {
  interface Services {
    "plugin::${name}.greetings": Greetings;
  }
  interface PluginConfigs {
    "${name}": { readonly greeting: string };
  }
}

/** The plugin's name, for look-ups. */
export const PLUGIN = "${name}";
`;

const service = () => `import type { Tools } from "@plinth/core";
import { type Greetings, PLUGIN } from "../contract.js";

export default ({ app }: Tools): Greetings => ({
  greet: (name) => \`\${app.plugin(PLUGIN).config.greeting}, \${name}!\`,
});
`;

const controller = () => `import type { ControllerFactory } from "@plinth/core";
import { greetings } from "../contract.js";

const controller: ControllerFactory = ({ app }) => ({
  greet: (ctx) => ({ data: { text: app.service(greetings).greet(ctx.params["name"] ?? "") } }),
});

export default controller;
`;

const routes = (name: string) => `import type { Route } from "@plinth/core";

/** Behind the REST prefix and the plugin's name: GET /api/${name}/greetings/:name. */
const routes: readonly Route[] = [
  { method: "GET", path: "/greetings/:name", handler: "greetings.greet", config: { auth: false } },
];

export default routes;
`;

const readme = (name: string) => `# ${name}

A plugin of this app. It is found by its folder; \`config/plugins.ts\` configures it or switches it off:

    "${name}": { config: { greeting: "Good day" } },

Try it:

    curl http://127.0.0.1:1337/api/${name}/greetings/Ada

| file | what |
|---|---|
| index.ts | the plugin, its configuration, its register and bootstrap |
| contract.ts | what others may use: types and refs |
| services/, controllers/, routes/ | one thing a file; policies/, middlewares/, content-types/ work the same |
`;
