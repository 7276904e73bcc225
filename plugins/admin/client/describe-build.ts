import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

type Bundle = Rolldown.OutputBundle;

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
  json: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
};

/** What a compressed file has to save, as a part of the plain one. */
const WORTH = 0.95;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Compresses each file of the build, and writes `page.json`, by which the server knows them. */
export function describeBuild(): Plugin {
  return {
    name: "describe-build",
    // The last hook: what others replace in the text is replaced by now.
    async writeBundle({ dir = "." }, bundle) {
      const files: Record<string, { type: string; encodings: string[] }> = {};
      for (const name of Object.keys(bundle)) {
        const packed = await compress(await readFile(join(dir, name)));
        files[name] = { type: typeOf(name), encodings: Object.keys(packed) };
        if (packed.br) await writeFile(join(dir, `${name}.br`), packed.br);
        if (packed.gzip) await writeFile(join(dir, `${name}.gz`), packed.gzip);
      }
      await writeFile(join(dir, "page.json"), JSON.stringify({ entries: entriesOf(bundle), files }, undefined, 1));
    },
  };
}

const typeOf = (name: string): string => TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";

async function compress(text: Buffer): Promise<{ br?: Buffer; gzip?: Buffer }> {
  const [br, packed] = await Promise.all([
    brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
    zip(text, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return packed.length < text.length * WORTH ? { br, gzip: packed } : {};
}

function entriesOf(bundle: Bundle): object {
  const chunks = Object.values(bundle).filter(
    (part) => part.type === "chunk" && part.isEntry,
  ) as Rolldown.OutputChunk[];
  return Object.fromEntries(
    chunks.map((chunk) => {
      const imports = importsOf(bundle, chunk);
      const styles = [chunk.fileName, ...imports].flatMap((name) => stylesOf(bundle, name));
      return [chunk.name, { file: chunk.fileName, imports, styles }];
    }),
  );
}

/** What a chunk imports, and what that imports. */
function importsOf(bundle: Bundle, chunk: Rolldown.OutputChunk): readonly string[] {
  const found = new Set<string>();
  const visit = ({ imports }: Rolldown.OutputChunk) => {
    for (const name of imports) {
      const part = bundle[name];
      if (part?.type !== "chunk" || found.has(name)) continue;
      found.add(name);
      visit(part);
    }
  };
  visit(chunk);
  return [...found];
}

function stylesOf(bundle: Bundle, name: string): readonly string[] {
  const { viteMetadata } = bundle[name] as { readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> } };
  return [...(viteMetadata?.importedCss ?? [])];
}
