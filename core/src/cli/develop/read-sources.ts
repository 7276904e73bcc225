import { register } from "node:module";
import { pathToFileURL } from "node:url";
import type { AppSetup } from "../../app/app-setup.js";
import { loadSetup, understandTypeScript } from "../load-setup.js";
import type { SourceVersions } from "./source-version-hook.js";

/**
 * Makes what reads a project's sources again and again in one process, each time as they are then.
 *
 * @returns a function that reads them; it throws what loading throws
 */
export async function createSourceReader(root: string): Promise<() => Promise<AppSetup>> {
  const versions: SourceVersions = {
    folder: `${pathToFileURL(root).href}/`,
    latest: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
  // Hooks run from the last to the first, and this one needs to know which file TypeScript's picked.
  await understandTypeScript(root);
  register(import.meta.resolve("./source-version-hook.js"), { data: versions });
  return () => {
    Atomics.add(versions.latest, 0, 1);
    return loadSetup(root, "sources");
  };
}
