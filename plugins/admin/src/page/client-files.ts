import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PageNotBuiltError } from "../errors.js";

/** Where the build puts the page. */
const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve("@plinth/plugin-admin/package.json")),
  "dist",
  "client",
);

/** One file of the page, as browsers may take it. */
export interface ClientFile {
  readonly type: string;
  /** Encodings that are there beside the plain file: `br`, `gzip`. */
  readonly encodings: readonly ("br" | "gzip")[];
}

/** What a script needs before it runs. */
export interface ClientEntry {
  /** Name of the file. */
  readonly file: string;
  /** Scripts that it imports, however deep. */
  readonly imports: readonly string[];
  readonly styles: readonly string[];
}

/** The built page. @source plugins/admin/client/describe-build.ts, which writes it */
export interface ClientFiles {
  /** `main`, and the modules that extensions import. */
  readonly entries: Readonly<Record<"main" | "react" | "react-dom" | "jsx-runtime" | "extend", ClientEntry>>;
  /** By name; a name holds a hash of the content. */
  readonly files: Readonly<Record<string, ClientFile>>;
}

/** Reads what was built. @throws PLINTH_ADMIN_PAGE_NOT_BUILT (500) */
export function readClientFiles(folder: string = FOLDER): ClientFiles {
  try {
    return JSON.parse(readFileSync(join(folder, "page.json"), "utf8")) as ClientFiles;
  } catch (error) {
    throw new PageNotBuiltError({ folder }, { cause: error });
  }
}

/** Path of a file of the page on disk, in one of its encodings. */
export function pathOfFile(name: string, encoding?: string): string {
  const ending = encoding === undefined ? "" : `.${encoding === "gzip" ? "gz" : encoding}`;
  return join(FOLDER, name + ending);
}
