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
import { viewOf } from "./file-view.js";

/** Whose eyes a read is for. */
export interface Viewer {
  readonly ability: Ability;
  /** The action whose rule on rows and fields holds. */
  readonly action: string;
}

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

/** One file by its row id; undefined when there is none that the viewer may see. @throws PLINTH_QUERY_* (400) */
export async function readFile(
  app: App,
  id: number,
  query: QueryObject = {},
  viewer: Viewer = TRUSTED,
): Promise<FileView | undefined> {
  const { fields, populate } = query;
  prepare(app, { filters: query["filters"], sort: query["sort"] }, viewer, ONE);
  const prepared = prepare(app, { filters: { id }, fields, populate }, viewer, ONE);
  const [file] = (await app.documents(FILE_TYPE).read(prepared)).rows();
  return file && viewOf(file, app.plugin("upload").config.signUrls);
}

const ONE: Limits = { defaultLimit: 1, maxLimit: 1, withCount: false };

function prepare(app: App, params: object, { ability, action }: Viewer, limits: Limits): PreparedRead {
  const type = app.model.contentTypes.get(FILE_TYPE) as ContentType;
  const reader = { visibility: "public", ability, action, defaultStatus: "published" } as const;
  return parseReadParams(app.model, type, params, { ...reader, kind: "list", limits });
}
