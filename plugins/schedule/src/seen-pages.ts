/** How much is looked through for what a caller sees. */
export interface PageLimits {
  /** Rows that are read at once. */
  readonly page: number;
  /** How often, at most. */
  readonly pages: number;
  /** As many seen rows end the search. */
  readonly enough: number;
}

/**
 * Goes through pages of rows until enough of them are seen: what a caller does not see takes no place of what they do, so that a
 * list does not tell how much is hidden.
 *
 * @param read - one page, in the order of the list.
 * @param see - what the caller sees of it.
 * @returns all that was seen, which may be more than enough
 */
export async function seenPages<Row, Seen = Row>(
  { page, pages, enough }: PageLimits,
  read: (limit: number, offset: number) => Promise<readonly Row[]>,
  see: (found: readonly Row[]) => Promise<readonly Seen[]>,
): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for (let index = 0; index < pages && seen.length < enough; index += 1) {
    const found = await read(page, index * page);
    seen.push(...(await see(found)));
    if (found.length < page) break;
  }
  return seen;
}
