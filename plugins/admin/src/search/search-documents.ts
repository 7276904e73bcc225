import { type Ability, type App, isPlinthError } from "@plinth/core";
import type { EndpointAnswer, RequestInfo } from "@plinth/core/http";
import { parseReadParams, shapeOf } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import { isOpenType } from "../content/names.js";
import { namingOf } from "../content/naming.js";
import { relatedOf, relatedRequest, STATE } from "../content/related.js";
import { invalidRequest } from "../content/request-body.js";
import { listBudget } from "../content/slow-reads.js";
import { modelViews } from "../model/model-views.js";
import type { RelatedEntry } from "../wire/content.js";
import type { FoundDocuments } from "../wire/search.js";

/** Titles that are shown, of all types together and of one. */
const MOST = 20;
const MOST_OF_TYPE = 5;

/** Rows that are read of a type: a document has one in each locale. */
const ROWS = 20;

/** Types that are asked at one time: each takes a connection of the database. */
const AT_ONCE = 3;

/** Milliseconds after which no other type is asked. */
const TIME = 1_000;

const MIN_LENGTH = 2;
const MAX_LENGTH = 200;

/** Every read of a search is one that leaves room for others: what is said where it took too long, or had to wait for too many. */
const LATE = ["PLINTH_DATABASE_TIMEOUT", "PLINTH_READ_BUSY"];

/** What a document id looks like that the server makes. */
const DOCUMENT_ID = /^[a-z0-9]{24}$/;

/**
 * `GET /admin/api/search?q=`: documents of all types by their titles, and by whole ids. A type whose title the caller's rules
 * hide is not looked into.
 *
 * @throws PLINTH_ADMIN_INVALID (400)
 */
export async function searchDocuments(app: App, request: RequestInfo): Promise<EndpointAnswer> {
  const { q, types } = request.query;
  const text = typeof q === "string" ? q.trim() : "";
  if (text.length < MIN_LENGTH || text.length > MAX_LENGTH)
    throw invalidRequest([{ path: "q", message: `must have ${MIN_LENGTH} to ${MAX_LENGTH} characters` }]);
  const { ability } = request.actor;
  const first = typeof types === "string" ? types.split(",") : [];
  const found = await askInTime(app, searchedTypes(app, ability, first), (type) => find(app, ability, type, text));
  const body: FoundDocuments = { data: found.entries.slice(0, MOST), meta: { isPartial: found.isPartial } };
  return { status: 200, body };
}

/** Those of the page whose titles the caller may read. @param first - uids of those that are asked before the others */
function searchedTypes(app: App, ability: Ability, first: readonly string[]): readonly ContentType[] {
  const all = app.service(modelViews).uids();
  const ordered = [...first.filter((uid) => all.includes(uid)), ...all.filter((uid) => !first.includes(uid))];
  return ordered.flatMap((uid) => {
    const type = app.model.contentTypes.get(uid);
    if (!type || !isOpenType(app, ability, type)) return [];
    const { title } = namingOf(type);
    const shape = shapeOf(type, ability.reachOf(`${uid}.find`));
    return title !== undefined && shape.attributes.has(title) ? [type] : [];
  });
}

interface Found {
  readonly entries: readonly RelatedEntry[];
  /** Whether a type was not asked, or did not answer in time. */
  readonly isPartial: boolean;
}

/** Asks a few types at a time, until there is enough or time is up. What is found comes in the order of the types. */
async function askInTime(
  { clock }: App,
  types: readonly ContentType[],
  ask: (type: ContentType) => Promise<readonly RelatedEntry[] | undefined>,
): Promise<Found> {
  const end = clock.now() + TIME;
  const answers: (readonly RelatedEntry[] | undefined)[] = [];
  let next = 0;
  const isEnough = () => answers.reduce((sum, answer) => sum + (answer?.length ?? 0), 0) >= MOST;
  const work = async () => {
    while (next < types.length && clock.now() < end && !isEnough()) {
      const index = next;
      next += 1;
      const type = types[index];
      if (type) answers[index] = await ask(type);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const isPartial = next < types.length || answers.includes(undefined);
  return { entries: answers.flatMap((answer) => answer ?? []), isPartial };
}

/** Undefined where the database did not answer in time. */
async function find(app: App, ability: Ability, type: ContentType, text: string) {
  const { title = "" } = namingOf(type);
  const byTitle = { [title]: { $containsi: text } };
  const filters = DOCUMENT_ID.test(text) ? { $or: [byTitle, { documentId: text }] } : byTitle;
  const params = { filters, sort: "id:desc", fallbackLocale: [], ...(type.isLocalized ? { locale: "*" } : {}) };
  const prepared = parseReadParams(
    app.model,
    type,
    { ...params, pagination: { limit: ROWS, withCount: false } },
    {
      ...{ visibility: "admin", kind: "list", defaultStatus: "draft", ability },
      ...{ budget: { ...listBudget(app), expensive: 0, expensiveTime: TIME } },
      ...{ selection: relatedRequest(app.model, type), facts: STATE, asStored: true },
    },
  );
  try {
    const rows = (await app.documents(type.uid).read(prepared)).rows().map(relatedOf);
    return oncePerDocument(rows, app.model.defaultLocale).slice(0, MOST_OF_TYPE);
  } catch (error) {
    if (isPlinthError(error) && LATE.includes(error.code)) return undefined;
    throw error;
  }
}

/** Of the locales of a document the default one, else the one that was found first. */
function oncePerDocument(rows: readonly RelatedEntry[], defaultLocale: string): readonly RelatedEntry[] {
  const known = new Map<string, RelatedEntry>();
  for (const row of rows)
    if (!known.has(row.documentId) || row.locale === defaultLocale) known.set(row.documentId, row);
  return [...known.values()];
}
