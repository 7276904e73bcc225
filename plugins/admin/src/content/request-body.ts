import type { RequestInfo } from "@plinth/core/http";
import { noList, parseOptions, text } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { InvalidRequestError } from "../errors.js";

const data = noList(v.record(v.string(), v.unknown()));

/** Body of a creation or a change: attributes that changed, as bodies of the content API have them. */
export const changesBody = v.strictObject({ data, status: v.optional(v.picklist(["draft", "published"]), "draft") });

/** The id of a document as the server makes them. */
const DOCUMENT_ID = /^[0-9a-z]{24}$/;

/**
 * Body of a creation. Who sends it may choose the id: an answer that is lost can be asked for again, and makes no second
 * document.
 */
export const createBody = v.strictObject({
  ...changesBody.entries,
  documentId: v.optional(v.pipe(text(), v.regex(DOCUMENT_ID, "must be 24 of the characters 0-9 and a-z"))),
});

/** Body of an action on several documents; documents checks the ids. */
export const bulkBody = v.strictObject({
  documentIds: v.array(v.string()),
  locale: v.optional(text()),
  data: v.optional(data),
});

/** Body of a check of what a form holds. */
export const checkBody = v.strictObject({
  documentId: v.optional(v.nullable(text()), null),
  locale: v.optional(text()),
  data,
});

/** Body of a working copy. */
export const workingCopyBody = v.strictObject({
  base: v.optional(v.nullable(text()), null),
  changes: data,
  device: text(),
});

/** Documents and files that are named at once. */
const MOST_NAMED = 1_000;

/** Body of a request for names. */
export const namedBody = v.strictObject({
  documents: v.optional(
    v.pipe(v.array(v.strictObject({ uid: text(), documentId: text() })), v.maxLength(MOST_NAMED)),
    [],
  ),
  files: v.optional(v.pipe(v.array(text()), v.maxLength(MOST_NAMED)), []),
  locale: v.optional(text()),
});

/**
 * Reads the JSON body of a request.
 *
 * @throws PLINTH_ADMIN_INVALID (400) details `{ errors }`
 */
export function readBody<T>(schema: v.GenericSchema<unknown, T>, { body }: RequestInfo): T {
  const { value, problems } = parseOptions(noList(schema), body, "");
  if (problems) throw invalidRequest(problems);
  return value as T;
}

/** What is wrong with the form of a request, as an error to be thrown. */
export function invalidRequest(problems: readonly { readonly path: string; readonly message: string }[]): Error {
  return new InvalidRequestError({ errors: problems });
}
