import { randomBytes } from "node:crypto";
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

const secret = (bytes: number): string => randomBytes(bytes).toString("hex");

/** The `.env` of a new app, with secrets that no other app has. */
export function buildEnvFile(): string {
  return envFile("# Read at every start; a variable that is set in the environment wins.", secret);
}

/** The `.env.example` of a new app: the same variables, to be committed, and copied by others who work on the app. */
export function buildEnvExample(): string {
  return envFile(
    `# Copy this file to .env, and write a secret behind each empty "=":
# node -p 'crypto.randomBytes(32).toString("hex")'`,
    () => "",
  );
}

function envFile(head: string, secretOf: (bytes: number) => string): string {
  return `${head}
HOST=127.0.0.1
PORT=1337
# Requests with "Authorization: Bearer <this>" may write; see config/access.ts.
PLINTH_TOKEN=${secretOf(24)}
# PostgreSQL instead of the embedded database:
# DATABASE_URL=postgres://user:password@127.0.0.1:5432/app
# API_TOKEN_SALT hashes API tokens, the other two sign logins. To replace one, write "new,old": the first signs, all are believed.
API_TOKEN_SALT=${secretOf(32)}
ADMIN_JWT_SECRET=${secretOf(32)}
JWT_SECRET=${secretOf(32)}
# Of compose.yaml: its PostgreSQL, and its storage for files.
POSTGRES_PASSWORD=${secretOf(24)}
STORAGE_PASSWORD=${secretOf(24)}
`;
}

/** What a new app's README depends on. */
export interface ReadmeOptions {
  readonly name: string;
  readonly isEmpty: boolean;
  /** Whether Plinth's packages lie in `vendor/`. */
  readonly isVendored: boolean;
}

/**
 * The README of a new app, from that of the template: parts between `<!-- sample -->`, `<!-- empty -->` or
 * `<!-- vendor -->` and `<!-- end -->` are for some apps only.
 */
export function buildReadme(template: string, { name, isEmpty, isVendored }: ReadmeOptions): string {
  const isKept: Readonly<Record<string, boolean>> = { sample: !isEmpty, empty: isEmpty, vendor: isVendored };
  return template
    .replace(/^# .*/, `# ${name}`)
    .replace(/^<!-- (sample|empty|vendor) -->\n([\s\S]*?)^<!-- end -->\n/gm, (_, part: string, text: string) =>
      isKept[part] ? text : "",
    );
}
