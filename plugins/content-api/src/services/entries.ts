import type { App, CreateParams, Document, Precondition, ReadResult, Status } from "@plinth/core";
import { currentCaller, unlimited } from "@plinth/core/access";
import {
  createReadParser,
  documentVersion,
  type Pagination,
  parseAnswerParams,
  type PreparedRead,
  type ReadParser,
} from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import type { RestConfig } from "../config.js";
import type { AskedCaller, Caller, FoundOne, FoundPage, PaginationMeta, Params, WriteParams } from "../contract.js";
import { FallbackOnWriteError, MissingDataError, UnknownParameterError } from "../errors.js";

/** What the services of one content-type are made of. */
export interface ServiceTools {
  readonly app: App;
  readonly type: ContentType;
  readonly config: RestConfig;
  /** Parses the parameters of a list. */
  readonly parseList: ReadParser;
  /** Parses the parameters of one document; without an id, of the document of a single type. */
  readonly parseOne: ReadParser;
}

/** Which version a request means that names none. @source plugins/content-api/WIRE.md#status */
const DEFAULT_STATUS: Status = "published";

/** Code that the server trusts. */
const trusted: Caller = { visibility: "code", ability: unlimited };

/** The caller that code means; without one it is the code itself. @throws PLINTH_ACCESS_NO_CALLER (500) */
export function knownCaller(asked: AskedCaller = trusted): Caller {
  if (asked.visibility !== "caller") return asked;
  const { visibility, ability, author } = currentCaller();
  return { ...asked, visibility, ability: asked.ability ?? ability, author };
}

/** The parsers of a content-type's reads. */
export function readParsers(
  app: App,
  type: ContentType,
  limits: RestConfig,
): Pick<ServiceTools, "parseList" | "parseOne"> {
  const common = () => ({ budget: app.readBudget, defaultStatus: DEFAULT_STATUS });
  return {
    parseList: createReadParser(app.model, type, () => ({ kind: "list", limits, ...common() })),
    parseOne: createReadParser(app.model, type, () => ({ kind: "one", ...common() })),
  };
}

/** Reads one document. */
export async function readOne(
  { app, type }: ServiceTools,
  prepared: PreparedRead,
  { from, withStamp }: Pick<Caller, "from" | "withStamp"> = {},
): Promise<FoundOne | null> {
  return oneOfResult(await app.documents(type.uid).read(prepared, { from, withStamp }));
}

/**
 * Checks a write's parameters, then that there are data, so that nothing is written when either is wrong.
 *
 * @returns the parameters for documents: the data, their version, and what of the result the caller sees.
 * @throws PLINTH_QUERY_* (400), PLINTH_REST_MISSING_DATA (400)
 * @source plugins/content-api/WIRE.md#order-of-checks
 */
export function prepareWrite(
  tools: ServiceTools,
  { data, ...query }: WriteParams,
  { from: _from, withStamp: _withStamp, ...caller }: Caller,
): CreateParams & Precondition {
  const status = statusOf(tools, query, caller);
  assertNoFallback(query);
  if (typeof data !== "object" || data === null) throw new MissingDataError({});
  const { fields, populate } = query;
  return {
    fields,
    populate,
    data: data as CreateParams["data"],
    status: tools.type.hasDrafts ? status : "published",
    ...caller,
    ...namedLocale(query),
  };
}

/** Which version a write's parameters name, once all of them are checked. */
function statusOf({ app, type }: ServiceTools, query: Params, { visibility, ability }: Caller): Status {
  if (Object.keys(query).length === 0) return DEFAULT_STATUS;
  const options = { visibility, ability, kind: "written", defaultStatus: DEFAULT_STATUS } as const;
  return parseAnswerParams(app.model, type, query, options).query.status;
}

/** A write is about exactly one version of a document. @throws PLINTH_REST_FALLBACK_ON_WRITE (400) */
function assertNoFallback({ fallbackLocale }: Params): void {
  if (fallbackLocale !== undefined) throw new FallbackOnWriteError({});
}

/** What chooses documents. */
const CONDITIONS: readonly string[] = ["filters", "_q", "publicationFilter", "hasPublishedVersion"];

