import { type App, type Document, ForbiddenError, isPlinthError, type ReadParams } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { withAdministrator } from "../access/with-administrator.js";
import { localeIn } from "../content/read-entry.js";
import { invalidRequest, readBody, workingCopyBody } from "../content/request-body.js";
import { typeFor } from "../content/shown-types.js";
import { WORKING_COPY_TYPE } from "../content-types/working-copy.js";
import { WorkingCopyTooLargeError } from "../errors.js";
import type { WorkingCopy } from "../wire/working-copy.js";
import { withoutPasswords } from "./without-passwords.js";

/** Bytes of JSON that the changes of one working copy may have. */
const MAX_BYTES = 1024 * 1024;

const DAY = 24 * 60 * 60 * 1000;

/** Milliseconds after which a working copy is forgotten. */
export const LIFE = 30 * DAY;

/** Working copies that an account may have; a new one takes the place of the oldest. */
const MOST = 200;

/** What names a document: its id, which is no row id, `single`, or of one that is new `new` and what the page adds to it. */
const DOCUMENT = /^(?!\d{1,15}$)[\w-]{1,255}$/;

/** Working copies that a write removes; the rest is removed by later ones. */
const REMOVED_AT_ONCE = 20;

/** The working copy that a request is about. */
interface CopyPlace {
  readonly key: string;
  readonly account: string;
  readonly contentType: string;
  readonly document: string;
  readonly localeCode: string | null;
}

/** `GET /admin/api/working-copies/:uid/:id`: that of the caller; null for none, because browsers log 404 as an error. */
export async function getWorkingCopy(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const found = await findCopy(app, placeOf(app, request));
  return { status: 200, body: { data: found && copyOf(found) } };
}

/** `PUT /admin/api/working-copies/:uid/:id`: takes the place of the one before. */
export async function putWorkingCopy(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const place = placeOf(app, request);
  const body = readBody(workingCopyBody, request);
  if (Buffer.byteLength(JSON.stringify(body.changes)) > MAX_BYTES)
    throw new WorkingCopyTooLargeError({ maximum: MAX_BYTES });
  const changes = withoutPasswords(app.model, typeFor(app, request), body.changes);
  const values = { ...body, changes, savedAt: new Date(app.clock.now()).toISOString() };
  const saved =
    (await update(app, place, values)) ??
    (await withAdministrator(app, place.account, () => create(app, place, values)));
  await remove(app, { filters: { $not: stillKept(app) } });
  await remove(app, { filters: { account: place.account }, sort: ["updatedAt:desc", "id:desc"], start: MOST });
  return { status: 200, body: { data: copyOf(saved) } };
}

async function update(app: App, { key }: CopyPlace, data: WorkingCopy): Promise<Document | null> {
  const documents = app.documents(WORKING_COPY_TYPE);
  const found = await documents.findFirst({ filters: { key }, fields: ["documentId"], withPrivate: true });
  return found && (await documents.update({ documentId: found.documentId, data: { ...data } }));
}

/** Two tabs that save at once both find none. */
async function create(app: App, place: CopyPlace, data: WorkingCopy): Promise<Document> {
  try {
    return await app.documents(WORKING_COPY_TYPE).create({ data: { ...place, ...data } });
  } catch (error) {
    const isThere = isPlinthError(error) && error.code === "PLINTH_DOCUMENT_NOT_UNIQUE";
    const updated = isThere ? await update(app, place, data) : null;
    if (updated) return updated;
    throw error;
  }
}

/** `DELETE /admin/api/working-copies/:uid/:id`, also where there is none. */
export async function deleteWorkingCopy(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const found = await findCopy(app, placeOf(app, request));
  if (found) await app.documents(WORKING_COPY_TYPE).delete({ documentId: found.documentId });
  return { status: 204 };
}

/**
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for callers without an account, and for types that they may not find
 * @throws PLINTH_ADMIN_INVALID (400) for an id that no document has
 */
function placeOf(app: App, request: RequestInfo): CopyPlace {
  const type = typeFor(app, request, "find");
  const { uid } = type;
  const { id = "" } = request.params;
  if (!DOCUMENT.test(id)) throw invalidRequest([{ path: "id", message: "must be that of a document, single or new" }]);
  const localeCode = type.isLocalized ? (localeIn(type, request) ?? app.model.defaultLocale) : null;
  const account = accountOf(request);
  return { key: keyOf(account, uid, id, localeCode), account, contentType: uid, document: id, localeCode };
}

/** Whose working copy of which document. */
export interface CopyOwner {
  /** documentId of the administrator. */
  readonly account: string;
  /** `single` of a single type. */
  readonly document: string;
  /** null: the type is not localised. */
  readonly localeCode: string | null;
}

/** What an administrator typed into a document and did not save. */
export async function readWorkingCopy(app: App, uid: string, owner: CopyOwner): Promise<WorkingCopy | null> {
  const { account, document, localeCode } = owner;
  const found = await findCopy(app, { key: keyOf(account, uid, document, localeCode) });
  return found && copyOf(found);
}

const keyOf = (...parts: readonly (string | null)[]): string => parts.join(" ");

/** documentId of the administrator. @throws PLINTH_ACCESS_FORBIDDEN (403) */
export function accountOf({ actor: { user } }: RequestInfo): string {
  if (!user) throw new ForbiddenError({});
  return user.documentId;
}

async function findCopy(app: App, { key }: Pick<CopyPlace, "key">): Promise<Document | null> {
  return await app.documents(WORKING_COPY_TYPE).findFirst({
    ...{ filters: { key, ...stillKept(app) }, withPrivate: true },
  });
}

/** The condition for a working copy to be kept. */
export const stillKept = ({ clock }: App): object => ({
  updatedAt: { $gt: new Date(clock.now() - LIFE).toISOString() },
});

function copyOf({ base, changes, device, updatedAt }: Document): WorkingCopy {
  return { base, changes, device, savedAt: updatedAt } as WorkingCopy;
}

async function remove(app: App, { start, ...which }: Which): Promise<void> {
  const documents = app.documents(WORKING_COPY_TYPE);
  const pagination = { start: start ?? 0, limit: REMOVED_AT_ONCE };
  for (const { documentId } of await documents.findMany({
    ...which,
    fields: ["documentId"],
    pagination,
    withPrivate: true,
  }))
    await documents.delete({ documentId });
}

/** Those that match, in their order, from a place on. */
interface Which extends Pick<ReadParams, "filters" | "sort"> {
  readonly start?: number;
}
