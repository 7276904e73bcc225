import type { CreateParams, Precondition, Status } from "@plinth/core";
import { parseAnswerParams } from "@plinth/core/reads";
import type { Caller, Params, WriteParams } from "../contract.js";
import { FallbackOnWriteError, MissingDataError } from "../errors.js";
import { DEFAULT_STATUS, type ServiceTools } from "./read-entries.js";

/**
 * Checks a write's parameters, then that there are data, so that nothing is written when either is wrong.
 *
 * @returns the parameters for documents: the data, their version, and what of the result the caller sees.
 * @throws PLINTH_QUERY_* (400), PLINTH_REST_MISSING_DATA (400)
 * @source plugins/content-api/WIRE.md#order-of-checks
 */
export function prepareWrite(
  tools: ServiceTools,
  { data, ...query }: WriteParams,
  caller: Caller,
): CreateParams & Precondition {
  const status = statusOf(tools, query, caller);
  assertNoFallback(query);
  if (typeof data !== "object" || data === null) throw new MissingDataError({});
  const { fields, populate } = query;
  return {
    fields,
    populate,
    data: data as CreateParams["data"],
    status: tools.type.hasDrafts ? status : "published",
    ...caller,
    ...namedLocale(query),
  };
}

/** Which version a write's parameters name, once all of them are checked. */
function statusOf({ app, type }: ServiceTools, query: Params, { visibility, ability }: Caller): Status {
  if (Object.keys(query).length === 0) return DEFAULT_STATUS;
  const options = { visibility, ability, kind: "one", defaultStatus: DEFAULT_STATUS } as const;
  return parseAnswerParams(app.model, type, query, options).query.status;
}

/** A write is about exactly one version of a document. @throws PLINTH_REST_FALLBACK_ON_WRITE (400) */
export function assertNoFallback({ fallbackLocale }: Params): void {
  if (fallbackLocale !== undefined) throw new FallbackOnWriteError({});
}

/** The locale that a request names, for versions of a document; none on types that are not localised. */
export function localeOf({ type }: ServiceTools, params: Params): { readonly locale?: string } {
  return type.isLocalized ? namedLocale(params) : {};
}

/**
 * The locale that a create or update names. On types that are not localised it says which rows of localised types a
 * relation is written to.
 *
 * @source plugins/content-api/WIRE.md#inverse-sides
 */
function namedLocale({ locale }: Params): { readonly locale?: string } {
  return typeof locale === "string" && locale !== "" ? { locale } : {};
}
