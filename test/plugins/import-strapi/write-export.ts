import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { configuration, entities, type Line, links, PIXEL, schemas } from "./export-content.js";

/** What an export holds; what is not named is that of export-content.ts. */
export interface ExportContent {
  readonly version?: string;
  readonly schemas?: readonly Line[];
  readonly entities?: readonly Line[];
  readonly links?: readonly Line[];
  readonly configuration?: readonly Line[];
  /** By key. */
  readonly assets?: Readonly<Record<string, Buffer>>;
}

const made: string[] = [];
process.once("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** Writes an export as it lies in its archive, and gives its folder. */
export function writeExportFolder(content: ExportContent = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "plinth-export-"));
  made.push(folder);
  const lines = (list: readonly Line[]) => `${list.map((line) => JSON.stringify(line)).join("\n")}\n`;
  const pictures = { "picture_1a2b3c4d5e.png": PIXEL, "thumbnail_picture_1a2b3c4d5e.png": PIXEL };
  const assets = Object.entries(content.assets ?? pictures);
  const files: Readonly<Record<string, string | Buffer>> = {
    "metadata.json": JSON.stringify({ strapi: { version: content.version ?? "5.54.0" } }),
    "schemas/schemas_00001.jsonl": lines(content.schemas ?? schemas),
    "entities/entities_00001.jsonl": lines(content.entities ?? entities),
    "links/links_00001.jsonl": lines(content.links ?? links),
    "configuration/configuration_00001.jsonl": lines(content.configuration ?? configuration),
    ...Object.fromEntries(assets.map(([key, bytes]) => [`assets/uploads/${key}`, bytes])),
    ...Object.fromEntries(assets.map(([key]) => [`assets/metadata/${key}.json`, "{}"])),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Writes an export as `strapi export --no-encrypt` does, and gives its file. */
export function writeExport(content: ExportContent = {}): string {
  const folder = writeExportFolder(content);
  const file = `${folder}.tar.gz`;
  made.push(file);
  execFileSync("tar", ["-czf", file, "-C", folder, "."]);
  return file;
}