const nameOfCondition = (params: Params): string | undefined => CONDITIONS.find((name) => params[name] !== undefined);

/**
 * Draft actions are about exactly the versions that `locale` names: what would choose some of them is not dropped.
 *
 * @throws PLINTH_REST_FALLBACK_ON_WRITE, PLINTH_REST_UNKNOWN_PARAMETER (400)
 */
export function assertNoConditions(params: Params): void {
  assertNoFallback(params);
  const key = nameOfCondition(params);
  if (key !== undefined)
    throw new UnknownParameterError({ key, path: null, source: "query", known: ["fields", "populate", "locale"] });
}

/**
 * What a delete may find. Its conditions hold for the document as the caller reads it with the same parameters; it is then
 * deleted in the version that was read.
 *
 * @returns undefined where the caller would not be shown the document: nothing is deleted then.
 * @throws PLINTH_QUERY_* (400), PLINTH_REST_FALLBACK_ON_WRITE (400)
 */
export async function deletable(
  tools: ServiceTools,
  params: Params,
  { ifVersion, unlessVersion, ...caller }: Caller,
  documentId?: string,
): Promise<Precondition | undefined> {
  const { status: _status, ...always } = params;
  const isChosen = nameOfCondition(params) !== undefined;
  const prepared = tools.parseOne(isChosen ? params : always, caller, documentId);
  assertNoFallback(params);
  if (!isChosen) return { ifVersion, unlessVersion };
  const found = await readOne(tools, prepared);
  if (!found) return undefined;
  const { version } = found;
  return { ifVersion: ifVersion ?? (version === undefined ? undefined : [version]), unlessVersion };
}

/** The locale that a request names, for versions of a document; none on types that are not localised. */
export function localeOf({ type }: ServiceTools, params: Params): { readonly locale?: string } {
  return type.isLocalized ? namedLocale(params) : {};
}

/**
 * The locale that a create or update names. On types that are not localised it says which rows of localised types a
 * relation is written to.
 *
 * @source plugins/content-api/WIRE.md#inverse-sides
 */
function namedLocale({ locale }: Params): { readonly locale?: string } {
  return typeof locale === "string" && locale !== "" ? { locale } : {};
}

/** A page of rows that code made or changed, for services that do not pass the database's own text on. */
export function foundPage(rows: readonly Document[], pagination: PaginationMeta): FoundPage {
  return { text: JSON.stringify(rows), pagination, rows: () => rows };
}

/** One row that code made or changed. */
export function foundOne(row: Document): FoundOne {
  return { text: JSON.stringify(row), version: documentVersion(row), row: () => row };
}

/** A page as the database returned it. */
export function pageOfResult(result: ReadResult, { pagination }: PreparedRead): FoundPage {
  const { text, source, stamp } = result;
  const shown = pagination ? metaOf(pagination, result) : wholeList(result);
  return { text, source, stamp, pagination: shown, rows: () => result.rows() };
}

/** One document as the database returned it; null when there is none. */
function oneOfResult(result: ReadResult): FoundOne | null {
  const { text, version, source, stamp } = result;
  if (text === "null") return null;
  return { text, version, source, stamp, row: () => result.rows()[0] ?? (JSON.parse(text) as Document) };
}

/** What a read says of its page beside the rows. */
interface PageEnd {
  readonly total: number | undefined;
  readonly nextCursor?: string | null | undefined;
}

/** @source plugins/content-api/WIRE.md#pagination, what a cursor adds is ours */
function metaOf(pagination: Pagination, { total, nextCursor = null }: PageEnd): PaginationMeta {
  if (pagination.style === "cursor") {
    const { pageSize } = pagination;
    return { pageSize, nextCursor, ...(total === undefined ? {} : { pageCount: Math.ceil(total / pageSize), total }) };
  }
  if (pagination.style === "offset") {
    const { start, limit } = pagination;
    return total === undefined ? { start, limit } : { start, limit, total };
  }
  const { page, pageSize } = pagination;
  return total === undefined ? { page, pageSize } : { page, pageSize, pageCount: Math.ceil(total / pageSize), total };
}

/** A list without pages. */
function wholeList(result: ReadResult): PaginationMeta {
  const total = result.rows().length;
  return { start: 0, limit: total, total };
}
