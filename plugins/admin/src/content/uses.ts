import { type Ability, type App, type Document, type DocumentUse, NotFoundError } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { CODE_BUDGET, hiddenLinks, parseReadParams, shapeOf } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import type { UseList } from "../wire/content.js";
import type { UsesOfFile } from "../wire/file-uses.js";
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
  const seen = await seenUses(app, uses, place);
  return { status: 200, body: { data: seen.uses } satisfies UseList };
}

/** The caller, and how much they get. */
interface Asker {
  readonly ability: Ability;
  /** Documents of each type, each locale for itself. */
  readonly most?: number | undefined;
}

/** Of the places that use a document or a file, the documents that an ability sees, the newest of each type. */
export async function seenUses(app: App, uses: readonly DocumentUse[], asker: Asker): Promise<UsesOfFile> {
  const byType = new Map<string, DocumentUse[]>();
  for (const use of uses) {
    const ofType = byType.get(use.uid);
    if (ofType) ofType.push(use);
    else byType.set(use.uid, [use]);
  }
  const found: UsesOfFile[] = [];
  for (const [uid, ofType] of byType) found.push(await usesIn(app, asker, uid, ofType));
  return { uses: found.flatMap((each) => each.uses), isCut: found.some(({ isCut }) => isCut) };
}

const NONE: UsesOfFile = { uses: [], isCut: false };

/** The uses in documents of one type. A link by an attribute that the caller does not see is no use for them. */
async function usesIn(app: App, asker: Asker, uid: string, uses: readonly DocumentUse[]): Promise<UsesOfFile> {
  const { model, readBudget } = app;
  const { ability, most = MOST } = asker;
  const type = model.contentTypes.get(uid);
  if (!type || !isShown(type) || !ability.can(`${uid}.find`)) return NONE;
  const hidden = hiddenLinks(model, type, shapeOf(type, ability.reachOf(`${uid}.find`)), true);
  const seen = uses.filter(({ field }) => !hidden.includes(field));
  if (seen.length === 0) return NONE;
  const locale = type.isLocalized ? { locale: "*" } : {};
  const named = { filters: { $or: placesOf(type, seen) }, ...locale };
  const params = { ...named, sort: "id:desc", pagination: { limit: most + 1 }, fallbackLocale: [] };
  const prepared = parseReadParams(model, type, params, {
    ...{ visibility: "admin", kind: "list", defaultStatus: "draft", ability },
    ...{ selection: relatedRequest(model, type), facts: STATE, asStored: true },
    budget: { ...CODE_BUDGET, nestedLimit: readBudget.nestedLimit },
  });
  const rows = (await app.documents(uid).read(prepared)).rows();
  return {
    uses: rows.slice(0, most).flatMap((row) => fieldsOf(row, seen).map((field) => ({ ...relatedOf(row), field }))),
    isCut: rows.length > most,
  };
}

/** The rows that hold a use: a document may have more locales than those, and they must not take the place of others. */
function placesOf({ isLocalized }: ContentType, uses: readonly DocumentUse[]): readonly object[] {
  const idsByLocale = new Map<string, Set<string>>();
  for (const { documentId, locale } of uses) {
    const ids = idsByLocale.get(locale) ?? new Set();
    idsByLocale.set(locale, ids.add(documentId));
  }
  return [...idsByLocale].map(([locale, ids]) => ({
    documentId: { $in: [...ids] },
    ...(isLocalized ? { locale } : {}),
  }));
}

/** The attributes by which a row links to the document, each once: draft and published row are one. */
function fieldsOf({ documentId, locale }: Document, uses: readonly DocumentUse[]): readonly string[] {
  const own = uses.filter((use) => use.documentId === documentId && use.locale === (locale ?? ""));
  return [...new Set(own.map(({ field }) => field))];
}
