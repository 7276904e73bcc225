import { existsSync } from "node:fs";
import { join } from "node:path";
import type { LoadedVersion } from "../../documents/load/loaded-version.js";
import type { App } from "../../kernel/app.js";
import { FILES, PEOPLE, placeOf, SETTINGS } from "./archive-format.js";
import type { CheckedArchive } from "./check-archive.js";
import { fileStoreOf, isFileKey } from "./file-store.js";
import type { ImportedType, ImportOptions } from "./import-options.js";
import { checkRows, importRows } from "./import-rows.js";
import { CONTENT_PART } from "./open-archive.js";
import { readVersions } from "./read-versions.js";

/** How many versions one transaction writes: few enough for a run that is ended to lose little. */
const BATCH = 200;
/** How many characters, at most and with the last version: what is written is in memory several times. */
const BATCH_LENGTH = 1024 ** 2;

/** Authors of content: they say of each other who made them, and a transaction knows those of its own. */
const AUTHORS = 10_000;

/**
 * Writes an archive that was checked. Versions of a transaction come with their links, and links name documents by ids
 * that need not be there yet, so a run that was ended goes on when it is run again.
 *
 * @throws PLINTH_ARCHIVE_DAMAGED (500) for a line of a plugin's rows that it does not take; nothing was written then
 */
export function importArchive(
  app: App,
  archive: CheckedArchive,
  options: ImportOptions,
): Promise<readonly ImportedType[]> {
  return new Import(app, archive, options).run();
}

class Import {
  readonly #results = new Map<string, ImportedType>();
  #done = 0;

  constructor(
    private readonly app: App,
    private readonly archive: CheckedArchive,
    private readonly options: ImportOptions,
  ) {}

  async run(): Promise<readonly ImportedType[]> {
    await checkRows(this.app, this.archive);
    if (!this.options.isDryRun) await this.#reserve();
    for (const part of this.#inOrder()) await this.#part(part);
    return [...this.#results.values(), ...(await importRows(this.app, this.archive, this.options))];
  }

  /** New documents and components must not get the ids of those to come. */
  async #reserve(): Promise<void> {
    const { totals, highestComponent } = this.archive;
    for (const [uid, { highestId }] of totals) await this.app.loader.reserveIds(uid, highestId);
    if (highestComponent > 0) await this.app.loader.reserveComponentIds(highestComponent);
  }

  /** People before what they wrote, and files before what shows them. */
  #inOrder(): readonly string[] {
    const stores = this.app.registry("file-store");
    const rank = (part: string): number => {
      if (part === PEOPLE) return 0;
      if (part === SETTINGS) return 1;
      return stores.has(CONTENT_PART.exec(part)?.[1] ?? "") ? 2 : 3;
    };
    return [...this.archive.parts].sort((one, other) => rank(one) - rank(other));
  }

  async #part(part: string): Promise<void> {
    let waiting: LoadedVersion[] = [];
    let [of, size] = ["", 0];
    for await (const { uid, version, length } of readVersions(this.archive, part)) {
      if (uid !== of || this.#isFull(uid, waiting.length, size)) {
        await this.#write(of, waiting);
        [waiting, size] = [[], 0];
      }
      of = uid;
      waiting.push(version);
      size += length;
    }
    await this.#write(of, waiting);
  }

  #isFull(uid: string, count: number, size: number): boolean {
    return uid === this.app.model.authorType ? count >= AUTHORS : count >= BATCH || size >= BATCH_LENGTH;
  }

  async #write(uid: string, versions: readonly LoadedVersion[]): Promise<void> {
    if (versions.length === 0) return;
    const { loader } = this.app;
    const { onConflict, isDryRun, signal } = this.options;
    signal?.throwIfAborted();
    const result = this.#results.get(uid) ?? { uid, versions: 0, written: 0, present: 0, refused: [] };
    this.#results.set(uid, result);
    result.versions += versions.length;
    const adopted = isDryRun ? [] : await this.#adopt(uid, versions);
    const missing = await loader.missing(uid, versions, onConflict);
    const wanted = [...new Set([...missing, ...adopted])];
    if (isDryRun) result.written += missing.length;
    else {
      const kept = await this.#withBytes(uid, wanted);
      const { written, refused } = await loader.load(uid, kept, adopted.length > 0 ? "overwrite" : onConflict);
      result.written += written;
      result.refused.push(...refused.map(({ version }) => version.documentId));
    }
    result.present += versions.length - wanted.length;
    this.#done += versions.length;
    this.options.say(`versions: ${this.#done} of ${this.#total}`);
  }

  get #total(): number {
    return [...this.archive.totals.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** What an app makes at its first start, such as the role `public`, is what the archive calls so. */
  async #adopt(uid: string, versions: readonly LoadedVersion[]): Promise<readonly LoadedVersion[]> {
    const type = this.app.model.contentTypes.get(uid);
    const { key } = placeOf(type ?? { options: {} });
    return key.length === 0 ? [] : this.app.loader.adopt(uid, key, versions);
  }

  async #withBytes(uid: string, versions: readonly LoadedVersion[]): Promise<readonly LoadedVersion[]> {
    const store = fileStoreOf(this.app, uid);
    if (!store || this.options.withFiles === false) return versions;
    const pathOf = (key: string): string | undefined => {
      const path = join(this.archive.folder, `${FILES}${key}`);
      return isFileKey(key) && existsSync(path) ? path : undefined;
    };
    const kept: LoadedVersion[] = [];
    for (const version of versions)
      kept.push({ ...version, values: await store.keep(this.app, version.values, pathOf) });
    return kept;
  }
}
