import { type App, NotFoundError } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { parseReadParams, type PreparedRead } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { SINGLE } from "../content/read-entry.js";
import { invalidRequest } from "../content/request-body.js";
import { readWorkingCopy } from "../working-copies/working-copies.js";
import { PreviewForeignError } from "./errors.js";
import { layOver } from "./lay-over.js";
import type { PreviewClaims } from "./preview-token.js";
import { type PreviewActor, previewOf } from "./previews.js";
import { Typed } from "./typed.js";

/** What a request may say; the rest is said by its token. */
const KNOWN: readonly string[] = ["fields", "populate", "status", "locale"];

/**
 * `GET /api/preview/:uid/:documentId`, with a preview token: the draft of its document as REST answers it, with what its
 * administrator typed and did not save laid over it. Rows and attributes are those that the administrator's role may read,
 * without private ones.
 *
 * @throws PLINTH_ADMIN_PREVIEW_FOREIGN (403), PLINTH_ADMIN_INVALID (400), PLINTH_HTTP_NOT_FOUND (404), PLINTH_QUERY_* (400)
 */
export async function readPreview(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { claims, session } = previewOf(request.actor);
  assertOwn(request, claims);
  const type = app.model.contentTypes.get(claims.uid);
  if (!type) throw new NotFoundError({});
  const prepared = prepare(app, type, request, { claims, session });
  const [row] = (await app.documents(type.uid).read(prepared)).rows();
  if (!row) throw new NotFoundError({});
  const copy = await readWorkingCopy(app, type.uid, {
    account: session.account.documentId,
    document: type.kind === "singleType" ? SINGLE : claims.documentId,
    localeCode: claims.locale,
  });
  const data = await layOver(app, { type, prepared, row, typed: new Typed(copy) });
  return { status: 200, headers: { "cache-control": "no-store" }, body: { data, meta: {} } };
}

/** @throws PLINTH_ADMIN_PREVIEW_FOREIGN (403) for another document, locale or status; PLINTH_ADMIN_INVALID (400) */
function assertOwn({ params, query }: RequestInfo, { uid, documentId, locale }: PreviewClaims): void {
  const unknown = Object.keys(query).filter((key) => !KNOWN.includes(key));
  if (unknown.length > 0)
    throw invalidRequest(unknown.map((path) => ({ path, message: `is unknown; known are ${KNOWN.join(", ")}` })));
  const isOwn =
    params["uid"] === uid &&
    params["documentId"] === documentId &&
    (query["status"] ?? "draft") === "draft" &&
    (query["locale"] ?? locale) === locale;
  if (!isOwn) throw new PreviewForeignError({});
}

function prepare(
  { model, readBudget }: App,
  type: ContentType,
  { query }: RequestInfo,
  { claims, session }: PreviewActor["preview"],
): PreparedRead {
  const { fields, populate } = query;
  const locale = claims.locale ?? undefined;
  const params = { fields, populate, status: "draft", locale, fallbackLocale: [] };
  return parseReadParams(model, type, params, {
    ...{ visibility: "public", kind: "one", defaultStatus: "draft", action: `${type.uid}.find`, budget: readBudget },
    ...{ ability: session.ability, documentId: claims.documentId },
  });
}
