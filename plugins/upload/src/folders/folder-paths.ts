import type { App } from "@plinth/core";
import { FILE_TYPE } from "../content-types/file.js";

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
export async function refreshPaths(app: App): Promise<void> {
  const text = `${TREE} update files set folder_path = tree.path from tree
    where files.folder = tree.document_id and files.folder_path is distinct from tree.path`;
  await app.db.query({ text, values: [] });
}
