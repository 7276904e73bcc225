import { type Ability, type App, type Document, ForbiddenError, type ServiceRef, serviceRef } from "@plinth/core";
import { type Limits, parseReadParams, type SelectionRequest } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import type { FileViews, LibraryFile } from "@plinth/plugin-admin";
import { FILE_TYPE } from "../content-types.js";
import { FileNotFoundError } from "../errors.js";
import { abilityOnFiles, actionOnFiles, type FileAction, readActionOf } from "../services/file-ability.js";

/** How the admin page gets files, from the plugin admin by its name alone: it need not be installed. */
export const fileViews: ServiceRef<FileViews> = serviceRef<FileViews>("plugin::admin.file-views");

const FIELDS = [
  ...["id", "documentId", "name", "alternativeText", "caption", "focalPoint", "url", "formats"],
  ...["mime", "size", "width", "height", "createdAt", "updatedAt"],
];

const SELECTION: SelectionRequest = {
  fields: FIELDS.map((name) => ({ name })),
  populate: [{ name: "folder", fields: [{ name: "documentId" }, { name: "name" }], populate: [] }],
};

/** Whose library is read, and by which action on files. */
interface Reader {
  readonly ability: Ability;
  readonly action: FileAction;
}

/** Files of the library as the page gets them, and the cursor of the next page. @throws PLINTH_QUERY_* (400) */
export async function readLibrary(app: App, params: object, { ability, action }: Reader, limits: Limits) {
  const type = app.model.contentTypes.get(FILE_TYPE) as ContentType;
  const reader = { ability: abilityOnFiles(ability), action: actionOnFiles(action), limits, budget: app.readBudget };
  const shown = { visibility: "admin", kind: "list", defaultStatus: "published", selection: SELECTION } as const;
  const prepared = parseReadParams(app.model, type, params, { ...reader, ...shown, facts: ["createdBy"] });
  const result = await app.documents(FILE_TYPE).read(prepared);
  return { files: result.rows().map(app.service(fileViews).viewOf), nextCursor: result.nextCursor ?? null };
}

const ONE: Limits = { defaultLimit: 1, maxLimit: 1, withCount: false };

/** One file, where the caller may read it. @throws PLINTH_ACCESS_FORBIDDEN (403), PLINTH_UPLOAD_NOT_FOUND (404) */
export async function findInLibrary(app: App, documentId: string, ability: Ability): Promise<LibraryFile> {
  if (readActionOf(abilityOnFiles(ability)) === undefined) throw new ForbiddenError({});
  const file = await readOne(app, documentId, ability);
  if (!file) throw new FileNotFoundError({});
  return file;
}

/** Whether an action may be done with a file, by the caller's rule on it. */
export async function isReached(app: App, documentId: string, reader: Reader): Promise<boolean> {
  if (!abilityOnFiles(reader.ability).can(actionOnFiles(reader.action))) return false;
  return (await readLibrary(app, { filters: { documentId } }, reader, ONE)).files.length > 0;
}

/** A file that the caller has written: as they may read it, else what the write answered. */
export async function writtenFile(app: App, written: Document, ability: Ability): Promise<LibraryFile> {
  return (await readOne(app, written.documentId, ability)) ?? app.service(fileViews).viewOf(written);
}

async function readOne(app: App, documentId: string, ability: Ability): Promise<LibraryFile | undefined> {
  const action = readActionOf(abilityOnFiles(ability));
  if (action === undefined) return undefined;
  const { files } = await readLibrary(app, { filters: { documentId } }, { ability, action }, ONE);
  return files[0];
}
