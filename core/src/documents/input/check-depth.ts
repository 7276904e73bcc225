import { BodyTooDeepError } from "../errors.js";

/** Far beyond any content, and far below what exhausts the stack here, in JSON texts and in PostgreSQL's jsonb. */
const MAX_DEPTH = 100;

/**
 * Refuses data that nests too deep, so that everything after it may walk the data recursively.
 *
 * @throws PLINTH_INPUT_BODY_TOO_DEEP (400) details `{ maxDepth }`
 */
export function assertShallow(value: unknown, depth = 0): void {
  if (typeof value !== "object" || value === null) return;
  if (depth >= MAX_DEPTH) throw new BodyTooDeepError({ maxDepth: MAX_DEPTH });
  for (const item of Object.values(value)) assertShallow(item, depth + 1);
}
