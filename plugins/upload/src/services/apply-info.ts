import type { App } from "@plinth/core";
import { FOLDER_TYPE } from "../content-types/folder.js";
import type { FileInfo } from "../contract.js";
import { InfoInvalidError } from "../errors.js";
import { pathOfFolder } from "../folders/folder-paths.js";

/**
 * The attributes that an info sets; what it does not name is not among them.
 *
 * @throws PLINTH_UPLOAD_INFO_INVALID (400) for a folder that does not exist
 */
export async function infoFields(app: App, info: FileInfo): Promise<Readonly<Record<string, unknown>>> {
  const { folder, ...texts } = info;
  const named = Object.entries(texts).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(named), ...(folder === undefined ? {} : await folderFields(app, folder)) };
}

async function folderFields(app: App, folder: number | string | null) {
  if (folder === null) return { folder: null, folderPath: "/" };
  const key = typeof folder === "number" || /^\d{1,15}$/.test(folder) ? "id" : "documentId";
  const found = await app.documents(FOLDER_TYPE).findFirst({ filters: { [key]: folder }, fields: ["id"] });
  if (found) return { folder: found.documentId, folderPath: await pathOfFolder(app, found.documentId) };
  const message = `fileInfo.folder: there is no folder ${JSON.stringify(folder)}`;
  throw new InfoInvalidError({ errors: [{ path: ["fileInfo", "folder"], message, name: "ValidationError" }] });
}
