/** The fields of a package.json that a new app's is made from. */
export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The template's package.json for a new app: its name, and its Plinth packages from the registry or from a checkout. */
export function buildManifest<M extends Manifest>(template: M, name: string, checkout: string | undefined): M {
  if (checkout === undefined) return { ...template, name };
  return {
    ...template,
    name,
    dependencies: linkAll(template.dependencies, checkout),
    devDependencies: linkAll(template.devDependencies, checkout),
  };
}

function linkAll(dependencies: Manifest["dependencies"] = {}, checkout: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dependencies).map(([id, version]) => [id, linkTo(id, version, checkout)] as const),
  );
}

/** `@plinth/plugin-x` lives in plugins/x, and so does the test kit; packages of others come from the registry. */
function linkTo(id: string, version: string, checkout: string): string {
  if (id === "@plinth/core") return `file:${checkout}/core`;
  const [, plugin] = /^@plinth\/(?:plugin-)?(.+)$/.exec(id) ?? [];
  return plugin === undefined ? version : `file:${checkout}/plugins/${plugin}`;
}

/** The template's tsconfig.json without what only a workspace needs. */
export function buildTsconfig(
  template: { readonly compilerOptions: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>,
): object {
  const { references: _, ...tsconfig } = template;
  const { composite: _composite, tsBuildInfoFile: _file, ...compilerOptions } = template.compilerOptions;
  return { ...tsconfig, compilerOptions };
}
