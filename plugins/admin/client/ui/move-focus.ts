/** What can have the focus. */
const FOCUSABLE =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [contenteditable=true], [tabindex='0']";

/** For how many frames the focus is held: menus and windows that close give it back a few frames later. */
const FRAMES = 12;

/**
 * Moves the focus to what is there after the page has been drawn, and keeps it there until menus and windows that close are
 * gone. A key or a click of the reader ends it.
 *
 * @param find - the element; nothing while it is not there yet
 */
export function focusSoon(find: () => HTMLElement | null | undefined): void {
  const ended = new AbortController();
  for (const kind of ["keydown", "pointerdown"])
    addEventListener(kind, () => ended.abort(), { capture: true, signal: ended.signal });
  let left = FRAMES;
  const step = () => {
    if (ended.signal.aborted) return;
    const target = find();
    if (target && document.activeElement !== target) target.focus();
    left -= 1;
    if (left > 0) requestAnimationFrame(step);
    else ended.abort();
  };
  requestAnimationFrame(step);
}

/** The first control inside of an element. */
export const firstControl = (element: Element | null | undefined): HTMLElement | null =>
  [...(element?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].find((control) => control.offsetParent !== null) ??
  null;

/** Leaves the focus where it is while rows change their places: browsers take it from what is moved in the document. */
export function keepFocus(): void {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || activeElement === document.body) return;
  focusSoon(() => (activeElement.isConnected ? activeElement : undefined));
}

/** Marks a row of a list whose focus is looked after. */
export const ROW = { "data-row": "" } as const;

/** Marks what adds to such a list. */
export const ADD = { "data-add": "" } as const;

/**
 * Moves the focus after a row was removed: to the next one, else to the one before it, else to what adds a row.
 *
 * @param listId - id of the element that has the rows, marked by ROW, and what is marked by ADD
 * @param index - of the row that is gone
 */
export function focusAfterRemoval(listId: string, index: number): void {
  focusSoon(() => {
    const list = document.getElementById(listId);
    const rows = rowsOf(list);
    const row = rows[index] ?? rows[index - 1];
    const add = list?.querySelector<HTMLElement>("[data-add]");
    return firstControl(row) ?? (add?.matches(FOCUSABLE) ? add : firstControl(add)) ?? null;
  });
}

/**
 * Moves the focus before a row is removed, where it takes a while until it is gone.
 *
 * @param control - inside of the row
 */
export function focusBesideRow(listId: string, control: Element): void {
  const list = document.getElementById(listId);
  const rows = rowsOf(list);
  const index = rows.findIndex((row) => row.contains(control));
  const next = rows[index + 1] ?? rows[index - 1];
  focusSoon(() => firstControl(next?.isConnected ? next : list?.querySelector("[data-add]")));
}

/** Moves the focus to a row, or to the first control of a part of it. */
export function focusRow(listId: string, index: number, part = ""): void {
  focusSoon(() => {
    const row = rowsOf(document.getElementById(listId))[index];
    return firstControl(part === "" ? row : row?.querySelector(part)) ?? firstControl(row);
  });
}

/** Whether somebody is busy elsewhere than in a list: what was added to it later takes no focus from them. */
export function isFocusElsewhere(listId: string): boolean {
  const { activeElement: active } = document;
  const isHere = document.getElementById(listId)?.contains(active) || active?.closest("[role=dialog]");
  return active !== null && active !== document.body && !isHere;
}

/** Rows of a list; not those of lists inside of them. */
const rowsOf = (list: HTMLElement | null): readonly HTMLElement[] =>
  [...(list?.querySelectorAll<HTMLElement>("[data-row]") ?? [])].filter(
    (row) => row.parentElement?.closest("[data-row]") === (list?.closest("[data-row]") ?? null),
  );
