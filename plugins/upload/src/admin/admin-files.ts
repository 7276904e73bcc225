import type { App, Handler, HttpContext } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import type { Limits } from "@plinth/core/reads";
import type { FileDetails, FileList, OneFile, UploadedFiles } from "@plinth/plugin-admin";
import { type FileInfo, files } from "../contract.js";
import { MalformedUploadError, NoFilesError, SeveralFilesError } from "../errors.js";
import { receive } from "../request/receive.js";
import { fileInfo, parseBody, parseInfos } from "../services/file-info.js";
import { assertName } from "../services/file-record.js";
import { namingStorageFaults } from "../services/storage-faults.js";
import { assertOnFiles } from "./assert-on-files.js";
import { filtersOf } from "./file-filters.js";
import { findInLibrary, isReached, readLibrary, writtenFile } from "./library-files.js";

/** Files of a page; never counted. */
const PAGE_SIZE = 60;
const LIMITS: Limits = { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE, withCount: false };

/** By the index that every table has. */
const NEWEST_FIRST = "id:desc";

/**
 * `GET /admin/api/files?_q&folder&types&sort&cursor`: newest first.
 *
 * @throws PLINTH_UPLOAD_GROUP_UNKNOWN, PLINTH_QUERY_* (400), PLINTH_ACCESS_FORBIDDEN (403)
 */
export async function listFiles(app: App, { actor: { ability }, query }: RequestInfo): Promise<EndpointAnswer> {
  assertOnFiles(ability, "find");
  const { cursor = "*", sort = NEWEST_FIRST } = query;
  const params = {
    filters: filtersOf(query, ability),
    sort: sort === "" ? NEWEST_FIRST : sort,
    pagination: { cursor },
  };
  const { files: data, nextCursor } = await readLibrary(app, params, { ability, action: "find" }, LIMITS);
  const body: FileList = { data, meta: { pagination: { pageSize: PAGE_SIZE, nextCursor } } };
  return { status: 200, body };
}

/**
 * `POST /admin/api/files`: files into the library, by the checks and limits of `POST /upload`. Nothing is received of a
 * caller who may not, and nothing is kept of one who goes away before the answer.
 */
export function createUpload(app: App): Handler {
  const { config } = app.plugin("upload");
  const answer: Handler = async (ctx) => {
    const { ability, user: author } = ctx.state.actor;
    assertOnFiles(ability, "create");
    const signal = signalOf(ctx);
    const added = await receive(ctx, config, ({ files: received, fields }) => {
      const infos = parseInfos(fields["fileInfo"], received.length);
      return app.service(files).upload(received, { infos, ability, author, signal });
    });
    ctx.status = 201;
    const data = [];
    for (const file of added) data.push(await writtenFile(app, file, ability));
    return { data } satisfies UploadedFiles;
  };
  return (ctx, next) => namingStorageFaults(async () => answer(ctx, next));
}

/** Aborted when the connection closes before the answer has gone out. */
function signalOf({ res }: HttpContext): AbortSignal {
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort(new MalformedUploadError({ reason: "the connection was closed meanwhile" }));
  });
  return gone.signal;
}

/**
 * `POST /admin/api/files/:documentId/replace`: another content of the same kind behind the same url; name and texts stay.
 *
 * @throws PLINTH_UPLOAD_EXTENSION_DIFFERS, PLINTH_UPLOAD_SEVERAL_FILES (400), and as `replace` of Files
 */
export function createReplace(app: App): Handler {
  const { config } = app.plugin("upload");
  const answer: Handler = async (ctx) => {
    const { ability, user: author } = ctx.state.actor;
    assertOnFiles(ability, "update");
    const { documentId, name } = await findInLibrary(app, String(ctx.params["documentId"]), ability);
    const replaced = await receive(ctx, config, async ({ files: received }) => {
      const [file, ...others] = received;
      if (!file) throw new NoFilesError({});
      if (others.length > 0) throw new SeveralFilesError({});
      return await app.service(files).replace(documentId, file, name === "" ? {} : { name }, { ability, author });
    });
    return { data: await writtenFile(app, replaced, ability) } satisfies OneFile;
  };
  return (ctx, next) => namingStorageFaults(async () => answer(ctx, next));
}

/** `GET /admin/api/files/:documentId`. @throws PLINTH_UPLOAD_NOT_FOUND (404), PLINTH_ACCESS_FORBIDDEN (403) */
export async function getFile(app: App, { actor: { ability }, params }: RequestInfo): Promise<EndpointAnswer> {
  const data = await findInLibrary(app, String(params["documentId"]), ability);
  const may: FileDetails["meta"]["may"][number][] = [];
  for (const action of ["update", "delete"] as const)
    if (await isReached(app, data.documentId, { ability, action })) may.push(action);
  return { status: 200, body: { data, meta: { may } } satisfies FileDetails };
}

/** `PUT /admin/api/files/:documentId`. @throws as `updateInfo` of Files, PLINTH_ACCESS_FORBIDDEN (403) */
export async function changeFile(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { ability, user: author } = request.actor;
  assertOnFiles(ability, "update");
  const changes = parseBody(fileInfo, request.body) as FileInfo;
  if (changes.name !== undefined) assertName(changes.name);
  const file = await app.service(files).updateInfo(String(request.params["documentId"]), changes, { ability, author });
  return { status: 200, body: { data: await writtenFile(app, file, ability) } satisfies OneFile };
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
