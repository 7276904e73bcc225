import { type Ability, type App, type Document, ForbiddenError } from "@plinth/core";
import { assertCan } from "@plinth/core/access";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { options } from "@plinth/core/options";
import { CODE_BUDGET, type Limits, parseReadParams, type SelectionRequest } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import * as v from "@plinth/core/valibot";
import type { FolderList, FolderView } from "@plinth/plugin-admin";
import { FOLDER_TYPE } from "../content-types.js";
import { FolderNotEmptyError, FolderNotFoundError, FolderRefusedError } from "../errors.js";
import { abilityOnFiles } from "../services/file-ability.js";
import { parseBody } from "../services/file-info.js";

const name = v.pipe(v.string(), v.trim());
const parent = v.optional(v.nullable(v.string()));

/** Body of a new folder. */
export const folderBody = options({ name, parent });

/** Body of a change of a folder. */
export const folderChanges = options({ name: v.optional(name), parent });

/** What can be done with folders. */
type FolderAction = "find" | "create" | "update" | "delete";

/** More folders are no tree that somebody looks through. */
const MOST = 10_000;
const LIMITS: Limits = { defaultLimit: MOST, maxLimit: MOST, withCount: false };

const COUNT = { count: true, fields: [], populate: [] } as const;

const SELECTION: SelectionRequest = {
  fields: [{ name: "id" }, { name: "documentId" }, { name: "name" }],
  populate: [
    { name: "parent", fields: [{ name: "documentId" }], populate: [] },
    { name: "files", ...COUNT },
  ],
};

/** `GET /admin/api/folders`: all that the caller finds, by name. */
export async function listFolders(app: App, { actor: { ability } }: RequestInfo): Promise<EndpointAnswer> {
  assertOnFolders(ability, "find");
  const data = await readFolders(app, ability, {});
  return { status: 200, body: { data } satisfies FolderList };
}

/** `POST /admin/api/folders`. @throws PLINTH_UPLOAD_FOLDER_REFUSED, PLINTH_INPUT_INVALID (400), PLINTH_ACCESS_FORBIDDEN (403) */
export async function createFolder(app: App, { actor, body }: RequestInfo): Promise<EndpointAnswer> {
  const { ability, user: author } = actor;
  assertOnFolders(ability, "create");
  const data = parseBody(folderBody, body);
  await assertParent(app, ability, data.parent);
  const made = await app
    .documents(FOLDER_TYPE)
    .create({ data, fields: ["name"], ability, author, visibility: "admin" });
  return { status: 201, body: { data: await folderOf(app, ability, made) } };
}

/** `PUT /admin/api/folders/:documentId`: another name, or another place with all that is in it. @throws as createFolder */
export async function changeFolder(app: App, { actor, body, params }: RequestInfo): Promise<EndpointAnswer> {
  const { ability, user: author } = actor;
  assertOnFolders(ability, "update");
  const documentId = String(params["documentId"]);
  const data = parseBody(folderChanges, body);
  await findFolder(app, ability, documentId);
  await assertParent(app, ability, data.parent);
  const writer = { ability, author, visibility: "admin" } as const;
  const changed = await app.documents(FOLDER_TYPE).update({ documentId, data, fields: ["name"], ...writer });
  if (!changed) throw new FolderNotFoundError({});
  return { status: 200, body: { data: await folderOf(app, ability, changed) } };
}

/**
 * `DELETE /admin/api/folders/:documentId`: one that is empty.
 *
 * @throws PLINTH_UPLOAD_FOLDER_NOT_EMPTY (409), PLINTH_UPLOAD_FOLDER_NOT_FOUND (404), PLINTH_ACCESS_FORBIDDEN (403)
 */
export async function deleteFolder(app: App, { actor, params }: RequestInfo): Promise<EndpointAnswer> {
  const { ability, user: author } = actor;
  assertOnFolders(ability, "delete");
  const documentId = String(params["documentId"]);
  const { files } = await findFolder(app, ability, documentId);
  const folders = (await readFolders(app, ability, { parent: { documentId } })).length;
  if (files + folders > 0) throw new FolderNotEmptyError({ files, folders });
  const { entries } = await app
    .documents(FOLDER_TYPE)
    .delete({ documentId, fields: ["id"], ability, author })
    .catch((error: unknown) => {
      // What it holds is not the caller's to see, or came in between.
      if (error instanceof FolderRefusedError) throw new FolderNotEmptyError({ files: 0, folders: 0 });
      throw error;
    });
  if (entries.length === 0) throw new FolderNotFoundError({});
  return { status: 204 };
}

/** @throws PLINTH_ACCESS_FORBIDDEN (403) */
function assertOnFolders(ability: Ability, action: FolderAction): void {
  assertCan(ability, [`${FOLDER_TYPE}.${action}`]);
}

/** Where the caller puts a folder they have to find one: another is none. @throws PLINTH_UPLOAD_FOLDER_REFUSED (400) */
async function assertParent(app: App, ability: Ability, documentId: string | null | undefined): Promise<void> {
  if (documentId === null || documentId === undefined) return;
  const [found] = ability.can(`${FOLDER_TYPE}.find`) ? await readFolders(app, ability, { documentId }) : [];
  if (!found) throw new FolderRefusedError({ reason: "There is no such folder to put it into." });
}

/** @throws PLINTH_UPLOAD_FOLDER_NOT_FOUND (404) */
async function findFolder(app: App, ability: Ability, documentId: string): Promise<FolderView> {
  if (!ability.can(`${FOLDER_TYPE}.find`)) throw new ForbiddenError({});
  const [found] = await readFolders(app, ability, { documentId });
  if (!found) throw new FolderNotFoundError({});
  return found;
}

/** A folder that was written, as the caller finds it; what the write answered where they do not. */
async function folderOf(app: App, ability: Ability, { id, documentId, ...written }: Document): Promise<FolderView> {
  const [found] = ability.can(`${FOLDER_TYPE}.find`) ? await readFolders(app, ability, { documentId }) : [];
  return found ?? { id, documentId, name: String(written["name"] ?? ""), parent: null, files: 0 };
}

/** A row that was read by SELECTION. */
interface FolderRow {
  readonly id: number;
  readonly documentId: string;
  readonly name?: string;
  readonly parent?: { readonly documentId: string } | null;
  readonly files?: { readonly count: number };
}

/** Folders with the number of their files that the caller finds, in one statement. */
async function readFolders(app: App, ability: Ability, filters: object): Promise<readonly FolderView[]> {
  const type = app.model.contentTypes.get(FOLDER_TYPE) as ContentType;
  const prepared = parseReadParams(
    app.model,
    type,
    { filters, sort: "name:asc", pagination: { limit: MOST } },
    {
      ...{ visibility: "admin", kind: "list", defaultStatus: "published", limits: LIMITS, selection: SELECTION },
      ...{ ability: abilityOnFiles(ability), budget: CODE_BUDGET },
    },
  );
  return (await app.documents(FOLDER_TYPE).read(prepared)).rows().map((row) => {
    const { id, documentId, name, parent, files } = row as unknown as FolderRow;
    return { id, documentId, name: name ?? "", parent: parent?.documentId ?? null, files: files?.count ?? 0 };
  });
}
