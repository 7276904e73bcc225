import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable, type Writable } from "node:stream";
import type { Database } from "../../database/driver/database.js";
import type { LoadedVersion } from "../../documents/load/loaded-version.js";
import type { App } from "../../kernel/app.js";
import type { ContentType } from "../../schema/model.js";
import { withTemporaryFolder } from "../temporary-folder.js";
import {
  type ArchivePlace,
  CHECKSUMS,
  FILES,
  FORMAT,
  MANIFEST,
  type Manifest,
  PEOPLE,
  placeOf,
  secretsOf,
  SETTINGS,
} from "./archive-format.js";
import { ArchiveWriter } from "./archive-writer.js";
import { rowsPartOf } from "./archived-rows.js";
import { ArchiveOptionError } from "./errors.js";
import { type ExportMoment, type ExportSource, ISO_NOW, withSource } from "./export-source.js";
import { fileStoreOf, isFileKey } from "./file-store.js";
import { hashOf, shapeOf } from "./model-shape.js";
import { readLines } from "./read-lines.js";

/** Characters of a part of content, after which the next one begins. */
const PART_LENGTH = 64 * 1024 ** 2;
/** Characters that one statement may give, about; what a process keeps in memory. */
const PAGE_LENGTH = 4 * 1024 ** 2;
const [FIRST_PAGE, LARGEST_PAGE] = [20, 1000];

/** What is exported, and how. */
export interface ExportOptions {
  readonly output: Writable;
  /** Of Plinth. */
  readonly version: string;
  /** Uids; undefined for all. */
  readonly types: readonly string[] | undefined;
  /** ISO 8601: only what was changed then or later. */
  readonly since: string | undefined;
  readonly withFiles: boolean;
  readonly withSecrets: boolean;
  /** True: the primary is read, although there are replicas. */
  readonly fromPrimary: boolean;
  readonly say: (line: string) => void;
  /** Ends the work between two pages. */
  readonly signal?: AbortSignal;
}

/** What an archive holds. */
export interface ExportReport {
  readonly versions: number;
  readonly files: number;
  readonly bytes: number;
  /** Keys of files that the storage does not have. */
  readonly missing: readonly string[];
}

/**
 * Writes an archive of an app's content, as it is in one snapshot. The bytes of files are read afterwards, because a
 * storage may be slow, and a long snapshot costs others.
 *
 * @throws PLINTH_ARCHIVE_OPTION_INVALID, PLINTH_ARCHIVE_REPLICA_FAILED (500), and what the output throws
 */
export async function exportArchive(app: App, options: ExportOptions): Promise<ExportReport> {
  return withTemporaryFolder("export", async (folder) => {
    const types = exportedTypes(app, options);
    const writer = new ArchiveWriter(options.output, folder);
    try {
      return await new Export(app, { ...options, types, withRows: options.types === undefined, writer, folder }).run();
    } catch (error) {
      writer.abort(error as Error);
      throw error;
    }
  });
}

function exportedTypes({ model }: App, { types, withSecrets }: ExportOptions): readonly ContentType[] {
  const unknown = types?.find((uid) => !model.contentTypes.has(uid));
  if (unknown !== undefined)
    throw new ArchiveOptionError({ option: "--types", value: unknown, expected: "the uid of a content-type" });
  return [...model.contentTypes.values()].filter((type) => {
    const { part, isSecret } = placeOf(type);
    return part !== "none" && (withSecrets || !isSecret) && (types?.includes(type.uid) ?? true);
  });
}

interface ExportContext extends Omit<ExportOptions, "types"> {
  readonly types: readonly ContentType[];
  /** Whether what plugins keep in tables of their own is carried: not where types were chosen. */
  readonly withRows: boolean;
  readonly writer: ArchiveWriter;
  readonly folder: string;
}

class Export {
  #versions = 0;
  #files = 0;
  readonly #missing: string[] = [];
  readonly #keys: string;

  constructor(
    private readonly app: App,
    private readonly context: ExportContext,
  ) {
    this.#keys = join(context.folder, "keys");
  }

