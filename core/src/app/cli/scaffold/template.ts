import { existsSync } from "node:fs";
import { join } from "node:path";
import { CORE_FOLDER } from "../core-package.js";

/** What a new app is copied from. */
export interface Template {
  readonly folder: string;
  /** The checkout that this package runs from; undefined where it is installed from a registry. */
  readonly checkout: string | undefined;
}

/** A published package carries the template in dist/template; in a checkout it is the sample app itself. */
export function findTemplate(): Template {
  const checkout = join(CORE_FOLDER, "..");
  const sample = join(checkout, "app-template");
  return existsSync(join(sample, "package.json"))
    ? { folder: sample, checkout }
    : { folder: join(CORE_FOLDER, "dist", "template"), checkout: undefined };
}
