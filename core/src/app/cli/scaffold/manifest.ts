import { VENDOR } from "./package-source.js";

/** The fields of a package.json that a new app's is made from. */
export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * The template's package.json for a new app: its name, and its Plinth packages from the registry or from tarballs.
 *
 * @param tarballs - names of the files in the app's `vendor` folder, such as `plinth-core-0.1.0.tgz`; none: the registry.
 */
export function buildManifest<M extends Manifest>(template: M, name: string, tarballs: readonly string[]): M {
  return {
    ...template,
    name,
    dependencies: takeFrom(tarballs, template.dependencies),
    devDependencies: takeFrom(tarballs, template.devDependencies),
  };
}

/** Packages that have a tarball come from it, at the same version; the others from the registry. */
function takeFrom(tarballs: readonly string[], dependencies: Manifest["dependencies"] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(dependencies).map(([id, version]) => {
      const tarball = tarballNameOf(id, version);
      return [id, tarballs.includes(tarball) ? `file:${VENDOR}/${tarball}` : version];
    }),
  );
}

/** As npm names the tarball of a package: `@plinth/core` at 0.1.0 is `plinth-core-0.1.0.tgz`. */
const tarballNameOf = (id: string, version: string): string =>
  `${id.replace("@", "").replace("/", "-")}-${version}.tgz`;

/** The template's tsconfig.json without what only a workspace needs. */
export function buildTsconfig(
  template: { readonly compilerOptions: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>,
): object {
  const { references: _, ...tsconfig } = template;
  const { composite: _composite, tsBuildInfoFile: _file, ...compilerOptions } = template.compilerOptions;
  return { ...tsconfig, compilerOptions };
}
