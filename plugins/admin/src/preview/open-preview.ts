import { type App, NotFoundError } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import type { KnownSession } from "../access/known-sessions.js";
import { type EntryPlace, placeOf, prepareOne, readRows, SINGLE } from "../content/read-entry.js";
import { documentIdOf } from "../content/write-entry.js";
import { modelViews } from "../model/model-views.js";
import type { PreviewPlace } from "../wire/preview.js";
import { readWorkingCopy } from "../working-copies/working-copies.js";
import { PreviewAddressError } from "./errors.js";
import { layOver } from "./lay-over.js";
import { attributesIn, fillTemplate } from "./preview-address.js";
import { previews } from "./previews.js";
import { Typed } from "./typed.js";

/**
 * `POST /admin/api/preview/:uid/:id?locale`: where the front end shows a document, and what it reads the draft by.
 *
 * @throws PLINTH_HTTP_NOT_FOUND (404) for a type without a preview, and for a document that the caller does not see
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for a caller who may not read drafts
 * @throws PLINTH_ADMIN_PREVIEW_ADDRESS (409) where the address needs values that are empty
 */
export async function openPreview(app: App, session: KnownSession, request: RequestInfo): Promise<EndpointAnswer> {
  const place = placeOf(app, request, "find");
  const { uid, isLocalized } = place.type;
  const template = app.service(modelViews).previewOf(uid);
  if (template === undefined) throw new NotFoundError({});
  const documentId = await documentIdOf(app, place);
  const locale = isLocalized ? (place.locale ?? app.model.defaultLocale) : null;
  const values = await valuesOf(app, session, { ...place, locale: locale ?? undefined }, attributesIn(template));
  const missing = attributesIn(template).filter((name) => [undefined, null, ""].includes(values[name] as null));
  if (missing.length > 0) throw new PreviewAddressError({ attributes: missing });
  const { token, expiresAt } = app.service(previews).issue(session, { uid, documentId, locale });
  const own = { documentId, locale: locale ?? app.model.defaultLocale, token };
  const body: PreviewPlace = { url: fillTemplate(template, { ...values, ...own }), token, expiresAt };
  return { status: 200, body };
}

type Values = Readonly<Record<string, unknown>>;

/** Values of attributes as they were typed. @throws PLINTH_HTTP_NOT_FOUND (404) */
async function valuesOf(
  app: App,
  { account }: KnownSession,
  place: EntryPlace,
  attributes: readonly string[],
): Promise<Values> {
  const { type, documentId: document = SINGLE, locale: localeCode = null } = place;
  const fields = ["documentId", ...attributes].map((name) => ({ name }));
  const prepared = prepareOne(app, place, { selection: { fields, populate: [] } });
  const [row] = (await readRows(app, place, prepared)).rows;
  if (!row) throw new NotFoundError({});
  const copy = await readWorkingCopy(app, type.uid, { account: account.documentId, document, localeCode });
  return await layOver(app, { type, prepared, row, typed: new Typed(copy) });
}
