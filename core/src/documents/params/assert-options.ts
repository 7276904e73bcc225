import type { Operation } from "../hooks.js";
import { UnknownOptionError } from "./errors.js";

/** An operation that is called with an object of options. */
type Called = Exclude<Operation, "read">;

const CONDITIONS = ["filters", "sort"];
const ANSWER = ["fields", "populate"];
const READ = [
  ...[...CONDITIONS, ...ANSWER, "pagination", "search", "_q", "ability"],
  ...["status", "locale", "fallbackLocale", "publicationFilter", "hasPublishedVersion"],
];
const WRITE = [...CONDITIONS, ...ANSWER, "selection", "status", "locale", "visibility", "ability"];
const VERSIONS = [...WRITE, "documentId", "ifVersion", "unlessVersion"];

/** The options of each operation. Filters and sort of a write have no effect, and are checked. */
const OPTIONS: Readonly<Record<Called, readonly string[]>> = {
  findMany: READ,
  findFirst: READ,
  findOne: [...READ, "documentId"],
  count: READ,
  create: [...WRITE, "data", "ifVersion", "unlessVersion"],
  update: [...VERSIONS, "data", "alsoPublished"],
  delete: VERSIONS,
  publish: VERSIONS,
  unpublish: VERSIONS,
  discardDraft: VERSIONS,
};

/**
 * Rejects options that an operation does not take, for JavaScript and for code that the compiler does not check. An
 * undefined one counts as left out.
 *
 * @throws PLINTH_QUERY_UNKNOWN_OPTION (400) details `{ key, operation, known }`
 */
export function assertOptions(operation: Called, params: object = {}): void {
  const known = OPTIONS[operation];
  for (const [key, value] of Object.entries(params)) {
    if (value !== undefined && !known.includes(key)) throw new UnknownOptionError({ key, operation, known });
  }
}
