import type { ContentModel } from "../../schema/model.js";
import { declareInterface, declareShapes, keyOf, type Member } from "./declare-shapes.js";

/** What the compiler is to know of an app. */
export interface AppFacts {
  readonly model: ContentModel;
  /** Every action that can be granted. */
  readonly actions: Iterable<string>;
  /** Names of the TypeScript files of `config/`, without their ending. */
  readonly configFiles: readonly string[];
  /** Packages of plugins, whose own declarations count as well: services, configuration. */
  readonly packages: readonly string[];
}

const HEAD = `// Written by \`plinth develop\` and \`plinth types\` from the content-types, routes and configuration of this app.
// Changes made here are lost.`;

/**
 * Writes `types/generated.d.ts`: the same text for the same app, whatever the order in which its parts were found.
 *
 * @returns TypeScript, with one `declare module "@plinth/core"`.
 */
export function declareApp({ model, actions, configFiles, packages }: AppFacts): string {
  const imports = [...new Set(packages)].sort().map((name) => `import type {} from "${name}";`);
  const merged = [
    ...declareShapes(model),
    ...declareInterface("Actions", [...actions].filter((action) => !isOfType(model, action)).map(declareAction)),
    ...declareInterface("AppConfig", configFiles.map(declareConfig)),
  ];
  return [
    HEAD,
    'import type { ConfigOf } from "@plinth/core";',
    ...imports,
    "",
    'declare module "@plinth/core" {',
    ...merged,
    "}",
    "",
  ].join("\n");
}

/** The compiler makes these up from the content-types. */
function isOfType({ contentTypes }: ContentModel, action: string): boolean {
  return contentTypes.has(action.slice(0, action.lastIndexOf(".")));
}

function declareAction(action: string): Member {
  return { key: action, lines: [`    ${JSON.stringify(action)}: true;`] };
}

function declareConfig(name: string): Member {
  return { key: name, lines: [`    ${keyOf(name)}: ConfigOf<typeof import("../config/${name}.js").default>;`] };
}
