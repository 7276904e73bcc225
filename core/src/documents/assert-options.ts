// Checks the options of operations, for JavaScript and for code that the compiler does not check.
import type { Operation } from "./hooks.js";
import { InvalidOptionError, UnknownOptionError } from "./params/errors.js";

/** An operation that is called with an object of options. */
export type CalledOperation = Exclude<Operation, "read">;

const CONDITIONS = ["filters", "sort"];
const ANSWER = ["fields", "populate", "facts", "asStored", "withPrivate"];
const READ = [
  ...[...CONDITIONS, ...ANSWER, "pagination", "search", "_q", "visibility", "ability"],
  ...["status", "locale", "fallbackLocale", "publicationFilter", "hasPublishedVersion"],
];
const WRITE = [...CONDITIONS, ...ANSWER, "selection", "status", "locale", "visibility", "ability", "author", "isTrial"];
const VERSIONS = [...WRITE, "documentId", "ifVersion", "unlessVersion"];

/** The options of each operation. The sort of a write, and the filters of a create and an update, are checked and have no effect. */
const OPTIONS: Readonly<Record<CalledOperation, readonly string[]>> = {
  findMany: READ,
  findFirst: READ,
  findOne: [...READ, "documentId"],
  count: READ,
  create: [...VERSIONS, "data"],
  update: [...VERSIONS, "data", "alsoPublished"],
  delete: VERSIONS,
  publish: VERSIONS,
  unpublish: VERSIONS,
  discardDraft: VERSIONS,
};

/** What the query string of a caller may not get into an operation of theirs by. */
const CODE_ONLY: ReadonlySet<string> = new Set(["facts", "asStored", "selection", "author", "isTrial"]);

const VISIBILITIES: readonly unknown[] = ["public", "code", "admin", "caller"];

/** What texts of a query string may not stand for. */
const FORMS: Readonly<Record<string, { readonly expected: string; readonly fits: (value: unknown) => boolean }>> = {
  visibility: {
    expected: '"public", "code", "admin" or "caller"',
    fits: (value) => VISIBILITIES.includes(value),
  },
  withPrivate: { expected: "true or false", fits: isBoolean },
  asStored: { expected: "true or false", fits: isBoolean },
  isTrial: { expected: "true or false", fits: isBoolean },
  alsoPublished: { expected: "true or false", fits: isBoolean },
  ability: {
    expected: "an ability, such as that of `ctx.state.actor`",
    fits: (value) => typeof (value as { readonly reachOf?: unknown } | null)?.reachOf === "function",
  },
};

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

/**
 * Refuses options that an operation does not take. An undefined one counts as left out.
 *
 * @throws PLINTH_QUERY_UNKNOWN_OPTION (400) details `{ key, operation, known }`
 * @throws PLINTH_QUERY_INVALID_OPTION (400) details `{ key, operation, expected }`
 */
export function assertOptions(operation: CalledOperation, params: { readonly visibility?: unknown } = {}): void {
  const options = OPTIONS[operation];
  const known = params.visibility === "caller" ? options.filter((key) => !CODE_ONLY.has(key)) : options;
  for (const [key, value] of Object.entries(params)) {
    if (value === undefined) continue;
    if (!known.includes(key)) throw new UnknownOptionError({ key, operation, known });
    const form = Object.hasOwn(FORMS, key) ? FORMS[key] : undefined;
    if (form && !form.fits(value)) throw new InvalidOptionError({ key, operation, expected: form.expected });
  }
}
