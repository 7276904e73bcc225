/** Between cells; spreadsheets of countries with a decimal comma want a semicolon. */
export type Separator = "," | ";";

/** Before the text, so that spreadsheets read it as UTF-8. */
export const BYTE_ORDER_MARK = "﻿";

/** @source https://www.rfc-editor.org/rfc/rfc4180#section-2 */
const LINE_END = "\r\n";

/** Where a spreadsheet may take a text for a formula. @source https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** One line of a file. */
export function csvLine(cells: readonly string[], separator: Separator): string {
  return cells.map((cell) => csvCell(cell, separator)).join(separator) + LINE_END;
}

/**
 * One cell. Before a text that a spreadsheet would run as a formula stands an apostrophe, which makes it a text there; a number
 * stays as it is.
 */
export function csvCell(text: string, separator: Separator): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  const isQuoted = safe.includes(separator) || /["\r\n]/.test(safe);
  return isQuoted ? `"${safe.replaceAll('"', '""')}"` : safe;
}
