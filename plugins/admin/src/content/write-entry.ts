import { type App, type CreateParams, type Document, NotFoundError } from "@plinth/core";
import { assertCan } from "@plinth/core/access";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { reachOfDrafts } from "@plinth/core/reads";
import type * as v from "@plinth/core/valibot";
import { forgetWorkingCopies } from "../working-copies/forget-copies.js";
import { assertPrecondition, assertSomeVersion, preconditionOf, withConflict } from "./conflict.js";
import { type EntryPlace, entryAnswer, localeIn, placeOf, readEntry, SINGLE } from "./read-entry.js";
import { changesBody, createBody, readBody } from "./request-body.js";
import { typeFor } from "./shown-types.js";

/**
 * `POST /admin/api/content/:uid`: a new document. That of a single type is made by a PUT.
 *
 * @throws PLINTH_ADMIN_CONFLICT (412) where the id that the body chooses is that of a document that is there
 */
export async function createEntry(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const type = typeFor(app, request);
  if (type.kind === "singleType") throw new NotFoundError({});
  typeFor(app, request, "create");
  const { documentId, ...changes } = readBody(createBody, request);
  const place = { type, documentId, locale: localeIn(type, request), ...who(request) };
  const named = documentId === undefined ? {} : { documentId };
  const params = { ...writeOf(place, request, changes), ...named };
  return await withConflict(app, { place, precondition: {} }, () =>
    answerWrite(app, place, 201, () => app.documents(type.uid).create(params)),
  );
}

/** `PUT /admin/api/content/:uid/:id`: changes a document, or starts a locale of it. */
export async function updateEntry(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const place = placeOf(app, request, "update");
  const { type, documentId } = place;
  const precondition = assertPrecondition(request);
  const params = { ...writeOf(place, request, readBody(changesBody, request)), ...precondition };
  const documents = app.documents(type.uid);
  return await withConflict(app, { place, precondition }, () =>
    answerWrite(app, place, 200, () =>
      documentId === undefined ? documents.upsertSingle(params) : documents.update({ ...params, documentId }),
    ),
  );
}

/**
 * `DELETE /admin/api/content/:uid/:id`: one locale of a document, or all of them with `locale=*`; what its deleter typed
 * into it and did not save goes with it. With `locale=*`, `If-Match` names the version of any of its locales.
 */
export async function deleteEntry(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const place = placeOf(app, request, "delete");
  const { type, locale } = place;
  const documentId = await documentIdOf(app, place);
  const isWhole = locale === "*";
  const precondition = preconditionOf(request);
  const params = { documentId, ...localeParam(locale), ...who(request), ...(isWhole ? {} : precondition) };
  await withConflict(app, { place, precondition }, () =>
    app.db.transaction(async () => {
      if (isWhole) await assertSomeVersion(app, { ...place, documentId }, precondition);
      const { entries } = await app.documents(type.uid).delete({ ...params, fields: ["documentId"] });
      if (entries.length === 0) throw new NotFoundError({});
      await forgetWorkingCopies(app, request, { type, documentIds: [place.documentId ?? SINGLE], locale });
    }),
  );
  return { status: 204 };
}

/** The document of a place. @throws PLINTH_HTTP_NOT_FOUND (404) for a single type without one */
export async function documentIdOf(app: App, { type, documentId }: EntryPlace): Promise<string> {
  const found = documentId ?? (await app.documents(type.uid).singleId());
  if (found === undefined) throw new NotFoundError({});
  return found;
}

/** The data are a person's, and of the answer nothing is asked but ids: the entry is read as a form needs it. */
export const BY_ADMIN = { visibility: "admin", fields: ["documentId"] } as const;

/** Who writes, with what they may do. */
export function who(request: RequestInfo): Pick<CreateParams, "ability" | "author"> & {
  readonly ability: RequestInfo["actor"]["ability"];
} {
  const { ability, user } = request.actor;
  return { ability, ...(user ? { author: { id: user.id } } : {}) };
}

/** `locale` of an operation of documents; the default one where a request names none. */
export const localeParam = (locale: string | undefined): { readonly locale?: string } =>
  locale === undefined ? {} : { locale };

/**
 * The parameters of a write.
 *
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for publishing, which is an action of its own
 */
function writeOf({ type, locale }: WrittenPlace, request: RequestInfo, { data, status }: Changes): CreateParams {
  if (status === "published" && type.hasDrafts) assertCan(request.actor.ability, [`${type.uid}.publish`]);
  const version = type.hasDrafts ? status : "published";
  return { ...BY_ADMIN, data, status: version, ...localeParam(locale), ...who(request) };
}

/** The body of a write. */
type Changes = v.InferOutput<typeof changesBody>;

/** A place whose document a write makes or changes. */
type WrittenPlace = Omit<EntryPlace, "documentId">;

/**
 * Writes a document and reads it in the same transaction, so that the answer is what the write left. Of a document that
 * its writer may not see, it has the ids alone.
 *
 * @throws PLINTH_HTTP_NOT_FOUND (404) where `write` found none
 */
export async function answerWrite(
  app: App,
  place: WrittenPlace,
  status: number,
  write: () => Promise<Document | null>,
): Promise<EndpointAnswer> {
  return await app.db.transaction(async () => {
    const written = await write();
    if (!written) throw new NotFoundError({});
    const { id, documentId } = written;
    const isSingle = place.type.kind === "singleType";
    const isRead = reachOfDrafts(app.model, place.ability, place.type).rows !== "nothing";
    const found = isRead && (await readEntry(app, { ...place, documentId: isSingle ? undefined : documentId }));
    return found ? entryAnswer(found, status) : { status, body: { data: { id, documentId } } };
  });
}
