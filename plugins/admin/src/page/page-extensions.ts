import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AdminExtensions, PageActions, PageExtension } from "../contract.js";
import { ExtensionExistsError, ExtensionUnreadableError } from "../errors.js";
import type { ExtensionView } from "../wire/page.js";

/** An added module with its text. */
interface LoadedExtension {
  readonly file: string;
  readonly text: Buffer;
}

const HASH_LENGTH = 10;

/** The modules that plugins and the app add to the page. They are read at the start, so that a missing one stops it. */
export class PageExtensions implements AdminExtensions {
  readonly #added = new Map<string, LoadedExtension>();
  readonly #actions = new Map<string, string>();
  readonly #origins: (() => Promise<readonly string[]>)[] = [];

  add(name: string, { module }: PageExtension): void {
    this.addText(name, readModule(name, fileURLToPath(module)));
  }

  /** Adds the text of a module. @throws PLINTH_ADMIN_EXTENSION_EXISTS */
  addText(name: string, content: Uint8Array): void {
    if (this.#added.has(name)) throw new ExtensionExistsError({ name });
    const text = Buffer.from(content);
    const hash = createHash("sha256").update(text).digest("base64url").slice(0, HASH_LENGTH);
    this.#added.set(name, { file: `${name}-${hash}.js`, text });
  }

  actions(actions: PageActions): void {
    for (const [action, what] of Object.entries(actions)) this.#actions.set(action, what);
  }

  mediaOrigins(origins: () => Promise<readonly string[]>): void {
    this.#origins.push(origins);
  }

  /** All that were added. @throws what one of them throws */
  async listOrigins(): Promise<readonly string[]> {
    return (await Promise.all(this.#origins.map((origins) => origins()))).flat();
  }

  /** The actions that were declared, each with what it lets do. */
  listActions(): PageActions {
    return Object.fromEntries(this.#actions);
  }

  /** In the order in which they were added. */
  list(): readonly ExtensionView[] {
    return [...this.#added].map(([name, { file }]) => ({ name, url: `/admin/extensions/${file}` }));
  }

  /** The text of a module by its file's name. */
  find(file: string): Buffer | undefined {
    return [...this.#added.values()].find((extension) => extension.file === file)?.text;
  }
}

function readModule(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExtensionUnreadableError({ name, file, reason }, { cause: error });
  }
}
