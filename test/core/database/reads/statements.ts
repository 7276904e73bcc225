import { readFileSync } from "node:fs";
import { compileQuery, type Plan } from "#core/database/reads/compile-query.js";
import { formatSql } from "./format-sql.js";
import { libraryLayout } from "./library.js";
import type { Read } from "./queries.js";

/**
 * The file of the statements of some reads: for each its title, the slots of its parameters, and its SQL. After a change
 * of the compiler, `node --conditions=plinth-source --import tsx test/core/database/reads/write-statements.ts` writes
 * them all; the diff is what to review.
 */
export const statementsUrl = (name: string): URL => new URL(`./statements/${name}.sql`, import.meta.url);

/** What the compiler makes of a read, as the file shows it. */
export function describeStatement({ title, query }: Pick<Read, "title" | "query">): string {
  const plan = compileQuery(query, libraryLayout);
  const kept = plan.kept ? [`-- total kept by slots: ${plan.kept.slots.join(", ")}`] : [];
  const uncounted = plan.uncounted ? ["-- without the total:", ...describePlan(plan.uncounted)] : [];
  return [`-- ${title}`, ...kept, ...describePlan(plan), ...uncounted].join("\n");
}

const describePlan = ({ text, slots }: Plan): string[] => [`-- slots: ${slots.join(", ")}`, `${formatSql(text)};`];

/** The statements of a file, by their titles. */
export function readStatements(name: string): ReadonlyMap<string, string> {
  const parts = readFileSync(statementsUrl(name), "utf8").trimEnd().split("\n\n");
  return new Map(parts.map((part) => [part.slice("-- ".length, part.indexOf("\n")), part]));
}
