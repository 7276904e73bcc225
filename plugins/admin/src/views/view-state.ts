import { type Ability, type App, isPlinthError } from "@plinth/core";
import { noList, text } from "@plinth/core/options";
import { parseReadParams } from "@plinth/core/reads";
import type { ContentType } from "@plinth/core/schema";
import * as v from "@plinth/core/valibot";
import { isReadableColumn } from "../content/readable-columns.js";
import { invalidRequest } from "../content/request-body.js";
import { listBudget } from "../content/slow-reads.js";
import type { LeftOut, ViewState } from "../wire/views.js";
import { keepConditions } from "./filter-tree.js";

const short = v.pipe(text(), v.maxLength(200));
const columns = v.pipe(v.array(short), v.minLength(1), v.maxLength(200));

/** What a view keeps of the address of a list. */
export const stateBody = v.strictObject({
  q: v.optional(short),
  sort: v.optional(v.pipe(short, v.regex(/^[\w.]+:(?:asc|desc)$/, "must be a field and its direction: title:asc"))),
  locale: v.optional(short),
  filters: v.optional(noList(v.record(v.string(), v.unknown()))),
  columns: v.optional(columns),
  size: v.optional(v.picklist([25, 50, 100])),
});

/** A type, and who looks at its list. */
export interface Looking {
  readonly app: App;
  readonly type: ContentType;
  readonly ability: Ability;
}

/** What a reader gets of a state. */
export interface ReadableState {
  readonly state: ViewState;
  readonly left: LeftOut;
}

/**
 * What of a state a reader may ask for. A condition on what they may not read is not in it, nor its value: both would tell
 * them of a field that they do not see.
 */
export function readableState(looking: Looking, stored: ViewState): ReadableState {
  const { filters, sort, locale, columns: named = [], ...rest } = stored;
  const conditions = keepConditions(filters ?? {}, (filter) => problemOf(looking, { filters: filter }) === undefined);
  const isSorted = sort !== undefined && problemOf(looking, { sort }) === undefined;
  const hasLocale = locale !== undefined && looking.app.model.locales.includes(locale);
  const seen = named.filter((name) => isReadableColumn(looking.type, looking.ability, name));
  return {
    state: {
      ...rest,
      ...(isSorted ? { sort } : {}),
      ...(hasLocale ? { locale } : {}),
      ...(conditions.tree ? { filters: conditions.tree } : {}),
      ...(seen.length > 0 ? { columns: seen } : {}),
    },
    left: {
      filters: conditions.left,
      columns: named.length - seen.length,
      sort: sort !== undefined && !isSorted,
      locale: locale !== undefined && !hasLocale,
    },
  };
}

/**
 * Checks a state that somebody saves.
 *
 * @throws what a list with it is refused with: PLINTH_QUERY_* (400), PLINTH_ACCESS_FORBIDDEN (403)
 * @throws PLINTH_ADMIN_INVALID (400) for a column that is not there, and for filters in a form that the page does not have
 */
export function assertState(looking: Looking, { filters = {}, sort, locale, columns: named = [] }: ViewState): void {
  const errors = named
    .filter((name) => !isReadableColumn(looking.type, looking.ability, name))
    .map((name) => ({ path: "state.columns", message: `has no column "${name}"` }));
  if (locale !== undefined && !looking.app.model.locales.includes(locale))
    errors.push({ path: "state.locale", message: "is none of the site" });
  if (errors.length > 0) throw invalidRequest(errors);
  const unsorted = problemOf(looking, { sort });
  if (unsorted) throw unsorted;
  keepConditions(filters, (filter) => {
    const problem = problemOf(looking, { filters: filter });
    if (problem) throw problem;
    return true;
  });
}

/** Why a list may not ask for something; undefined: it may. Other faults than refusals are thrown. */
function problemOf({ app, type, ability }: Looking, params: object): Error | undefined {
  try {
    parseReadParams(app.model, type, params, {
      ...{ visibility: "admin", kind: "list", defaultStatus: "draft", budget: listBudget(app), ability },
      selection: { fields: [{ name: "id" }], populate: [] },
    });
    return undefined;
  } catch (error) {
    if (isPlinthError(error) && (error.status === 400 || error.status === 403)) return error;
    throw error;
  }
}
