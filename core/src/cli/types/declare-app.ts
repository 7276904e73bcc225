import type { ContentModel } from "../../schema/model.js";
import { declareInterface, declareShapes, keyOf, type Member } from "./declare-shapes.js";

/** What the compiler is to know of an app. */
export interface AppFacts {
  readonly model: ContentModel;
  /** Every action that can be granted. */
  readonly actions: Iterable<string>;
  /** Names of the TypeScript files of `config/`, without their ending. */
  readonly configFiles: readonly string[];
  /** Uid -> TypeScript file of a service, from the project's folder and without its ending: `src/services/prices`. */
  readonly serviceFiles: Readonly<Record<string, string>>;
  /** Packages of plugins, whose own declarations count as well: services, configuration. */
  readonly packages: readonly string[];
}

const HEAD = `// Written by \`plinth develop\` and \`plinth types\` from the content-types, routes and configuration of this app.
// Changes made here are lost.`;

/**
 * Writes `types/generated.d.ts`: the same text for the same app, in whichever order its parts were found.
 *
 * @returns TypeScript, with one `declare module "@plinth/core"`.
 */
export function declareApp({ model, actions, configFiles, serviceFiles, packages }: AppFacts): string {
  const imports = [...new Set(packages)].sort().map((name) => `import type {} from "${name}";`);
  const merged = [
    ...declareShapes(model),
    ...declareInterface("Actions", [...actions].filter((action) => !isOfType(model, action)).map(declareAction)),
    ...declareInterface("AppConfig", configFiles.map(declareConfig)),
    ...declareInterface("ServiceFiles", Object.entries(serviceFiles).map(declareService)),
  ];
  return [
    HEAD,
    importOf([
      ...(configFiles.length > 0 ? ["ConfigOf"] : []),
      ...(Object.keys(serviceFiles).length > 0 ? ["MadeBy"] : []),
    ]),
    ...imports,
    "",
    'declare module "@plinth/core" {',
    ...merged,
    "}",
    "",
  ].join("\n");
}

/** Without a name, it still makes a module of the file, whose `declare module` adds to the package. */
function importOf(names: readonly string[]): string {
  return names.length === 0
    ? 'import type {} from "@plinth/core";'
    : `import type { ${names.join(", ")} } from "@plinth/core";`;
}

/** These are generated from the content-types. */
function isOfType({ contentTypes }: ContentModel, action: string): boolean {
  return contentTypes.has(action.slice(0, action.lastIndexOf(".")));
}

function declareAction(action: string): Member {
  return { key: action, lines: [`    ${JSON.stringify(action)}: true;`] };
}

function declareService([uid, file]: readonly [string, string]): Member {
  return { key: uid, lines: [`    ${JSON.stringify(uid)}: MadeBy<typeof import("../${file}.js").default>;`] };
}

function declareConfig(name: string): Member {
  return { key: name, lines: [`    ${keyOf(name)}: ConfigOf<typeof import("../config/${name}.js").default>;`] };
}
