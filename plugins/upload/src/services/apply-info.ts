import { type Ability, type App, ForbiddenError } from "@plinth/core";
import { parseReadParams } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { FOLDER_TYPE } from "../content-types/folder.js";
import type { FileInfo } from "../contract.js";
import { InfoInvalidError } from "../errors.js";
import { pathOfFolder } from "../folders/folder-paths.js";
import { abilityOnFiles, actionOnFiles } from "./file-ability.js";

/** The attributes that an info sets, and the path that follows from the folder; what is not named is not among them. */
export interface InfoFields {
  readonly changes: Readonly<Record<string, unknown>>;
  readonly folderPath: string | undefined;
}

/**
 * What an info means for the row of a file.
 *
 * @param ability - who says it: they may put files into the folders that they find.
 * @throws PLINTH_UPLOAD_INFO_INVALID (400) for a folder that does not exist, or is not visible to the caller
 */
export async function infoFields(app: App, info: FileInfo, ability: Ability): Promise<InfoFields> {
  const { folder, ...texts } = info;
  const named = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined));
  if (folder === undefined) return { changes: named, folderPath: undefined };
  if (folder === null) return { changes: { ...named, folder: null }, folderPath: "/" };
  const found = await findFolder(app, folder, ability);
  if (found === undefined) throw refusedInfo("folder", `there is no folder ${JSON.stringify(folder)}`);
  return { changes: { ...named, folder: found }, folderPath: await pathOfFolder(app, found) };
}

/**
 * @throws PLINTH_UPLOAD_INFO_INVALID (400) for attributes outside of the fields of a rule on the action
 * @throws PLINTH_ACCESS_FORBIDDEN (403) where the action is not granted
 */
export function assertInfoReached(info: FileInfo, action: "create" | "update", ability: Ability): void {
  const reach = abilityOnFiles(ability).reachOf(actionOnFiles(action));
  if (reach.rows === "nothing") throw new ForbiddenError({});
  const refused = Object.keys(info).find((key) => reach.fields?.has(key) === false);
  if (refused !== undefined) throw refusedInfo(refused, "may not be set by you");
}

/** The documentId of a folder that the caller may find, by its row id or documentId. */
async function findFolder(app: App, folder: number | string, ability: Ability): Promise<string | undefined> {
  if (!ability.can(`${FOLDER_TYPE}.find`)) return undefined;
  const key = typeof folder === "number" || /^\d{1,15}$/.test(folder) ? "id" : "documentId";
  const type = app.model.contentTypes.get(FOLDER_TYPE) as ContentType;
  const params = { filters: { [key]: folder }, fields: ["id"] };
  const options = { visibility: "code", ability, kind: "list", defaultStatus: "published" } as const;
  const [found] = (await app.documents(FOLDER_TYPE).read(parseReadParams(app.model, type, params, options))).rows();
  return found?.documentId;
}

function refusedInfo(key: string, reason: string): Error {
  const message = `fileInfo.${key}: ${reason}`;
  return new InfoInvalidError({ errors: [{ path: ["fileInfo", key], message, name: "ValidationError" }] });
}
