import type { App } from "@plinth/core";
import { assertCan } from "@plinth/core/access";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { parseReadParams } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { UnknownRelationError } from "../errors.js";
import type { RelatedList } from "../wire/content.js";
import { PAGE_SIZE, readLinked } from "./linked.js";
import { localeIn, SINGLE } from "./read-entry.js";
import { parseRelationPath, type RelationPath } from "./relation-path.js";
import { relatedOf, relatedRequest, STATE } from "./related.js";
import { isShown, typeFor } from "./shown-types.js";
import { listBudget, readInTime } from "./slow-reads.js";

/** Documents of a relation that are left out of what may be linked; a picker shows the rest as chosen. */
const MOST_EXCLUDED = 1000;

/** What a document id looks like that the server makes. */
const DOCUMENT_ID = /^[a-z0-9]{24}$/;

/**
 * `GET /admin/api/content/:uid/relations/:path`: what may be linked, newest first, without what is linked already in
 * `without`. A search looks at the texts of documents, and at whole document ids.
 */
export async function listCandidates(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const type = typeFor(app, request, "find");
  const { ability } = request.actor;
  const path = parseRelationPath(app.model, type, ability, request.params["path"] ?? "");
  const target = targetOf(app, type, path, request);
  assertCan(ability, [`${target.uid}.find`]);
  const { cursor = "*", locale, _q } = request.query;
  const isId = typeof _q === "string" && DOCUMENT_ID.test(_q);
  const filters = { $and: [await exclusionOf(app, type, path, request), isId ? { documentId: _q } : {}] };
  const pagination = { cursor, pageSize: PAGE_SIZE };
  const params = { filters, sort: "id:desc", pagination, locale, fallbackLocale: [], ...(isId ? {} : { _q }) };
  const prepared = parseReadParams(app.model, target, params, {
    ...{ visibility: "admin", kind: "list", defaultStatus: "draft", budget: listBudget(app), ability },
    ...{ selection: relatedRequest(app.model, target), facts: STATE, asStored: true },
  });
  const result = await readInTime(app, app.documents(target.uid).read(prepared));
  const meta = { nextCursor: result.nextCursor ?? null };
  return { status: 200, body: { data: result.rows().map(relatedOf), meta } satisfies RelatedList };
}

/** The type that a relation leads to; of one to several types, the one that `type` of the query names. */
function targetOf(
  { model }: App,
  type: ContentType,
  { relation }: RelationPath,
  { params, query }: RequestInfo,
): ContentType {
  const uid = relation.target ?? query["type"];
  const target = typeof uid === "string" ? model.contentTypes.get(uid) : undefined;
  const isChosen = target !== undefined && (relation.target !== undefined || isShown(target));
  if (!isChosen) throw new UnknownRelationError({ uid: type.uid, path: params["path"] ?? "" });
  return target;
}

/** The condition that leaves out what `without` links to already. */
async function exclusionOf(app: App, type: ContentType, path: RelationPath, request: RequestInfo): Promise<object> {
  const { actor, query } = request;
  const { without } = query;
  if (typeof without !== "string" || without === "") return {};
  const place = {
    type,
    documentId: without === SINGLE ? undefined : without,
    locale: localeIn(type, request),
    ability: actor.ability,
  };
  const { items } = await readLinked(app, place, path, { start: 0, limit: MOST_EXCLUDED });
  return items.length === 0 ? {} : { documentId: { $notIn: items.map(({ documentId }) => documentId) } };
}
