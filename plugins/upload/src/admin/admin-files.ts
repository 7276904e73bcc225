import { type App, ForbiddenError, type Handler, type ServiceRef, serviceRef } from "@plinth/core";
import { assertCan } from "@plinth/core/access";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import type { Limits } from "@plinth/core/reads";
import type { FileList, FileViews, UploadedFiles } from "@plinth/plugin-admin";
import { files } from "../contract.js";
import { receive } from "../request/receive.js";
import { abilityOnFiles, actionOnFiles, type FileAction, readActionOf } from "../services/file-ability.js";
import { parseChanges } from "../services/file-info.js";
import { findVisible, readFiles } from "../services/read-files.js";
import { namingStorageFaults } from "../services/storage-faults.js";
import { filtersOf } from "./file-filters.js";

/** How the admin page gets files, from the plugin admin by its name alone: it need not be installed. */
const fileViews: ServiceRef<FileViews> = serviceRef<FileViews>("plugin::admin.file-views");

/** Files of a page; never counted. */
const PAGE_SIZE = 24;
const LIMITS: Limits = { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE, withCount: false };

/**
 * `GET /admin/api/files?_q&cursor&types`: newest first.
 *
 * @throws PLINTH_UPLOAD_GROUP_UNKNOWN, PLINTH_QUERY_* (400), PLINTH_ACCESS_FORBIDDEN (403)
 */
export async function listFiles(app: App, { actor: { ability }, query }: RequestInfo): Promise<EndpointAnswer> {
  assertOnFiles(ability, "find");
  const { cursor = "*" } = query;
  const params = {
    filters: filtersOf(query, ability),
    sort: "id:desc",
    pagination: { cursor: cursor === "" ? "*" : cursor },
  };
  const { result } = await readFiles(app, params, { ability, action: "find" }, LIMITS);
  const { viewOf } = app.service(fileViews);
  const body: FileList = { data: result.rows().map(viewOf), meta: { nextCursor: result.nextCursor ?? null } };
  return { status: 200, body };
}

/**
 * `POST /admin/api/files`: files into the library, by the checks and limits of `POST /upload`. Nothing is received of a
 * caller who may not.
 */
export function createUpload(app: App): Handler {
  const { config } = app.plugin("upload");
  const answer: Handler = async (ctx) => {
    const { ability, user: author } = ctx.state.actor;
    assertOnFiles(ability, "create");
    const added = await receive(ctx, config, (received) =>
      app.service(files).upload(received.files, { ability, author }),
    );
    ctx.status = 201;
    return { data: added.map(app.service(fileViews).viewOf) } satisfies UploadedFiles;
  };
  return (ctx, next) => namingStorageFaults(async () => answer(ctx, next));
}

/** `GET /admin/api/files/:documentId`. @throws PLINTH_UPLOAD_NOT_FOUND (404), PLINTH_ACCESS_FORBIDDEN (403) */
export async function getFile(app: App, { actor: { ability }, params }: RequestInfo): Promise<EndpointAnswer> {
  const action = readActionOf(abilityOnFiles(ability));
  if (action === undefined) throw new ForbiddenError({});
  const file = await findVisible(app, String(params["documentId"]), { ability, action });
  return { status: 200, body: { data: app.service(fileViews).viewOf(file) } };
}

/** `PUT /admin/api/files/:documentId`. @throws as `updateInfo` of Files, PLINTH_ACCESS_FORBIDDEN (403) */
export async function changeFile(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { ability, user: author } = request.actor;
  assertOnFiles(ability, "update");
  const changes = parseChanges(request.body);
  const file = await app.service(files).updateInfo(String(request.params["documentId"]), changes, { ability, author });
  return { status: 200, body: { data: app.service(fileViews).viewOf(file) } };
}

/**
 * `DELETE /admin/api/files/:documentId`; `?force=true` where documents use it and the configuration refuses that.
 *
 * @throws as `delete` of Files, PLINTH_ACCESS_FORBIDDEN (403)
 */
export async function deleteFile(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { actor, params, query } = request;
  const { ability, user: author } = actor;
  assertOnFiles(ability, "delete");
  const options = { force: query["force"] === "true", ability, author };
  await app.service(files).delete(String(params["documentId"]), options);
  return { status: 204 };
}

/** @throws PLINTH_ACCESS_FORBIDDEN (403) */
function assertOnFiles(ability: RequestInfo["actor"]["ability"], action: FileAction): void {
  assertCan(abilityOnFiles(ability), [actionOnFiles(action)]);
}
