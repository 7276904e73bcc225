import { camelCase, pascalCase } from "../../base/case.js";
import { assertName, jsonFile, type NewFile } from "./new-file.js";
import { pluginReadme, pluginTest } from "./plugin-texts.js";
import { coreVersion } from "../core-package.js";

/** What a plugin may have besides, as texts and entries that join those of its files. */
export interface PluginPart {
  /** Of src/index.ts: imports of Node's modules, and of packages. */
  readonly imports: string;
  readonly packages: string;
  /** Names that src/index.ts takes from src/routes.ts. */
  readonly routes: readonly string[];
  readonly register: string;
  /** Of src/routes.ts, and what stands at its end. */
  readonly routesImports: string;
  readonly moreRoutes: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: object;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly readme: string;
}

const NOTHING: PluginPart = {
  ...{ imports: "", packages: "", routes: ["routes"], register: "", routesImports: "", moreRoutes: "", readme: "" },
  ...{ scripts: {}, peerDependencies: {}, devDependencies: {} },
};

/**
 * A plugin in src/plugins that works at once and can be published as it is: a package with configuration, a service, a
 * route and tests.
 *
 * @param part - what it has besides
 * @throws PLINTH_CLI_INVALID_NAME
 */
export function pluginFiles(name: string, part: PluginPart = NOTHING): readonly NewFile[] {
  assertName(name, "a plugin");
  const folder = `src/plugins/${name}`;
  const texts = {
    "README.md": pluginReadme(name, part.readme),
    "src/index.ts": index(name, part),
    "src/contract.ts": contract(name),
    "src/config.ts": config(name),
    "src/errors.ts": errors(name),
    "src/services/greetings.ts": service(name),
    "src/controllers/greetings.ts": controller(),
    "src/routes.ts": routes(name, part),
    [`src/${name}.test.ts`]: pluginTest(name),
  };
  return [
    jsonFile(`${folder}/package.json`, manifest(name, part)),
    jsonFile(`${folder}/tsconfig.json`, TSCONFIG),
    ...Object.entries(texts).map(([path, text]) => ({ path: `${folder}/${path}`, text })),
  ];
}

/** Versions of what a new plugin is made with; those of the app are the same. */
const manifest = (name: string, part: PluginPart) => ({
  name: `plinth-plugin-${name}`,
  version: "0.1.0",
  description: "Greets by name.",
  type: "module",
  engines: { node: ">=20.19" },
  exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
  files: ["dist", "!dist/**/*.test.*"],
  scripts: { build: "tsc", prepack: "npm run build", test: "mocha", ...part.scripts },
  mocha: { "node-option": ["import=tsx"], spec: "src/**/*.test.ts", timeout: 60_000 },
  peerDependencies: { "@plinth/core": `^${coreVersion()}`, ...part.peerDependencies },
  ...(part.peerDependenciesMeta ? { peerDependenciesMeta: part.peerDependenciesMeta } : {}),
  devDependencies: {
    "@plinth/core": `^${coreVersion()}`,
    "@plinth/test-kit": `^${coreVersion()}`,
    "@types/chai": "^5.2.3",
    "@types/mocha": "^10.0.10",
    "@types/node": "^20.19.0",
    chai: "^6.3.0",
    mocha: "^12.0.3",
    tsx: "^4.23.15",
    typescript: "^7.0.2",
    ...part.devDependencies,
  },
});

const TSCONFIG = {
  compilerOptions: {
    target: "ES2023",
    lib: ["ES2023"],
    module: "NodeNext",
    moduleResolution: "NodeNext",
    types: ["node", "mocha"],
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    declaration: true,
    rootDir: "src",
    outDir: "dist",
  },
  include: ["src"],
};

