import type { Ability } from "../../access/ability.js";
import type { Filter, PreparedQuery, Query, Sort, Status } from "../../database/reads/query.js";
import type { ContentModel, ContentType } from "../../schema/model.js";
import { parseCursor } from "./cursor.js";
import { type ParamName, TooCostlyError } from "./errors.js";
import { type FactsRequest, withFacts } from "./facts.js";
import { freezeDeep } from "../../base/frozen-copy.js";
import { parseFields } from "./parse-fields.js";
import { parseFilters } from "./parse-filters.js";
import { parseLocales } from "./parse-locale.js";
import { type Limits, type Pagination, parsePagination, rangeOf } from "./parse-pagination.js";
import { parsePopulate } from "./parse-populate.js";
import { parseSort } from "./parse-sort.js";
import { askedStatus, parseVersion } from "./parse-status.js";
import { CODE_BUDGET, PUBLIC_BUDGET, type ReadBudget, ReadMeter } from "./read-budget.js";
import { assessRead } from "./read-cost.js";
import { parseText, type ParseContext, type Visibility } from "./parse-context.js";
import { type DeniedFields, type ResolvedSelection, resolveSelection } from "./resolve-selection.js";
import type { ReadSelection } from "./selection-request.js";
import { createVisibleTypes, seenBy } from "./visible-types.js";
import { ValueSlots } from "./value-slots.js";

/** The caller, the kind of read, and the defaults. */
export interface ReadOptions {
  readonly visibility: Visibility;
  /** Whether private attributes are returned and may be named; to the public they never are. Default: for administrators only. */
  readonly withPrivate?: boolean | undefined;
  readonly ability: Ability;
  /**
   * `one`: a document by id, or the document of a single type, where it fulfils the conditions. `written`: the document that
   * a write returns; conditions are checked, and choose nothing. The sort of both is checked.
   */
  readonly kind: "list" | "one" | "written";
  /** Undefined: lists are cut only where `pagination` says so, and never counted. */
  readonly limits?: Limits;
  readonly defaultStatus: Status;
  readonly documentId?: string;
  /**
   * The action whose rule holds for the documents themselves. Default: `find`, and `findOne` for one document of a
   * collection.
   */
  readonly action?: string;
  /** What to return, in place of `fields` and `populate`. */
  readonly selection?: ReadSelection;
  /** Which facts of each row to return as `_facts`. Default: none. */
  readonly facts?: FactsRequest | undefined;
  /** Whether hooks on output are passed by, but those of files. Default: false. */
  readonly asStored?: boolean | undefined;
  /** The limits. Default: those of clients; none for code. */
  readonly budget?: ReadBudget;
}

/** A Query with its values, and the page it returns, for lists. */
export interface PreparedRead extends PreparedQuery {
  readonly pagination: Pagination | undefined;
  /** What of `selection` is not in the Query, the very objects, and why. */
  readonly deniedFields: DeniedFields;
  /** Whether rules on rows are in it, whose values may be others the next time, or for another actor of equal `key`. */
  readonly hasRules: boolean;
}

type Params = Readonly<Record<string, unknown>>;

const UNLIMITED: Limits = {
  defaultLimit: Number.POSITIVE_INFINITY,
  maxLimit: Number.POSITIVE_INFINITY,
  withCount: false,
};

/**
 * Turns the parameters of a read into a Query: the one grammar of REST and of `app.documents`. Every name is looked up
 * in the schema, every value coerced; what the ability cannot read or find is not in the Query, and the rules on its
 * rows are.
 *
 * @param input - qs-parsed query string or an object from code: `filters`, `sort`, `fields`, `populate`, `pagination`,
 * `_q` (from code also `search`), `status`, `locale`, `fallbackLocale`, `publicationFilter`, `hasPublishedVersion`;
 * other keys are ignored.
 * @returns deeply frozen.
 * @throws PLINTH_QUERY_* (400), the first fault in the order: filters, sort, fields, populate, pagination, the rest
 * @throws PLINTH_ACCESS_FORBIDDEN (403) for drafts that the ability may not read, and for filters that look at them
 * @source plugins/content-api/WIRE.md#query-string
 */
