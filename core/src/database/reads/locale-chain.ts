import { allOf, anyOf, newAlias } from "../sql/sql.js";

/** The rows of a type, of which each document shows one. */
export interface LocaleRows {
  /** Quoted. */
  readonly table: string;
  readonly alias: string;
  /** Conditions for another row of the document to be shown in place of this one, if it is of an earlier locale. */
  readonly hasEarlierLocale: (alias: string) => readonly string[];
  /**
   * Each row looks up earlier locales by itself, in the index of versions. Default: PostgreSQL may look all of them up
   * at once, which is what a count needs, and ruins a page that ends after a few rows.
   */
  readonly isRowByRow: boolean;
}

/**
 * The condition that a row is in the first of some locales that its document has.
 *
 * @param locales - their SQL; with a single one there is nothing to look up.
 */
export function firstLocaleSql(
  locales: readonly string[],
  { table, alias, hasEarlierLocale, isRowByRow }: LocaleRows,
): string {
  const steps = locales.map((locale, step) => {
    const own = `${alias}.locale = ${locale}`;
    if (step === 0) return own;
    const earlier = newAlias();
    const isEarlier = `${earlier}.locale in (${locales.slice(0, step).join(", ")})`;
    const where = [`${earlier}.document_id = ${alias}.document_id`, isEarlier, ...hasEarlierLocale(earlier)];
    // PostgreSQL turns an `exists` into a join of whole tables unless it has an offset.
    const fence = isRowByRow ? " offset 0" : "";
    const isShown = allOf(where.filter((condition) => condition !== "true"));
    return allOf([own, `not exists (select from ${table} ${earlier} where ${isShown}${fence})`]);
  });
  return anyOf(steps);
}
