import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { packageUrl } from "../../base/package-url.js";

/** Node has it; its types come with those of browsers only. @source https://nodejs.org/api/globals.html#webassembly */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

const PACKAGE = "@electric-sql/pglite";

/** What the threads of all embedded databases of a process share; keys as PGlite names its options. */
export interface EmbeddedLibrary {
  /** URL of the module to import. */
  readonly library: string;
  readonly pgliteWasmModule: object;
  readonly fsBundle: Blob;
}

let loaded: Promise<EmbeddedLibrary> | undefined;

/**
 * Reads and compiles PGlite once in a process. A thread that compiles it for itself takes twice the processor time to open
 * a database (4.2 s and 1.8 s on a busy machine), and V8 forgets the compiled code when the last thread ends.
 */
export function embeddedLibrary(): Promise<EmbeddedLibrary> {
  loaded ??= loadLibrary();
  return loaded;
}

async function loadLibrary(): Promise<EmbeddedLibrary> {
  const read = (name: string) => readFile(fileURLToPath(packageUrl(`${PACKAGE}/${name}`)));
  const [wasm, bundle] = await Promise.all([read("pglite.wasm"), read("pglite.data")]);
  const pgliteWasmModule = await WebAssembly.compile(new Uint8Array(wasm));
  return { library: packageUrl(PACKAGE), pgliteWasmModule, fsBundle: new Blob([new Uint8Array(bundle)]) };
}