export function parseReadParams(
  model: ContentModel,
  type: ContentType,
  input: object,
  options: ReadOptions,
): PreparedRead {
  const budget = options.budget ?? (options.visibility === "public" ? PUBLIC_BUDGET : CODE_BUDGET);
  const place = { ...seenBy(options.visibility, model, type), meter: new ReadMeter(budget) };
  const read = parseRead(place, input as Params, options);
  const stored = options.asStored ? { ...read, asStored: true } : read;
  return freezeDeep(budget === CODE_BUDGET ? stored : limited(place.model, stored, budget));
}

interface ReadPlace {
  readonly model: ContentModel;
  readonly type: ContentType;
  readonly meter: ReadMeter;
}

function parseRead({ model, type, meter }: ReadPlace, params: Params, options: ReadOptions): PreparedRead {
  const values = new ValueSlots(model.defaultLocale);
  const { ability, visibility } = options;
  const status = askedStatus(params["status"], options.defaultStatus);
  const { visibleTypeOf, draftsOf, hasRules } = createVisibleTypes({ model, ability, values, status });
  const withPrivate = showsPrivate(options);
  const common = { model, ability, visibility, withPrivate, values, visibleTypeOf, meter };
  const reading = (param: ParamName): ParseContext => ({ ...common, param });
  const seen = visibleTypeOf(type, options.action ?? readAction(type, options.kind));
  const { shape, visible } = seen;
  const withState = visibility === "admin" && options.kind === "list";
  const filter = parseFilters({ ...reading("filters"), withState }, shape, params["filters"]);
  const sort = parseSort(reading("sort"), shape, params["sort"]);
  const { selection: asked, deniedFields } = selectionOf(reading, shape, params, options.selection);
  const selection = withFacts(model, asked, options.facts, seen);
  const pagination =
    options.kind === "list" ? pageOf(reading("pagination"), params["pagination"], options.limits) : undefined;
  const version = parseVersion(type, params, options.defaultStatus, draftsOf(type));
  const locales = parseLocales(reading("locale"), type, params);
  const about = { type: type.uid, ...version, ...(visible ? { visible } : {}), selection, ...locales };
  const search = parseSearch(reading("_q"), params["_q"]);
  const conditions = options.kind === "written" ? {} : { filter, search, searched: searchedIn(type, shape) };
  const query: Query =
    options.kind === "list"
      ? {
          ...about,
          ...conditionsOf(values, conditions),
          ...(pagination ? { page: parsePage(reading("pagination"), type, sort, pagination) } : {}),
          isOne: false,
          sort,
          count: pagination?.withCount ?? false,
        }
      : {
          ...about,
          ...conditionsOf(values, locales.locale === "*" ? NO_VERSION : conditions),
          ...idOf(reading("documentId"), options.documentId),
          isOne: true,
          sort: [],
          count: false,
        };
  return { query, values: values.all(), pagination, deniedFields, hasRules: hasRules() };
}

/** Whether private attributes are returned and may be named. */
const showsPrivate = ({ visibility, withPrivate = visibility === "admin" }: ReadOptions): boolean =>
  withPrivate && visibility !== "public";

/**
 * A read with what it may cost. Where it costs too much in content of the assumed size, and more than its answer alone,
 * `limits.most` says that it has to be priced by the content that there is; see read-prices.ts.
 *
 * @throws PLINTH_QUERY_TO_MANY_STEPS, PLINTH_QUERY_TOO_COSTLY (400)
 */
