import type { App } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { options } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import type { FilesUses, FileUses } from "@plinth/plugin-admin";
import { files } from "../contract.js";
import { parseBody } from "../services/file-info.js";
import { assertOnFiles } from "./assert-on-files.js";
import { fileViews, findInLibrary } from "./library-files.js";

/** Files that one action may be about. */
const MOST = 100;

const documentIds = v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(MOST));

/** Bodies of the actions on several files. */
export const selectionBodies = {
  move: options({ documentIds, folder: v.nullable(v.string()) }),
  delete: options({ documentIds, force: v.optional(v.boolean()) }),
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
  const [ofFile] = await usesOf(app, [String(params["documentId"])], ability);
  return { status: 200, body: { data: ofFile?.uses ?? [] } satisfies FileUses };
}

/** `POST /admin/api/files/actions/uses`: those of the files that are used. @throws as findInLibrary */
export async function listUsesOfFiles(app: App, { actor: { ability }, body }: RequestInfo): Promise<EndpointAnswer> {
  const selected = parseBody(selectionBodies.uses, body);
  const data = (await usesOf(app, selected.documentIds, ability)).filter(({ uses }) => uses.length > 0);
  return { status: 200, body: { data } satisfies FilesUses };
}

async function usesOf(
  app: App,
  documentIds: readonly string[],
  ability: RequestInfo["actor"]["ability"],
): Promise<FilesUses["data"]> {
  const found = [];
  for (const documentId of documentIds) {
    await findInLibrary(app, documentId, ability);
    found.push(await app.service(files).usesOf(documentId));
  }
  const uses = await app.service(fileViews).usesOf(found, ability);
  return documentIds.map((documentId, index) => ({ documentId, uses: uses[index] ?? [] }));
}
