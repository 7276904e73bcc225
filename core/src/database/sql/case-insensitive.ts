/**
 * Collation that lower-cases every script, `Ü` as well as `U`, independent of the database's default. The
 * synchronisation makes it from the best that the server has, so that the SQL text is the same everywhere.
 */
export const FOLD_COLLATION = "plinth_fold";

/** SQL of a text without its case, for the operators that ignore it: both sides of a comparison go through it. */
export function caseInsensitiveSql(expression: string): string {
  return `lower((${expression}) collate ${FOLD_COLLATION})`;
}
