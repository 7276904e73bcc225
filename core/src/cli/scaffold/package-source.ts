import { existsSync, readdirSync } from "node:fs";
import { cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { withTemporaryFolder } from "../../app/temporary-folder.js";
import { CORE_FOLDER } from "../core-package.js";
import { PackFailedError } from "../errors.js";
import { runNpm } from "./run-npm.js";

/** Folder of a new app that holds Plinth's packages where no registry has them. */
export const VENDOR = "vendor";

/** Where the packages of a new app come from. */
export type PackageSource =
  | { readonly kind: "registry" }
  /** The folder of a clone, whose packages are packed. */
  | { readonly kind: "checkout"; readonly folder: string }
  /** The `vendor` folder of the app that this package is installed in. */
  | { readonly kind: "vendor"; readonly folder: string };

/** Finds out where this package itself comes from: a new app gets its packages from there. */
export async function findPackageSource(coreFolder = CORE_FOLDER): Promise<PackageSource> {
  const checkout = join(coreFolder, "..");
  if (existsSync(join(checkout, "app-template", "package.json"))) return { kind: "checkout", folder: checkout };
  // <app>/node_modules/@plinth/core
  const app = join(coreFolder, "..", "..", "..");
  const manifest = join(app, "package.json");
  if (!existsSync(manifest)) return { kind: "registry" };
  const { dependencies = {} } = JSON.parse(await readFile(manifest, "utf8")) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return dependencies["@plinth/core"]?.startsWith(`file:${VENDOR}/`)
    ? { kind: "vendor", folder: join(app, VENDOR) }
    : { kind: "registry" };
}

/**
 * Puts Plinth's packages into the `vendor` folder of a new app, unless they come from a registry.
 *
 * @returns the names of the tarballs, such as `plinth-core-0.1.0.tgz`; none where the registry has them.
 * @throws PLINTH_CLI_PACK_FAILED
 */
export async function vendorPackages(source: PackageSource, directory: string): Promise<readonly string[]> {
  if (source.kind === "registry") return [];
  const vendor = join(directory, VENDOR);
  if (source.kind === "vendor") await cp(source.folder, vendor, { recursive: true });
  else await packCheckout(source.folder, vendor);
  return readdirSync(vendor).filter((file) => file.endsWith(".tgz"));
}

/** Packs beside the app first, so that a failure leaves nothing in it. */
function packCheckout(checkout: string, vendor: string): Promise<void> {
  return withTemporaryFolder("packages", async (packed) => {
    const args = [
      "pack",
      "--workspace=core",
      "--workspace=plugins",
      "--loglevel=error",
      `--pack-destination=${packed}`,
    ];
    const { exitCode, output } = await runNpm(args, { cwd: checkout, isShown: false });
    if (exitCode !== 0) throw new PackFailedError({ checkout, exitCode, output });
    // The folder itself: a temporary one is readable by its owner only.
    await mkdir(vendor, { recursive: true });
    await cp(packed, vendor, { recursive: true });
  });
}
