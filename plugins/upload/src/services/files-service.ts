import { copyFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import {
  type Ability,
  type ActorUser,
  type App,
  type Author,
  type Document,
  ForbiddenError,
  implement,
  type ServiceContext,
} from "@plinth/core";
import { unlimited } from "@plinth/core/access";
import pLimit, { type LimitFunction } from "p-limit";
import type { UploadConfig } from "../config.js";
import { FILE_TYPE } from "../content-types.js";
import {
  type ChangeOptions,
  type DeleteOptions,
  type FileInfo,
  type FileKey,
  type Files,
  files,
  type FileUse,
  type FileView,
  type Inspected,
  type Inspector,
  inspector,
  type ReceivedFile,
  storage,
  type StorageProvider,
  type UploadOptions,
} from "../contract.js";
import {
  EntityNotFoundError,
  ExtensionDiffersError,
  FileInUseError,
  FileNotFoundError,
  NoFilesError,
} from "../errors.js";
import { setFolderPath, shareFolders } from "../folders/folder-rules.js";
import { withTemporaryDirectory } from "../request/temporary-directory.js";
import { assertInfo, assertInfoReached, infoFields, namesFolder } from "./file-info.js";
import { abilityOnFiles, readActionOf } from "./file-ability.js";
import {
  assertName,
  contentFields,
  createHash,
  formatKeys,
  keyOf,
  keysOf,
  type NewRecord,
  newRecord,
} from "./file-record.js";
import { readFile, readWritten, TRUSTED, type Viewer, viewOf } from "./read-files.js";
import { findLinked, type LinkedDocument, linkFiles } from "./link-files.js";
import { OldContent } from "./old-content.js";
import { reportUploads } from "./report-uploads.js";
import { isUnreachable } from "./storage-faults.js";
import { allOrNone, type OnFailure, StoreRun } from "./store-files.js";
import { removeUnlessUsed } from "./unused-files.js";
import { UPLOADER } from "./uploader.js";
import { visibleUses } from "./visible-uses.js";

interface Deps {
  readonly inspector: Inspector;
  readonly storage: StorageProvider;
}

/**
 * Keeps storage and table consistent. A new file is stored before its row is inserted, and a row is deleted before its
 * file: a crash in between leaves a file without a row, which the check finds, and never a row without its file.
 */
class FilesService implements Files {
  readonly #app: App;
  readonly #config: UploadConfig;
  readonly #limit: LimitFunction;

  constructor(
    private readonly deps: Deps,
    { app, config }: ServiceContext<UploadConfig>,
  ) {
    this.#app = app;
    this.#config = config;
    this.#limit = pLimit(config.concurrency);
  }

  upload(received: readonly ReceivedFile[], options: UploadOptions = {}): Promise<readonly FileView[]> {
    return reportUploads(this.#app, received, () => this.#upload(received, options));
  }

  async #upload(received: readonly ReceivedFile[], options: UploadOptions): Promise<readonly FileView[]> {
    const { infos = [], target, ability = unlimited, user, author, signal } = options;
    assertFiles(received);
    for (const info of infos) assertInfo(info);
    for (const info of infos) assertInfoReached(info, "create", ability);
    const named = received.map((file, index) => ({ file, info: { name: file.name, ...infos[index] } }));
    for (const { info } of named) assertName(info.name);
    const linked = target && (await findLinked(this.#app, target, ability));
    const prepared = await allOrNone(
      named.map(async ({ file, info }) => ({ info, content: await this.#inspect(file) })),
    );
    return await this.#keep(async (run) => {
      const records = await allOrNone(prepared.map((each) => this.#limit(() => this.#store(run, each))));
      return await this.#app.db.transaction(async () => {
        const added = await this.#insert(records, { ability, user, author }, linked);
        signal?.throwIfAborted();
        return added;
      });
    });
  }

  add(path: string, info: FileInfo = {}): Promise<FileView> {
    return withTemporaryDirectory(this.#config.temporaryDirectory, async (directory) => {
      const name = basename(path);
      const copy = join(directory, "file");
      await copyFile(path, copy);
      const { size } = await stat(copy);
      const [file] = await this.upload([{ path: copy, name, size }], { infos: [info] });
      return file as FileView;
    });
  }

  replace(id: FileKey, received: ReceivedFile, info?: FileInfo, options?: ChangeOptions): Promise<FileView> {
    return reportUploads(this.#app, [received], () => this.#replace(id, received, info, options));
  }

  async #replace(
    id: FileKey,
    received: ReceivedFile,
    info: FileInfo = {},
    { ability = unlimited, author }: ChangeOptions = {},
  ): Promise<FileView> {
    assertFiles([received]);
    assertInfo(info);
    const name = info.name ?? received.name;
    assertName(name);
    const { documentId } = await this.#find(id, { ability, action: "update" }, EntityNotFoundError);
    assertInfoReached(info, "update", ability);
    const content = await this.#inspect(received);
    const old = new OldContent(this.#app, this.#config);
    const file = await this.#keep((run) =>
      this.#app.db.transaction(async () => {
        if (namesFolder(info, "update", ability)) shareFolders(this.#app);
        const stored = await this.#lock(documentId);
        const ext = String(stored["ext"] ?? "");
        if (ext !== content.ext) throw new ExtensionDiffersError({ ext, given: content.ext });
        await old.add(stored, formatKeys(stored["formats"]));
        const formats = await run.putVariants(content, { hash: String(stored["hash"]), name, isNew: false });
        // Never null for a replaced file (WIRE.md, "Files").
        const fields = { ...contentFields(content), formats: formats ?? {} };
        const view = await this.#update(documentId, { info: { ...info, name }, fields, author }, ability);
        // The last step, and atomic: until here the old content is in place.
        await run.overwrite(keyOf(stored), content);
        return view;
      }),
    );
    await old.remove(this.deps.storage, this.#warn);
    return file;
  }

  async updateInfo(
    id: FileKey,
    info: FileInfo,
    { ability = unlimited, author }: ChangeOptions = {},
  ): Promise<FileView> {
    assertInfo(info);
    const { documentId } = await this.#find(id, { ability, action: "update" }, EntityNotFoundError);
    assertInfoReached(info, "update", ability);
    return await this.#app.db.transaction(() => this.#update(documentId, { info, fields: {}, author }, ability));
  }

  findOne(id: FileKey): Promise<FileView | undefined> {
    return readFile(this.#app, id);
  }

  async delete(id: FileKey, options: DeleteOptions = {}): Promise<FileView> {
    const file = await this.#find(id, { ability: options.ability ?? unlimited, action: "delete" }, FileNotFoundError);
    const view = await readWritten(this.#app, file, options.ability ?? unlimited);
    await this.#delete([file.documentId], options);
    return view;
  }

  async deleteMany(ids: readonly FileKey[], options: DeleteOptions = {}): Promise<void> {
    const viewer = { ability: options.ability ?? unlimited, action: "delete" } as const;
    const found: string[] = [];
    for (const id of ids) found.push((await this.#find(id, viewer, FileNotFoundError)).documentId);
    // In one order everywhere, so that two deletions wait for each other at most once.
    await this.#delete([...new Set(found)].toSorted(), options);
  }

  /** All or none. */
  async #delete(documentIds: readonly string[], options: DeleteOptions): Promise<void> {
    const old = new OldContent(this.#app, this.#config);
    await this.#app.db.transaction(async () => {
      for (const documentId of documentIds) await this.#deleteRow(documentId, old, options);
    });
    await old.remove(this.deps.storage, this.#warn);
  }

  async #deleteRow(documentId: string, old: OldContent, options: DeleteOptions): Promise<void> {
    const { force = false, ability = unlimited, author } = options;
    const stored = await this.#lock(documentId, FileNotFoundError);
    await old.add(stored, keysOf(stored));
    const isForced = typeof force === "boolean" ? force : force.includes(documentId);
    if (this.#config.onDeleteInUse === "refuse" && !isForced) await this.#assertUnused(documentId, ability);
    const actor = { ability: abilityOnFiles(ability), author };
    const { entries } = await this.#app.documents(FILE_TYPE).delete({ documentId, fields: ["id"], ...actor });
    // The rule may no longer match the row.
    if (entries.length === 0) throw new FileNotFoundError({});
  }

  async usesOf(id: FileKey): Promise<readonly FileUse[]> {
    const { documentId } = await this.#find(id, TRUSTED, FileNotFoundError);
    return await this.#app.documents(FILE_TYPE).usesOf(documentId);
  }

  #inspect(file: ReceivedFile): Promise<Inspected> {
    return this.#limit(() => this.deps.inspector.inspect(file));
  }

  async #store(run: StoreRun, { info, content }: Prepared): Promise<NewFile> {
    const { name } = info;
    const hash = createHash(name);
    await this.#removeIfUnused(hash, content);
    const stored = await run.put(`${hash}${content.ext}`, content);
    const formats = await run.putVariants(content, { hash, name, isNew: true });
    return { record: newRecord(content, { hash, stored, formats, provider: this.deps.storage.name }), info };
  }

  async #insert(
    stored: readonly NewFile[],
    adder: Adder,
    linked: LinkedDocument | undefined,
  ): Promise<readonly FileView[]> {
    const created: FileView[] = [];
    for (const file of stored) created.push(await insertFile(this.#app, file, adder));
    if (linked) await linkFiles(this.#app, linked, created);
    return created;
  }

  /** @throws PLINTH_UPLOAD_ENTITY_NOT_FOUND (404), and as documents do for what the ability's rule leaves out */
  async #update(documentId: string, { info, fields, author }: Change, ability: Ability): Promise<FileView> {
    const { changes, folderPath } = await infoFields(this.#app, info, "update", ability);
    const data = { ...fields, ...changes };
    const actor = { visibility: "public", ability: abilityOnFiles(ability), author } as const;
    const updated = await this.#app.documents(FILE_TYPE).update({ documentId, data, ...actor });
    if (!updated) throw new EntityNotFoundError({});
    if (folderPath !== undefined) await setFolderPath(this.#app, documentId, folderPath);
    return viewOf(updated, this.#config.signUrls);
  }

  /** The file, where the rule of an action reaches it. @throws the given error where it does not, and for none */
  async #find(id: FileKey, viewer: Viewer, Missing: typeof FileNotFoundError): Promise<Document> {
    const found = await readFile(this.#app, id, viewer);
    if (!found) throw new Missing({});
    return found;
  }

  /** The file as it is now, locked until the transaction ends. @throws the given error for none */
  async #lock(documentId: string, Missing: typeof FileNotFoundError = EntityNotFoundError): Promise<Document> {
    await this.#app.documents(FILE_TYPE).lock(documentId);
    const found = await this.#app.documents(FILE_TYPE).findOne({ documentId });
    if (!found) throw new Missing({});
    return found;
  }

  /** @throws PLINTH_UPLOAD_IN_USE (409) with those of the documents that the caller may see */
  async #assertUnused(documentId: string, ability: Ability): Promise<void> {
    const uses = await this.#app.documents(FILE_TYPE).usesOf(documentId);
    if (uses.length === 0) return;
    throw new FileInUseError({ documentId, count: uses.length, uses: await visibleUses(this.#app, uses, ability) });
  }

  /** A process that dies between here and the row leaves files without a row; without jobs the check finds them. */
  async #removeIfUnused(hash: string, { ext, variants }: Inspected): Promise<void> {
    if (!this.#app.has("jobs")) return;
    const keys = [`${hash}${ext}`, ...variants.map((variant) => `${variant.name}_${hash}${variant.ext}`)];
    const stored = { provider: this.deps.storage.name, hash, keys };
    await removeUnlessUsed(this.#app, stored);
  }

  /** Removes what a failed step stored. No client waits for a storage that does not answer. */
  async #keep<T>(work: (run: StoreRun) => Promise<T>): Promise<T> {
    const run = new StoreRun(this.deps.storage);
    try {
      return await work(run);
    } catch (error) {
      const undone = run.undo(this.#warn);
      if (!isUnreachable(error)) await undone;
      throw error;
    }
  }

  readonly #warn: OnFailure = (err, key) => {
    this.#app.log.warn({ err, key }, "A file could not be removed from the storage; plinth upload check finds it");
  };
}

/** A received and inspected file. */
interface Prepared {
  readonly info: FileInfo & { readonly name: string };
  readonly content: Inspected;
}

/** The new row of a file. */
interface Change {
  readonly info: FileInfo;
  /** The columns of a new content. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly author: Author | undefined;
}

/** @throws PLINTH_UPLOAD_NO_FILES (400) */
function assertFiles(received: readonly ReceivedFile[]): void {
  if (received.length === 0 || received.some(({ size }) => size === 0)) throw new NoFilesError({});
}

/** The service behind `files`. */
export const filesImpl = implement(files, {
  deps: { inspector, storage },
  create: (deps, context: ServiceContext<UploadConfig>) => new FilesService(deps, context),
});

/** A stored file, and its info. */
interface NewFile {
  readonly record: NewRecord;
  readonly info: FileInfo;
}

/** Who adds files. */
interface Adder {
  readonly ability: Ability;
  readonly user: ActorUser | undefined;
  readonly author: Author | undefined;
}

/**
 * Inserts the row of a stored file.
 *
 * @returns the file as the caller may read it; a caller who may read no files sees what they have added.
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for a file outside of the rule on `create`
 * @throws PLINTH_UPLOAD_INFO_INVALID (400)
 */
async function insertFile(app: App, { record, info }: NewFile, { ability, user, author }: Adder): Promise<FileView> {
  const { changes, folderPath = "/" } = await infoFields(app, info, "create", ability);
  const data = { ...record, folderPath, ...uploaderFields(app, user), ...changes };
  // By the server itself: rules on fields do not apply to what it detects of the content, nor to the uploader.
  const created = await app.documents(FILE_TYPE).create({ data, fields: ["id"], author });
  if (!(await readFile(app, created.documentId, { ability, action: "create" }))) throw new ForbiddenError({});
  if (readActionOf(abilityOnFiles(ability)) !== undefined) return await readWritten(app, created, ability);
  return (await readFile(app, created.documentId)) as FileView;
}

function uploaderFields({ model }: App, user: ActorUser | undefined): Readonly<Record<string, unknown>> {
  const isKept = model.contentTypes.get(FILE_TYPE)?.attributes.has(UPLOADER);
  return isKept && user ? { [UPLOADER]: user.documentId } : {};
}