function limited(model: ContentModel, read: PreparedRead, budget: ReadBudget): PreparedRead {
  const { query } = read;
  const { points, answerPoints, isWatched } = assessRead(model, read, budget);
  const { answerBytes, cost, expensive, expensiveTime } = budget;
  if (answerPoints > cost) throw new TooCostlyError({ cost: Math.round(points), limit: cost });
  const limits = { answerBytes, points, answerPoints, expensive, expensiveTime };
  const most = points > cost ? { most: cost } : {};
  return { ...read, limits: { ...limits, ...most }, query: isWatched ? { ...query, isWatched } : query };
}

type ReadingOf = (param: ParamName) => ParseContext;

function selectionOf(
  reading: ReadingOf,
  shape: ContentType,
  params: Params,
  request: ReadSelection | undefined,
): ResolvedSelection {
  if (request) return resolveSelection(reading("populate"), shape, request);
  // Ahead of the grammar of `populate`, whose faults come after those of `fields`.
  const fields = parseFields(reading("fields"), shape, params["fields"]);
  const populate = parsePopulate(reading("populate"), params["populate"]);
  const { selection, deniedFields } = resolveSelection(reading("populate"), shape, populate);
  return { selection: { ...selection, fields }, deniedFields };
}

function readAction({ uid, kind }: ContentType, read: ReadOptions["kind"]): string {
  return read !== "list" && kind === "collectionType" ? `${uid}.findOne` : `${uid}.find`;
}

/** The attributes that a search may look into, where it may not look into all. */
function searchedIn(type: ContentType, shape: ContentType): readonly string[] | undefined {
  return shape === type ? undefined : [...shape.attributes.keys()];
}

function pageOf(reading: ParseContext, input: unknown, limits: Limits | undefined): Pagination | undefined {
  if (!limits && input === undefined) return undefined;
  return parsePagination(reading, input, limits ?? UNLIMITED);
}

function parseSearch(reading: ParseContext, input: unknown): string | undefined {
  return input === undefined || input === null || input === "" ? undefined : parseText(reading, "_q", input);
}

function idOf(reading: ParseContext, documentId: string | undefined): Pick<Query, "documentId"> {
  return documentId === undefined
    ? {}
    : { documentId: reading.values.add(parseText(reading, "documentId", documentId)) };
}

/** What rows have to fulfil. */
interface Conditions {
  readonly filter?: Filter | undefined;
  readonly search?: string | undefined;
  readonly searched?: readonly string[] | undefined;
}

/** `*` names no version of one document, so it finds none. @source plugins/content-api/WIRE.md#locales */
const NO_VERSION: Conditions = { filter: { op: "constant", value: false } };

function conditionsOf(
  values: ValueSlots,
  { filter, search, searched }: Conditions,
): Pick<Query, "filter" | "search" | "searched"> {
  return {
    ...(filter ? { filter } : {}),
    ...(search === undefined ? {} : { search: values.add(search), ...(searched ? { searched } : {}) }),
  };
}

/** Rows before a page from which on it costs more to walk past whole rows than to look the page's up by their ids. */
const DEEP = 1000;

/** Rows of a page from which on it costs less to read what is populated for all of them at once than for each. */
const LONG = 25;

/** @throws PLINTH_QUERY_INVALID_CURSOR (400) */
function parsePage(
  reading: ParseContext,
  type: ContentType,
  sort: readonly Sort[],
  pagination: Pagination,
): NonNullable<Query["page"]> {
  const { values } = reading;
  if (pagination.style === "cursor") {
    const after = parseCursor(reading, type, sort, pagination.cursor);
    return { after, limit: values.add(pagination.pageSize), ...longOf(pagination.pageSize) };
  }
  const { start, limit } = rangeOf(pagination);
  const isDeep = start >= DEEP ? { isDeep: true } : {};
  return { start: values.add(start), limit: values.add(limit), ...isDeep, ...longOf(limit) };
}

const longOf = (limit: number): { readonly isLong?: boolean } => (limit >= LONG ? { isLong: true } : {});
