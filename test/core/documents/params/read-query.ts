import type { Ability } from "#core/access/ability.js";
import { EVERYTHING, NOTHING, unlimited } from "#core/access/ability.js";
import type { PlinthError } from "#core/base/error.js";
import { isPlinthError } from "#core/base/error.js";
import type { PreparedRead, ReadOptions } from "#core/documents/params/parse-params.js";
import { parseReadParams } from "#core/documents/params/parse-params.js";
import { parseQueryString } from "#core/http/query-string.js";
import { corpusModel } from "../../schema/corpus-model.js";

/** The content model of the corpus app: articles (localised, drafts), authors, categories, two single types. */
export const model = corpusModel();

/** What the public of the corpus app may find: everything but authors. */
export const publicAbility: Ability = {
  key: "public",
  can: (action) => action !== "api::author.author.find",
  reachOf: (action) => (action === "api::author.author.find" ? NOTHING : EVERYTHING),
};

const LIMITS = { defaultLimit: 25, maxLimit: 100, withCount: true };
const REST: ReadOptions = {
  visibility: "public",
  ability: unlimited,
  kind: "list",
  limits: LIMITS,
  defaultStatus: "published",
};

/** Parses parameters as REST does; a text is a query string. */
export function read(input: string | object, options: Partial<ReadOptions> = {}, name = "article"): PreparedRead {
  const type = model.contentTypes.get(`api::${name}.${name}`);
  if (!type) throw new TypeError(`The corpus app has no ${name}.`);
  const params = typeof input === "string" ? parseQueryString(input) : input;
  return parseReadParams(model, type, params, { ...REST, ...options });
}

/** The error that parameters raise. */
export function refusal(input: string | object, options: Partial<ReadOptions> = {}, name = "article"): PlinthError {
  try {
    read(input, options, name);
  } catch (error) {
    if (isPlinthError(error)) return error;
    throw error;
  }
  throw new TypeError(`No error for ${JSON.stringify(input)}`);
}

/** An error as it stands in the answer. */
export function answerOf({ status, wireName, message, details }: PlinthError): object {
  return { status, name: wireName, message, details: JSON.parse(JSON.stringify(details)) as object };
}
