import { type App, NotFoundError } from "@plinth/core";
import { assertCan } from "@plinth/core/access";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { forAllDocuments } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { forgetWorkingCopies } from "../working-copies/forget-copies.js";
import { actOn, isVersionAction, VERSION_ACTIONS } from "./entry-actions.js";
import { bulkBody, invalidRequest, readBody } from "./request-body.js";
import { typeFor } from "./shown-types.js";
import { BY_ADMIN, localeParam, who } from "./write-entry.js";

/**
 * `POST /admin/api/content/:uid/actions/:action`: the same for up to 1,000 documents, all of them or none.
 *
 * @throws PLINTH_DOCUMENT_BULK_REFUSED (400) with the problems of all documents
 * @throws PLINTH_ACCESS_FORBIDDEN (403) where a rule leaves one of them out
 */
export async function runBulkAction(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { action = "" } = request.params;
  const type = typeFor(app, request);
  const work = workOf(app, request, type, action);
  const { documentIds, locale } = readBody(bulkBody, request);
  await app.db.transaction(async () => {
    await forAllDocuments(app.db, documentIds, work);
    if (action === "delete") await forgetWorkingCopies(app, request, { type, documentIds, locale });
  });
  return { status: 204 };
}

/** What is done with one document. */
type Work = (documentId: string) => Promise<void>;

function workOf(app: App, request: RequestInfo, type: ContentType, action: string): Work {
  const documents = app.documents(type.uid);
  const may = (name: string) => assertCan(request.actor.ability, [`${type.uid}.${name}`]);
  const { locale: named, data } = readBody(bulkBody, request);
  const locale = type.isLocalized ? named : undefined;
  const params = { ...who(request), ...localeParam(locale), fields: ["documentId"] };
  if (isVersionAction(action)) {
    may(VERSION_ACTIONS[action]);
    const { ability } = params;
    return (documentId) => actOn(app, { type, documentId, locale, ability }, action, who(request));
  }
  if (action === "delete") {
    may("delete");
    return async (documentId) => {
      const { entries } = await documents.delete({ ...params, documentId });
      if (entries.length === 0) throw new NotFoundError({});
    };
  }
  if (action !== "set") throw new NotFoundError({});
  may("update");
  if (data === undefined) throw invalidRequest([{ path: "data", message: "is missing; it must be an object" }]);
  const status = type.hasDrafts ? "draft" : "published";
  return async (documentId) => {
    if (!(await documents.update({ ...BY_ADMIN, ...params, documentId, data, status }))) throw new NotFoundError({});
  };
}
