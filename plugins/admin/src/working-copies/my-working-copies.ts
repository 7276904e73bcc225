import type { App, Document } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { type NamedPlace, names } from "../content/names.js";
import { namingOf } from "../content/naming.js";
import { textOf } from "../content/related.js";
import { WORKING_COPY_TYPE } from "../content-types/working-copy.js";
import type { WorkingCopyView } from "../wire/working-copy.js";
import { accountOf, stillKept } from "./working-copies.js";

/** Working copies on the home screen. */
const MOST = 50;

/** `GET /admin/api/working-copies`: those of the caller, the last saved first. */
export async function listWorkingCopies(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const copies = await app.documents(WORKING_COPY_TYPE).findMany({
    filters: { account: accountOf(request), ...stillKept(app) },
    sort: "updatedAt:desc",
    pagination: { limit: MOST },
    withPrivate: true,
  });
  const places = copies.map((copy) => placeOf(app, copy));
  const named = await app.service(names).documents(request.actor.ability, places);
  const data = copies.map((copy, index) => viewOf(app, copy, named[index]?.title));
  return { status: 200, body: { data } };
}

/** Where a copy belongs; that of a single type names no document. */
function placeOf({ model }: App, { contentType, document, localeCode }: Document): NamedPlace {
  const uid = String(contentType);
  const locale = typeof localeCode === "string" && model.contentTypes.get(uid)?.isLocalized ? localeCode : null;
  return { uid, documentId: String(document), locale };
}

/** A document that is new, or that may not be seen any more, has the title that was typed. */
function viewOf({ model }: App, copy: Document, known: string | undefined): WorkingCopyView {
  const { contentType, document, localeCode, changes, updatedAt } = copy as unknown as Record<string, string | null>;
  const uid = String(contentType);
  const documentId = String(document);
  const type = model.contentTypes.get(uid);
  const typed = type && (changes as unknown as Record<string, unknown>)[namingOf(type).title ?? ""];
  const title = known ?? textOf(typed) ?? documentId;
  return { uid, documentId, locale: localeCode ?? null, title, savedAt: String(updatedAt) };
}
