// Compares two GraphQL schemas: every document that one accepts, the other has to accept, apart from what was decided.
import { findBreakingChanges } from "graphql";

/**
 * A difference that is meant: `difference` is a regular expression on the description of a change, `sentence` says why.
 * @typedef {{ difference: string, sentence: string }} Decision
 */

/**
 * Lists what documents for one schema would miss in another.
 *
 * @param {import("graphql").GraphQLSchema} reference
 * @param {import("graphql").GraphQLSchema} schema
 * @param {readonly Decision[]} decisions
 * @returns {{ decided: { sentence: string, changes: string[] }[], problems: string[] }} `problems` has every change that
 * no decision covers, and every decision that nothing differs by any more.
 */
export function compareSchemas(reference, schema, decisions) {
  const changes = findBreakingChanges(reference, schema).map(({ description }) => description);
  const decided = decisions.map(({ difference, sentence }) => {
    const pattern = new RegExp(difference);
    return { sentence, difference, changes: changes.filter((change) => pattern.test(change)) };
  });
  const known = new Set(decided.flatMap((decision) => decision.changes));
  const stale = decided.filter((decision) => decision.changes.length === 0);
  return {
    decided: decided.map(({ sentence, changes: found }) => ({ sentence, changes: found })),
    problems: [
      ...changes.filter((change) => !known.has(change)),
      ...stale.map(({ difference }) => `nothing differs by "${difference}" any more`),
    ],
  };
}