const index = (
  name: string,
  part: PluginPart,
) => `${part.imports}import { definePlugin, implement } from "@plinth/core";
${part.packages}import { config, type ${pascalCase(name)}Config } from "./config.js";
import { greetings } from "./contract.js";
import { greetingsController } from "./controllers/greetings.js";
import { ${part.routes.join(", ")} } from "./routes.js";
import { createGreetings } from "./services/greetings.js";

export type { ${pascalCase(name)}Config } from "./config.js";
export type { Greetings } from "./contract.js";
export { greetings } from "./contract.js";

/** Everything that the plugin is; what is not named here is not there. */
export const ${camelCase(name)}Plugin = definePlugin<${pascalCase(name)}Config>({
  name: "${name}",
  config,
  services: [implement(greetings, { create: (_deps, context) => createGreetings(context) })],
  controllers: { greetings: greetingsController },
  routes,
${part.register}});

export default ${camelCase(name)}Plugin;
`;

const contract = (name: string) => `import { type ServiceRef, serviceRef } from "@plinth/core";
import type { ${pascalCase(name)}Config } from "./config.js";

/** Greets by name. */
export interface Greetings {
  /** @throws ${constantOf(name)}_NAMELESS (400) for an empty name */
  greet(name: string): string;
}

/** What others use: \`service(greetings)\`, or \`app.service("plugin::${name}.greetings")\`; \`wrap(greetings, ...)\` changes it. */
export const greetings: ServiceRef<Greetings> = serviceRef<Greetings>("plugin::${name}.greetings");

declare module "@plinth/core" {
  interface Services {
    "plugin::${name}.greetings": Greetings;
  }
  interface PluginConfigs {
    "${name}": ${pascalCase(name)}Config;
  }
}
`;

const config = (name: string) => `import { option, options, type OptionsOf, text } from "@plinth/core/options";

/** What \`config\` of the plugin may hold in config/plugins: what is wrong stops the start, with a message for each key. */
export const config = options({
  greeting: option(text("Hello"), "What stands before the name.", "Hello"),
});

/** The plugin's part of config/plugins, complete. */
export type ${pascalCase(name)}Config = OptionsOf<typeof config>;
`;

const errors = (name: string) => `import { createError } from "@plinth/core";

/** The name is empty. */
export const NamelessError = createError<{ name: string }>(
  "${constantOf(name)}_NAMELESS",
  400,
  ({ name }) => \`"\${name}" is not a name; write one.\`,
  { cause: "A greeting was asked for an empty name.", remedy: "Send a name of at least one letter." },
);
`;

const service = (name: string) => `import type { ServiceContext } from "@plinth/core";
import type { ${pascalCase(name)}Config } from "../config.js";
import type { Greetings } from "../contract.js";
import { NamelessError } from "../errors.js";

/** Made once, when it is first used. */
export function createGreetings({ config }: ServiceContext<${pascalCase(name)}Config>): Greetings {
  return {
    greet(name) {
      if (name.trim() === "") throw new NamelessError({ name });
      return \`\${config.greeting}, \${name}!\`;
    },
  };
}
`;

const controller = () => `import type { ControllerFactory } from "@plinth/core";
import { greetings } from "../contract.js";

/** A route names an action as \`greetings.greet\`. */
export const greetingsController: ControllerFactory = ({ app }) => ({
  greet: ({ params }) => ({ data: { text: app.service(greetings).greet(params["name"] ?? "") } }),
});
`;

const routes = (name: string, part: PluginPart) => `import type { Route } from "@plinth/core";
${part.routesImports}
/**
 * Behind the REST prefix and the plugin's name: GET /api/${name}/greetings/:name. Every caller may; without \`auth:
 * false\`, only whom \`plugin::${name}.greetings.greet\` is granted, in config/permissions or to a token.
 */
export const routes: readonly Route[] = [
  { method: "GET", path: "/greetings/:name", handler: "greetings.greet", config: { auth: false } },
];
${part.moreRoutes}`;

/** What codes of errors begin with: the plugin's name in capitals. */
function constantOf(name: string): `PLINTH_${string}` {
  return `PLINTH_${name.replaceAll("-", "_").toUpperCase()}`;
}
