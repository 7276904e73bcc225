import { type App, lockStatement, type RegisterContext, writeHooks } from "@plinth/core";
import type { UploadConfig } from "../config.js";
import { FILE_TYPE, FOLDER_TYPE } from "../content-types.js";
import { FolderRefusedError } from "../errors.js";

const about = [FOLDER_TYPE];

/** Keeps folders a tree with unique names in each folder, for every way of writing them. */
export function keepFolderRules({ app, on }: Pick<RegisterContext<UploadConfig>, "app" | "on">): void {
  for (const { before, after } of [writeHooks.create, writeHooks.update]) {
    on(before, () => lockFolders(app), { about });
    on(after, ({ documentId }) => assertPlace(app, documentId), { about });
  }
  on(writeHooks.update.after, () => refreshPaths(app), { about });
  on(writeHooks.delete.before, ({ documentId }) => assertEmpty(app, documentId), { about });
}

const FOLDERS = "plinth upload folders";

/** One change at a time, across processes: two moves that are valid alone can make a cycle together. */
const lockFolders = (app: App): Promise<void> => app.db.lock(FOLDERS);

/**
 * To be called in the transaction that puts a file into a folder, before the file is locked: no folder is moved until it ends, so
 * that a later move finds the file in it.
 *
 * @throws PLINTH_DATABASE_NO_TRANSACTION (500)
 */
export const shareFolders = ({ db }: App): unknown => db.defer(lockStatement([FOLDERS], "shared"));

/** @throws PLINTH_UPLOAD_FOLDER_REFUSED (400) */
async function assertPlace(app: App, documentId: string): Promise<void> {
  if ((await pathOfFolder(app, documentId)) === "/") {
    throw new FolderRefusedError({ reason: "A folder cannot lie in itself; choose another parent." });
  }
  const text = `select f.name from upload_folders f join upload_folders n on n.name = f.name and n.id <> f.id
    and n.parent is not distinct from f.parent where f.document_id = $1 limit 1`;
  const [twin] = await app.db.query<{ name: string }>({ text, values: [documentId] });
  if (twin)
    throw new FolderRefusedError({ reason: `There is a folder "${twin.name}" here already; choose another name.` });
}

/**
 * The folder is locked, so that what is put into it meanwhile waits, and then does not find it.
 *
 * @throws PLINTH_UPLOAD_FOLDER_REFUSED (400)
 */
async function assertEmpty(app: App, documentId: string): Promise<void> {
  const text = `select exists (select from files where folder = $1) or exists (select from upload_folders where parent = $1)
    as "isUsed"`;
  const [row] = await app.db.query<{ isUsed: boolean }>({ text, values: [documentId] });
  // How much there is is nothing for somebody who may not see it.
  if (row?.isUsed) throw new FolderRefusedError({ reason: "The folder is not empty; move what it holds first." });
}

/** Every folder with the ids of the folders on the way to it: `/3/7`. A cycle has no path from the root. */
const TREE = `with recursive tree (document_id, path) as (
  select document_id, '/' || id from upload_folders where parent is null
  union all select f.document_id, t.path || '/' || f.id from upload_folders f join tree t on f.parent = t.document_id)`;

/** The path of a folder, such as `/3/7`; `/` when it has none. */
export async function pathOfFolder(app: App, documentId: string): Promise<string> {
  const text = `${TREE} select path from tree where document_id = $1`;
  const [row] = await app.db.query<{ path: string }>({ text, values: [documentId] });
  return row?.path ?? "/";
}

/**
 * Stores the path of a file's folder. Written past the document: it follows from the folder, and no rule on fields
 * applies to it.
 */
export async function setFolderPath({ db }: App, documentId: string, folderPath: string): Promise<void> {
  await db.model(FILE_TYPE).query().where({ document_id: documentId }).patch({ folder_path: folderPath });
}

/** Updates `folderPath` of all files after a folder was moved. */
async function refreshPaths(app: App): Promise<void> {
  const text = `${TREE} update files set folder_path = tree.path from tree
    where files.folder = tree.document_id and files.folder_path is distinct from tree.path`;
  await app.db.query({ text, values: [] });
}
