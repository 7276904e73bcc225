import {
  type Ability,
  type App,
  type ContentType,
  type Limits,
  parseReadParams,
  type PreparedRead,
  type QueryObject,
  type ReadResult,
  unlimited,
} from "@plinth/core";
import { FILE_TYPE } from "../content-types/file.js";
import type { FileView } from "../contract.js";
import { FileNotFoundError } from "../errors.js";
import { viewOf } from "./file-view.js";

/** Whose eyes a read is for. */
export interface Viewer {
  readonly ability: Ability;
  /** The action whose rule on rows and fields holds. */
  readonly action: string;
}

/** The action of who adds and changes files. */
export const UPLOAD = "plugin::upload.content-api.upload";

/** The action of who deletes files. */
export const DESTROY = "plugin::upload.content-api.destroy";

/** Code that the server trusts; private fields stay out all the same. */
export const TRUSTED: Viewer = { ability: unlimited, action: `${FILE_TYPE}.findOne` };

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
 * see.
 *
 * @throws PLINTH_QUERY_* (400)
 */
export async function readFile(
  app: App,
  id: number | string,
  query: QueryObject = {},
  viewer: Viewer = TRUSTED,
): Promise<FileView | undefined> {
  const { fields, populate } = query;
  prepare(app, { filters: query["filters"], sort: query["sort"] }, viewer, ONE);
  const filters = typeof id === "number" ? { id } : { documentId: id };
  const prepared = prepare(app, { filters, fields, populate }, viewer, ONE);
  const [file] = (await app.documents(FILE_TYPE).read(prepared)).rows();
  return file && viewOf(file, app.plugin("upload").config.signUrls);
}

/** One file, if the rule of the viewer's action reaches it. @throws PLINTH_UPLOAD_NOT_FOUND (404), PLINTH_QUERY_* (400) */
export async function findVisible(
  app: App,
  id: number | string,
  viewer: Viewer,
  query: QueryObject = {},
): Promise<FileView> {
  const file = await readFile(app, id, query, viewer);
  if (!file) throw new FileNotFoundError({});
  return file;
}

const ONE: Limits = { defaultLimit: 1, maxLimit: 1, withCount: false };

function prepare(app: App, params: object, { ability, action }: Viewer, limits: Limits): PreparedRead {
  const type = app.model.contentTypes.get(FILE_TYPE) as ContentType;
  const reader = { visibility: "public", ability, action, defaultStatus: "published" } as const;
  return parseReadParams(app.model, type, params, { ...reader, kind: "list", limits });
}
