import type { Ability, App, Document, QueryObject, ReadResult } from "@plinth/core";
import { unlimited } from "@plinth/core/access";
import { type Limits, parseReadParams, type PreparedRead } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { FILE_TYPE } from "../content-types.js";
import type { FileKey, FileView, StorageProvider } from "../contract.js";
import { FileNotFoundError } from "../errors.js";
import { abilityOnFiles, actionOnFiles, type FileAction, readActionOf } from "./file-ability.js";
import type { StoredFormats } from "./file-record.js";

/** Whose eyes a read is for. */
export interface Viewer {
  readonly ability: Ability;
  /** The action on files whose rule on rows and fields holds. */
  readonly action: FileAction;
}

/** Code that the server trusts; private fields stay out all the same. */
export const TRUSTED: Viewer = { ability: unlimited, action: "findOne" };

/** A page of files, and how it was cut. @throws PLINTH_QUERY_* (400) */
export async function readFiles(
  app: App,
  query: QueryObject,
  viewer: Viewer,
  limits: Limits,
): Promise<{ readonly result: ReadResult; readonly prepared: PreparedRead }> {
  const prepared = prepare(app, query, viewer, limits);
  return { prepared, result: await app.documents(FILE_TYPE).read(prepared) };
}

/**
 * One file by its row id, or by its documentId where that is a text; undefined when there is none that the viewer may
 * see, and that fulfils the filters of the query.
 *
 * @throws PLINTH_QUERY_* (400)
 */
export async function readFile(
  app: App,
  id: FileKey,
  viewer: Viewer = TRUSTED,
  query: QueryObject = {},
): Promise<FileView | undefined> {
  const { filters, _q, sort, fields, populate } = query;
  // Errors are about the filters as the client wrote them.
  prepare(app, { filters, sort }, viewer, ONE);
  const own = typeof id === "number" ? { id } : { documentId: id };
  const chosen = filters === undefined ? own : { $and: [own, filters] };
  const prepared = prepare(app, { filters: chosen, _q, fields, populate }, viewer, ONE);
  const [file] = (await app.documents(FILE_TYPE).read(prepared)).rows();
  return file && viewOf(file, app.plugin("upload").config.signUrls);
}

/** One file, if the rule of the viewer's action reaches it. @throws PLINTH_UPLOAD_NOT_FOUND (404), PLINTH_QUERY_* (400) */
export async function findVisible(app: App, id: FileKey, viewer: Viewer, query: QueryObject = {}): Promise<FileView> {
  const file = await readFile(app, id, viewer, query);
  if (!file) throw new FileNotFoundError({});
  return file;
}

/** A written or deleted file as the caller may read it; its ids if they may not. */
export async function readWritten(
  app: App,
  { id, documentId }: Pick<FileView, "id" | "documentId">,
  ability: Ability,
): Promise<FileView> {
  const action = readActionOf(abilityOnFiles(ability));
  const found = action && (await readFile(app, documentId, { ability, action }));
  return found ?? viewOf({ id, documentId }, app.plugin("upload").config.signUrls);
}

const ONE: Limits = { defaultLimit: 1, maxLimit: 1, withCount: false };

function prepare(app: App, params: object, { ability, action }: Viewer, limits: Limits): PreparedRead {
  const type = app.model.contentTypes.get(FILE_TYPE) as ContentType;
  const reader = { ability: abilityOnFiles(ability), action: actionOnFiles(action), limits, budget: app.readBudget };
  const options = { ...reader, visibility: "public", kind: "list", defaultStatus: "published" } as const;
  return parseReadParams(app.model, type, params, options);
}

/** Adds the members that only upload's own endpoints show. @source plugins/content-api/WIRE.md#files */
export function viewOf(file: Document, isUrlSigned: boolean): FileView {
  return { ...file, isUrlSigned };
}

/** A file with signed urls in place of those that are stored; fields that were not selected stay absent. */
export async function signFile(provider: StorageProvider, file: Document): Promise<Document> {
  const sign = async (url: unknown) => (await provider.signUrl?.(keyOfUrl(String(url)))) ?? url;
  const signed: Record<string, unknown> = { ...file };
  if (file["url"] !== undefined) signed["url"] = await sign(file["url"]);
  if (file["formats"]) signed["formats"] = await signFormats(file["formats"] as StoredFormats, sign);
  return signed as Document;
}

async function signFormats(formats: StoredFormats, sign: (url: unknown) => Promise<unknown>) {
  const entries = Object.entries(formats).map(async ([name, format]) => [
    name,
    { ...format, url: await sign(format.url) },
  ]);
  return Object.fromEntries(await Promise.all(entries)) as unknown;
}

/** Keys are the last segment of a url, and never need escaping. */
const keyOfUrl = (url: string): string => url.slice(url.lastIndexOf("/") + 1);
