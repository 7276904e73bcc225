import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { App, Document } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { options } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import type { LibraryFile } from "@plinth/plugin-admin";
import { FILE_TYPE } from "../content-types.js";
import { files, type ReceivedFile, storage } from "../contract.js";
import { CutRefusedError, FileNotFoundError } from "../errors.js";
import { type Area, cutPicture } from "../images/cut-picture.js";
import { loadSharp } from "../images/load-sharp.js";
import { readDimensions } from "../images/read-dimensions.js";
import { DECODED } from "../inspect/inspector-service.js";
import { withTemporaryDirectory } from "../request/temporary-directory.js";
import { parseBody } from "../services/file-info.js";
import { assertName, keyOf } from "../services/file-record.js";
import { assertOnFiles } from "./assert-on-files.js";
import { findInLibrary, writtenFile } from "./library-files.js";

const place = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const length = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** Body of a cut. */
export const cutBody = options({ x: place, y: place, width: length, height: length, name: v.optional(v.string()) });

/**
 * `POST /admin/api/files/:documentId/cut`: a part of a picture, cut from the pixels that were uploaded, becomes a file of its own
 * in the same folder, with the same texts.
 *
 * @throws PLINTH_UPLOAD_CUT_REFUSED, PLINTH_UPLOAD_INFO_INVALID (400), PLINTH_ACCESS_FORBIDDEN (403), PLINTH_UPLOAD_NOT_FOUND (404)
 */
export async function cutFile(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { ability, user: author } = request.actor;
  assertOnFiles(ability, "create");
  const { name, ...area } = parseBody(cutBody, request.body);
  if (name !== undefined) assertName(name);
  const file = await findInLibrary(app, String(request.params["documentId"]), ability);
  assertShown(file);
  const { temporaryDirectory } = app.plugin("upload").config;
  const body = await withTemporaryDirectory(temporaryDirectory, async (directory) => {
    const path = join(directory, "original");
    await fetchOriginal(app, file, path);
    const part = { ...(await cutFrom(app, file, path, area)), name: name ?? file.name };
    const { alternativeText, caption, folder } = file;
    const info = { alternativeText, caption, ...(folder ? { folder: folder.documentId } : {}) };
    const [added] = await app.service(files).upload([part], { infos: [info], ability, author });
    return { data: await writtenFile(app, added as Document, ability) };
  });
  return { status: 201, body };
}

/** Who may not see where a picture is, by a rule on fields, gets no part of it. */
function assertShown({ url, mime }: LibraryFile): void {
  if (url === "" || mime === "") throw new FileNotFoundError({});
  if (!DECODED.has(mime)) throw new CutRefusedError({ reason: "Only a picture that is made of pixels can be cut." });
}

/** The stored bytes, which no format of it has. */
async function fetchOriginal(app: App, { documentId }: LibraryFile, path: string): Promise<void> {
  const row = await app.documents(FILE_TYPE).findOne({ documentId, fields: ["hash", "ext"] });
  if (!row) throw new FileNotFoundError({});
  await pipeline(await app.service(storage).open(keyOf(row)), createWriteStream(path));
}

async function cutFrom(
  app: App,
  { name, mime }: LibraryFile,
  path: string,
  area: Area,
): Promise<Pick<ReceivedFile, "path" | "size">> {
  const { maxPixels } = app.plugin("upload").config.images;
  const { width, height, isAnimated } = await readDimensions(await loadSharp(), { path, name, maxPixels });
  if (area.x + area.width > width || area.y + area.height > height)
    throw new CutRefusedError({
      reason: `The part lies outside of the picture, which has ${width} × ${height} pixels.`,
    });
  return await cutPicture({ path, name, mime, isAnimated }, area);
}
