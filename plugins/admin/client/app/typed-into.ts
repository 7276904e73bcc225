const TYPED_INTO =
  "input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

/** Whether a key belongs to an input, or to a window above the page. */
export const isTypedInto = (event: KeyboardEvent): boolean =>
  event.defaultPrevented || (event.target as Element).closest(TYPED_INTO) !== null;
