import { type Ability, type ActorUser, type App, ForbiddenError } from "@plinth/core";
import { FILE_TYPE } from "../content-types/file.js";
import type { FileInfo, FileView } from "../contract.js";
import { infoFields } from "./apply-info.js";
import { abilityOnFiles, readActionOf } from "./file-ability.js";
import type { NewRecord } from "./file-record.js";
import { readFile, readWritten } from "./read-files.js";
import { UPLOADER } from "./uploader.js";

/** A stored file, and its info. */
export interface NewFile {
  readonly record: NewRecord;
  readonly info: FileInfo;
}

/** Who adds files. */
export interface Adder {
  readonly ability: Ability;
  readonly user?: ActorUser | undefined;
}

/**
 * Inserts the row of a stored file.
 *
 * @returns the file as the caller may read it; a caller who may read no files sees what they have added.
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for a file outside of the rule on `create`
 * @throws PLINTH_UPLOAD_INFO_INVALID (400)
 */
export async function insertFile(app: App, { record, info }: NewFile, { ability, user }: Adder): Promise<FileView> {
  const { changes, folderPath = "/" } = await infoFields(app, info, ability);
  const data = { ...record, folderPath, ...uploaderFields(app, user), ...changes };
  // By the server itself: rules on fields do not apply to what it detects of the content, nor to the uploader.
  const created = await app.documents(FILE_TYPE).create({ data, fields: ["id"] });
  if (!(await readFile(app, created.documentId, { ability, action: "create" }))) throw new ForbiddenError({});
  if (readActionOf(abilityOnFiles(ability)) !== undefined) return await readWritten(app, created, ability);
  return (await readFile(app, created.documentId)) as FileView;
}

function uploaderFields({ model }: App, user: ActorUser | undefined): Readonly<Record<string, unknown>> {
  const isKept = model.contentTypes.get(FILE_TYPE)?.attributes.has(UPLOADER);
  return isKept && user ? { [UPLOADER]: user.documentId } : {};
}
