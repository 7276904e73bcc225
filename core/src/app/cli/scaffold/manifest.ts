/** The fields of a package.json that a new app's is made from. */
export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The template's package.json for a new app: its name, and its Plinth packages from the registry or from a checkout. */
export function buildManifest<M extends Manifest>(template: M, name: string, checkout: string | undefined): M {
  const dependencies = Object.entries(template.dependencies ?? {}).map(([id, version]) => [
    id,
    checkout === undefined ? version : linkTo(id, version, checkout),
  ]);
  return { ...template, name, dependencies: Object.fromEntries(dependencies) as Record<string, string> };
}

/** `@plinth/plugin-x` lives in plugins/x; packages of others come from the registry. */
function linkTo(id: string, version: string, checkout: string): string {
  const [, plugin] = /^@plinth\/plugin-(.+)$/.exec(id) ?? [];
  if (plugin !== undefined) return `file:${checkout}/plugins/${plugin}`;
  return id === "@plinth/core" ? `file:${checkout}/core` : version;
}

/** The template's tsconfig.json without what only a workspace needs. */
export function buildTsconfig(
  template: { readonly compilerOptions: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>,
): object {
  const { references: _, ...tsconfig } = template;
  const { composite: _composite, tsBuildInfoFile: _file, ...compilerOptions } = template.compilerOptions;
  return { ...tsconfig, compilerOptions };
}
