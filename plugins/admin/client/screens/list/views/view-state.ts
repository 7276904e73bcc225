import { ALL, type ListSearch } from "../../../app/list-search.js";
import type { LeftOut, SavedView, ViewState } from "../../../../src/wire/views.js";

/** What a view keeps of an address. @param columns - those that are shown */
export function stateOf({ q, sort, locale, filters, size }: ListSearch, columns: readonly string[]): ViewState {
  return {
    ...(q ? { q } : {}),
    ...(sort ? { sort } : {}),
    ...(locale ? { locale } : {}),
    ...(filters ? { filters } : {}),
    ...(columns.length > 0 ? { columns } : {}),
    ...(size ? { size: size as NonNullable<ViewState["size"]> } : {}),
  };
}

/** The address that shows a view. */
export const searchOf = ({ id, state }: Pick<SavedView, "id" | "state">): ListSearch => ({ ...state, view: id });

/** Whether an address says nothing at all: then the list opens with the view that is chosen for that. */
export const isBare = (search: ListSearch): boolean => Object.keys(search).length === 0;

/** Whether a list without a view is another than that of the schema, so that it is worth to be saved. */
export function isSpecial({ view: _view, cursor: _cursor, ...state }: ListSearch): boolean {
  return Object.keys(state).length > 0;
}

/** Whether an address shows something else than its view. @param columns - those of the list where the view names none */
export function hasChanges(view: Pick<SavedView, "state">, search: ListSearch, columns: readonly string[]): boolean {
  const shown = view.state.columns ?? columns;
  return textOf({ ...view.state, columns: shown }) !== textOf(stateOf(search, search.columns ?? shown));
}

/** The same text for equal states, whose keys may have another order. */
const textOf = ({ q, sort, locale, filters, columns, size }: ViewState): string =>
  JSON.stringify([q, sort, locale, filters, columns, size]);

/** Whether something of a view is kept from its reader. */
export const isPartly = ({ filters, columns, sort, locale }: LeftOut): boolean =>
  filters > 0 || columns > 0 || sort || locale;

/** Views in the order of their reader; those that are not named come after. */
export function inOrder<View extends Pick<SavedView, "id">>(
  views: readonly View[],
  order: readonly string[] = [],
): readonly View[] {
  const rank = ({ id }: View) => (order.includes(id) ? order.indexOf(id) : order.length);
  return views.toSorted((a, b) => rank(a) - rank(b));
}

/** The ids of some views, with one of them a place earlier (-1) or later (1). */
export function moved(views: readonly Pick<SavedView, "id">[], id: string, by: number): readonly string[] {
  const ids = views.map((view) => view.id);
  const from = ids.indexOf(id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= ids.length) return ids;
  ids.splice(to, 0, ...ids.splice(from, 1));
  return ids;
}

/** The address of the list without a view. @param hasDefault - whether the bare address is that of another view */
export const searchOfAll = (hasDefault: boolean): ListSearch => (hasDefault ? { view: ALL } : {});
