/** What runs the statements: PostgreSQL itself, or with the extension that spreads schemas over several servers. */
export const engines = ["postgres", "citus"] as const;
/** One of `engines`. */
export type Engine = (typeof engines)[number];

const FIND = "select exists (select from pg_extension where extname = 'citus') as is_citus";

/** The engine of a database, by its extensions. @param query - runs a statement, and gives its rows. */
export async function findEngine(query: (text: string) => Promise<readonly object[]>): Promise<Engine> {
  const [row] = (await query(FIND)) as readonly { readonly is_citus: boolean }[];
  return row?.is_citus ? "citus" : "postgres";
}
