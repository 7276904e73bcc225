import type { App } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { options } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import type { FilesUses, FileUses, UsesOfFile } from "@plinth/plugin-admin";
import { FILE_TYPE } from "../content-types.js";
import { files } from "../contract.js";
import { parseBody } from "../services/file-info.js";
import { assertOnFiles } from "./assert-on-files.js";
import { fileViews, findInLibrary } from "./library-files.js";

/** Files that one action may be about. */
const MOST = 100;

/** Uses by one attribute that are looked at; of these the caller may see a part. */
const MOST_READ = 1000;

/** Documents of each type that are named of a file, where several files are asked for. */
const MOST_OF_EACH = 20;

const documentIds = v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MOST));

/** Bodies of the actions on several files. */
export const selectionBodies = {
  move: options({ documentIds, folder: v.nullable(v.string()) }),
  delete: options({ documentIds, force: v.optional(v.union([v.boolean(), documentIds])) }),
  uses: options({ documentIds }),
};

/** `POST /admin/api/files/actions/move`: all or none. @throws as `updateInfo` of Files, PLINTH_ACCESS_FORBIDDEN (403) */
export async function moveFiles(app: App, { actor, body }: RequestInfo): Promise<EndpointAnswer> {
  const { ability, user: author } = actor;
  assertOnFiles(ability, "update");
  const { folder, ...selected } = parseBody(selectionBodies.move, body);
  await app.db.transaction(async () => {
    // In one order everywhere, so that two moves wait for each other at most once.
    for (const documentId of [...new Set(selected.documentIds)].toSorted())
      await app.service(files).updateInfo(documentId, { folder }, { ability, author });
  });
  return { status: 204 };
}

/** `POST /admin/api/files/actions/delete`: all or none. @throws as `delete` of Files, PLINTH_ACCESS_FORBIDDEN (403) */
export async function deleteFiles(app: App, { actor, body }: RequestInfo): Promise<EndpointAnswer> {
  const { ability, user: author } = actor;
  assertOnFiles(ability, "delete");
  const { force = false, ...selected } = parseBody(selectionBodies.delete, body);
  await app.service(files).deleteMany(selected.documentIds, { force, ability, author });
  return { status: 204 };
}

/** `GET /admin/api/files/:documentId/uses`. @throws as findInLibrary */
export async function listFileUses(app: App, { actor: { ability }, params }: RequestInfo): Promise<EndpointAnswer> {
  const { uses } = await usesOf(app, String(params["documentId"]), ability);
  return { status: 200, body: { data: uses } satisfies FileUses };
}

/** `POST /admin/api/files/actions/uses`: those of the files that are used. @throws as findInLibrary */
export async function listUsesOfFiles(app: App, { actor: { ability }, body }: RequestInfo): Promise<EndpointAnswer> {
  const selected = parseBody(selectionBodies.uses, body);
  const data: FilesUses["data"][number][] = [];
  for (const documentId of new Set(selected.documentIds)) {
    const found = await usesOf(app, documentId, ability, MOST_OF_EACH);
    if (found.uses.length > 0) data.push({ documentId, ...found });
  }
  return { status: 200, body: { data } satisfies FilesUses };
}

async function usesOf(
  app: App,
  documentId: string,
  ability: RequestInfo["actor"]["ability"],
  most?: number,
): Promise<UsesOfFile> {
  await findInLibrary(app, documentId, ability);
  const uses = await app.documents(FILE_TYPE).usesOf(documentId, { most: MOST_READ });
  return await app.service(fileViews).usesOf(uses, ability, most);
}
