import type { Ability, App, Document } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { parseReadParams } from "@plinth/core/reads";
import { namingOf } from "../content/naming.js";
import { relatedOf, relatedRequest, textOf } from "../content/related.js";
import { isShown } from "../content/shown-types.js";
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
  });
  const titles = await titlesOf(app, request.actor.ability, copies);
  const data = copies.map((copy) => viewOf(app, copy, titles));
  return { status: 200, body: { data } };
}

/** Titles of documents by content-type, document and locale. */
type Titles = ReadonlyMap<string, string>;

const keyOf = (...parts: readonly unknown[]) => parts.join(" ");

/** The titles of the documents that the caller may see. */
async function titlesOf({ documents, model }: App, ability: Ability, copies: readonly Document[]): Promise<Titles> {
  const titles = new Map<string, string>();
  for (const uid of new Set(copies.map(({ contentType }) => String(contentType)))) {
    const type = model.contentTypes.get(uid);
    if (!type || !isShown(type)) continue;
    const named = copies.filter(({ contentType }) => contentType === uid).map(({ document }) => document);
    const locale = type.isLocalized ? { locale: "*" } : {};
    const params = { filters: { documentId: { $in: named } }, fallbackLocale: [], ...locale };
    const prepared = parseReadParams(model, type, params, {
      ...{ visibility: "admin", kind: "list", defaultStatus: "draft", ability },
      ...{ selection: relatedRequest(model, type), asStored: true },
    });
    for (const row of (await documents(uid).read(prepared)).rows()) {
      const { documentId, locale: code, title } = relatedOf(row);
      titles.set(keyOf(uid, documentId, code), title);
    }
  }
  return titles;
}

/** A document that is new, or that may not be seen any more, has the title that was typed. */
function viewOf({ model }: App, copy: Document, titles: Titles): WorkingCopyView {
  const { contentType, document, localeCode, changes, updatedAt } = copy as unknown as Record<string, string | null>;
  const uid = String(contentType);
  const documentId = String(document);
  const type = model.contentTypes.get(uid);
  const typed = type && (changes as unknown as Record<string, unknown>)[namingOf(type).title ?? ""];
  const title = titles.get(keyOf(uid, documentId, localeCode)) ?? textOf(typed) ?? documentId;
  return { uid, documentId, locale: localeCode ?? null, title, savedAt: String(updatedAt) };
}
