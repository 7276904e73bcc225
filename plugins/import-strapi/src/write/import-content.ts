import type { LoadedVersion, LoadResult } from "@plinth/core";
import type { ContentModel } from "@plinth/core/schema";
import type { EntryConverter } from "../convert/convert-entry.js";
import { type ExportedEntry, STRAPI, type StrapiExport } from "../source/export-format.js";
import type { ExportIndex } from "../source/export-index.js";
import { type Grants, tokenEntries } from "./import-people.js";
import type { Issues } from "../issues.js";
import type { Progress } from "../progress.js";

/** How many versions one transaction writes: few enough for a run that is ended to lose little. */
const BATCH = 200;

/** What became of the entries of one content-type. */
export interface TypeResult {
  readonly uid: string;
  /** How many the export has. */
  entries: number;
  written: number;
  /** Were there before. */
  present: number;
}

/** The target of versions: the loader of an app, or none. */
export type Sink = (uid: string, versions: readonly LoadedVersion[], highestComponent: number) => Promise<LoadResult>;

/** What the entries of an export are written with. */
export interface ContentContext {
  readonly model: ContentModel;
  readonly index: ExportIndex;
  readonly converter: EntryConverter;
  readonly grants: Grants;
  readonly issues: Issues;
  readonly progress: Progress;
  readonly sink: Sink;
  /** What the progress is called: `entries`. */
  readonly step: string;
}

/** Writes the entries of an export in batches, each with its links in one transaction. */
export class ContentImport {
  readonly #waiting = new Map<string, LoadedVersion[]>();
  readonly #results = new Map<string, TypeResult>();

  constructor(private readonly context: ContentContext) {}

  async run(source: StrapiExport): Promise<readonly TypeResult[]> {
    const { index, progress } = this.context;
    progress.begin(
      this.context.step,
      [...index.totals.values()].reduce((sum, count) => sum + count, 0),
    );
    for await (const entry of source.lines("entities")) await this.#take(entry);
    for (const token of tokenEntries(index)) await this.#take(token);
    for (const uid of [...this.#waiting.keys()]) await this.#flush(uid);
    progress.end();
    return [...this.#results.values()];
  }

  async #take(entry: ExportedEntry): Promise<void> {
    const { model, converter, index, progress } = this.context;
    progress.step();
    const type = model.contentTypes.get(entry.type);
    if (!type) return this.#reportType(entry.type);
    if (entry.type === STRAPI.locale) return;
    const result = this.#resultOf(entry.type);
    result.entries += 1;
    if (index.substitutes.has(String(entry.data["documentId"]))) {
      result.present += 1;
      return;
    }
    const version = converter.convert(type, entry);
    if (!version || !this.#isWanted(entry.type, version, result)) return;
    const waiting = this.#waiting.get(entry.type) ?? [];
    this.#waiting.set(entry.type, [...waiting, version]);
    if (waiting.length + 1 >= BATCH) await this.#flush(entry.type);
  }

  #reportType(uid: string): void {
    const plugin = /^plugin::([^.]+)\./.exec(uid)?.[1];
    const reason = plugin === undefined ? "such content-type" : `plugin "${plugin}"`;
    const isElsewhere = uid === STRAPI.token || uid === STRAPI.tokenPermission || uid === STRAPI.locale;
    if (!isElsewhere) this.context.issues.add(uid, `entries are left out: this app has no ${reason}`);
  }

  #isWanted(uid: string, version: LoadedVersion, result: TypeResult): boolean {
    if (uid !== STRAPI.permission) return true;
    const verdict = this.context.grants.accepts(version, this.context.issues);
    if (verdict === "present") result.present += 1;
    return verdict === "write";
  }

  async #flush(uid: string): Promise<void> {
    const versions = this.#waiting.get(uid) ?? [];
    this.#waiting.delete(uid);
    const { written, present, refused } = await this.context.sink(
      uid,
      versions,
      this.context.converter.highestComponent,
    );
    const result = this.#resultOf(uid);
    result.written += written;
    result.present += present;
    for (const { version, taken } of refused)
      this.context.issues.add(
        uid,
        `entries are left out: another document of this app has their ${taken.join(", ") || "place"}`,
        version.documentId,
      );
  }

  #resultOf(uid: string): TypeResult {
    const result = this.#results.get(uid) ?? { uid, entries: 0, written: 0, present: 0 };
    this.#results.set(uid, result);
    return result;
  }
}