  async run(): Promise<ExportReport> {
    const { writer, withFiles } = this.context;
    await withSource(this.app.db, this.context, (source) =>
      // What was written cannot be taken back, so nothing is tried again.
      source.db.transaction(() => this.#content(source), { retries: 0 }),
    );
    if (withFiles) await this.#bytes();
    const lines = writer.checksums.map((checksum) => `${JSON.stringify(checksum)}\n`);
    const bytes = writer.checksums.reduce((sum, part) => sum + part.bytes, 0);
    await writer.add(CHECKSUMS, Readable.from(lines));
    await writer.end();
    return { versions: this.#versions, files: this.#files, bytes, missing: this.#missing };
  }

  async #content(source: ExportSource): Promise<void> {
    const { db } = source;
    await db.query({ text: "set transaction isolation level repeatable read, read only", values: [] });
    await db.liftTimeLimits();
    await db.query({ text: "set local idle_in_transaction_session_timeout = 0", values: [] });
    const { writer, types } = this.context;
    await writer.add(MANIFEST, Readable.from([`${JSON.stringify(await this.#manifest(source), undefined, 2)}\n`]));
    const keys = createWriteStream(this.#keys);
    for (const type of types.filter((each) => placeOf(each).part === "content")) await this.#parts(source, type, keys);
    for (const [part, path] of [
      ["people", PEOPLE],
      ["settings", SETTINGS],
    ] as const)
      await this.#together(source, part, path);
    if (this.context.withRows) await this.#rows(source);
    keys.end();
    await once(keys, "close");
  }

  async #manifest({ db, moment }: ExportSource): Promise<Manifest> {
    const { types, since = null, withSecrets, version } = this.context;
    const text = `select ${ISO_NOW} as at, case when pg_is_in_recovery() then null else pg_current_wal_lsn()::text end as position`;
    const row = moment ?? (await db.query<ExportMoment>({ text, values: [] }))[0];
    const model = shapeOf(this.app.model, types);
    return {
      ...{ format: FORMAT, version, createdAt: row?.at ?? "", position: row?.position ?? null, since },
      ...{ secrets: withSecrets, locales: this.app.model.locales, modelHash: hashOf(model), model },
    };
  }

  /** `content/<uid>/<n>.jsonl`. */
  async #parts({ db }: ExportSource, type: ContentType, keys: Writable): Promise<void> {
    const versions = this.#read(db, type, keys)[Symbol.asyncIterator]();
    let next = await versions.next();
    for (let number = 1; !next.done; number += 1) {
      const part = async function* (): AsyncIterable<string> {
        for (let length = 0; !next.done && length < PART_LENGTH; next = await versions.next()) {
          length += next.value.length;
          yield `${next.value}\n`;
        }
      };
      const { lines } = await this.context.writer.add(`content/${type.uid}/${number}.jsonl`, Readable.from(part()));
      this.context.say(`${type.uid}: ${lines} versions`);
    }
  }

  /** A file of versions of several types, each line `{ type, version }`. */
  async #together({ db }: ExportSource, part: ArchivePlace["part"], path: string): Promise<void> {
    const types = this.context.types.filter((type) => placeOf(type).part === part);
    const read = (type: ContentType) => this.#read(db, type, undefined);
    const lines = async function* (): AsyncIterable<string> {
      for (const type of types)
        for await (const version of read(type)) yield `{"type":${JSON.stringify(type.uid)},"version":${version}}\n`;
    };
    if (types.length > 0) await this.context.writer.add(path, Readable.from(lines()));
  }

  /** `rows/<uid>.jsonl`, where there are any. */
  async #rows({ db }: ExportSource): Promise<void> {
    for (const [uid, { read }] of this.app.registry("archived-rows").entries()) {
      const rows = read(db)[Symbol.asyncIterator]();
      const first = await rows.next();
      const lines = async function* (): AsyncIterable<string> {
        for (let next = first; !next.done; next = await rows.next()) yield `${JSON.stringify(next.value)}\n`;
      };
      if (!first.done) await this.context.writer.add(rowsPartOf(uid), Readable.from(lines()));
    }
  }

  /** Versions of a type as JSON; the keys of their files are noted. */
  async *#read(from: Database, type: ContentType, keys: Writable | undefined): AsyncIterable<string> {
    const { since, withSecrets } = this.context;
    const store = fileStoreOf(this.app, type.uid);
    const secrets = withSecrets ? [] : secretsOf(type);
    let [after, limit] = [0, FIRST_PAGE];
    for (;;) {
      this.context.signal?.throwIfAborted();
      const page = await this.app.loader.read(type.uid, { after, limit, since, from });
      for (const { text } of page) {
        this.#versions += 1;
        if (store && keys) for (const key of store.keysOf(valuesOf(text))) await write(keys, `${type.uid} ${key}\n`);
        yield secrets.length === 0 ? text : withoutSecrets(text, secrets);
      }
      if (page.length < limit) return;
      after = page.at(-1)?.id ?? after;
      const length = page.reduce((sum, { text }) => sum + text.length, 0);
      limit = Math.max(1, Math.min(LARGEST_PAGE, 2 * limit, Math.floor((PAGE_LENGTH * page.length) / length)));
    }
  }

  /** `files/<key>`. What was deleted since the snapshot is missing. */
  async #bytes(): Promise<void> {
    for await (const { text } of readLines({ path: this.#keys, open: () => createReadStream(this.#keys) })) {
      const [uid = "", key = ""] = text.split(" ");
      const content = isFileKey(key) ? await fileStoreOf(this.app, uid)?.open(this.app, key) : undefined;
      if (content) {
        await this.context.writer.add(`${FILES}${key}`, content, false);
        this.#files += 1;
      } else this.#missing.push(key);
    }
  }
}

const valuesOf = (text: string): LoadedVersion["values"] => (JSON.parse(text) as LoadedVersion).values;

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const version = JSON.parse(text) as LoadedVersion;
  const values = Object.entries(version.values).map(([name, value]) => [name, secrets.includes(name) ? null : value]);
  return JSON.stringify({ ...version, values: Object.fromEntries(values) });
}

async function write(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain");
}
