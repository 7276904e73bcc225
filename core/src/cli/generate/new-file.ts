import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { kebabCase } from "../../base/case.js";
import { FileExistsError, InvalidNameError } from "../errors.js";

/** A file to be written: its path from the project's folder, with slashes, and its text. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** A JSON file, as an editor would format it. */
export function jsonFile(path: string, content: unknown): NewFile {
  return { path, text: `${JSON.stringify(content, undefined, 2)}\n` };
}

/** Writes all files, or none when one of them exists. @throws PLINTH_CLI_FILE_EXISTS */
export async function writeNewFiles(root: string, files: readonly NewFile[]): Promise<void> {
  const existing = files.filter(({ path }) => existsSync(join(root, path)));
  if (existing.length > 0) throw new FileExistsError({ files: existing.map(({ path }) => path) });
  for (const { path, text } of files) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  }
}

const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** Checks that a name is kebab-case. @throws PLINTH_CLI_INVALID_NAME, suggesting one */
export function assertName(name: string, what: string): string {
  if (KEBAB.test(name)) return name;
  const near = kebabCase(name).replace(/^[^a-z]+/, "");
  throw new InvalidNameError({ name, what, suggestion: KEBAB.test(near) ? near : "article" });
}

/** Takes a component's name apart: `shared.seo`. @throws PLINTH_CLI_INVALID_NAME */
export function parseComponentName(name: string): { readonly category: string; readonly component: string } {
  const [category = "", component = "", ...rest] = name.split(".");
  if (KEBAB.test(category) && KEBAB.test(component) && rest.length === 0) return { category, component };
  const words = name.split(".").map((word) => kebabCase(word));
  const suggestion =
    words.length === 2 && words.every((word) => KEBAB.test(word)) ? words.join(".") : `shared.${words.join("-")}`;
  throw new InvalidNameError({ name, what: "a component (<category>.<name>)", suggestion });
}

/** The plural of an English noun by the simple rules; --plural says it where they are wrong. */
export function pluralOf(singular: string): string {
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return /(s|x|z|ch|sh)$/.test(singular) ? `${singular}es` : `${singular}s`;
}

/** `call-to-action` for people: `Call to action`. */
export function displayNameOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
