import { type Ability, type App, type Document, type DocumentUse, NotFoundError } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { CODE_BUDGET, hiddenLinks, parseReadParams, shapeOf } from "@plinth/core/reads";
import type { UseList } from "../wire/content.js";
import { placeOf, stateOf } from "./read-entry.js";
import { relatedOf, relatedRequest, STATE } from "./related.js";
import { isShown } from "./shown-types.js";
import { documentIdOf } from "./write-entry.js";

/** Documents of one type that are listed, each locale for itself. */
const MOST = 100;

/** Uses by one attribute that are looked at; of these the caller may see a part. */
const MOST_READ = 1000;

/** `GET /admin/api/content/:uid/:id/uses`: the documents that link to one, as far as the caller sees them. */
export async function listUses(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const place = placeOf(app, request, "find");
  if ((await stateOf(app, place)) === undefined) throw new NotFoundError({});
  const uses = await app.documents(place.type.uid).usesOf(await documentIdOf(app, place), { most: MOST_READ });
  const data = await seenUses(app, uses, place.ability);
  return { status: 200, body: { data } satisfies UseList };
}

/** Of the places that use a document or a file, the documents that an ability sees. */
async function seenUses(app: App, uses: readonly DocumentUse[], ability: Ability): Promise<UseList["data"]> {
  const byType = new Map<string, DocumentUse[]>();
  for (const use of uses) {
    const ofType = byType.get(use.uid);
    if (ofType) ofType.push(use);
    else byType.set(use.uid, [use]);
  }
  const data: UseList["data"][number][] = [];
  for (const [uid, ofType] of byType) data.push(...(await usesIn(app, ability, uid, ofType)));
  return data;
}

/** The same of several documents or files: of each, in the same order. What is asked of the database is asked once for all. */
export async function seenUsesOfEach(
  app: App,
  uses: readonly (readonly DocumentUse[])[],
  ability: Ability,
): Promise<readonly UseList["data"][]> {
  const seen = await seenUses(app, uses.flat(), ability);
  return uses.map((ofOne) => {
    const keys = new Set(ofOne.map(keyOf));
    return seen.filter((use) => keys.has(keyOf(use)));
  });
}

type UseKey = Pick<DocumentUse, "uid" | "documentId" | "field"> & { readonly locale: string | null };

const keyOf = ({ uid, documentId, field, locale }: UseKey): string => `${uid} ${documentId} ${field} ${locale ?? ""}`;

/** The uses in documents of one type. A link by an attribute that the caller does not see is no use for them. */
async function usesIn(app: App, ability: Ability, uid: string, uses: readonly DocumentUse[]): Promise<UseList["data"]> {
  const { model, readBudget } = app;
  const type = model.contentTypes.get(uid);
  if (!type || !isShown(type) || !ability.can(`${uid}.find`)) return [];
  const hidden = hiddenLinks(model, type, shapeOf(type, ability.reachOf(`${uid}.find`)), "admin");
  const seen = uses.filter(({ field }) => !hidden.includes(field));
  const documentIds = [...new Set(seen.map(({ documentId }) => documentId))];
  const locale = type.isLocalized ? { locale: "*" } : {};
  const named = { filters: { documentId: { $in: documentIds } }, ...locale };
  const params = { ...named, sort: "id:desc", pagination: { limit: MOST }, fallbackLocale: [] };
  const prepared = parseReadParams(model, type, params, {
    ...{ visibility: "admin", kind: "list", defaultStatus: "draft", ability },
    ...{ selection: relatedRequest(model, type), facts: STATE, asStored: true },
    budget: { ...CODE_BUDGET, nestedLimit: readBudget.nestedLimit },
  });
  const rows = (await app.documents(uid).read(prepared)).rows();
  return rows.flatMap((row) => fieldsOf(row, seen).map((field) => ({ ...relatedOf(row), field })));
}

/** The attributes by which a row links to the document, each once: draft and published row are one. */
function fieldsOf({ documentId, locale }: Document, uses: readonly DocumentUse[]): readonly string[] {
  const own = uses.filter((use) => use.documentId === documentId && use.locale === (locale ?? ""));
  return [...new Set(own.map(({ field }) => field))];
}
