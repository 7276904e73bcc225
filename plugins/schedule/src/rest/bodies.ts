import type { RequestInfo } from "@plinth/core/http";
import { hasNul } from "@plinth/core/schema";
import type * as v from "@plinth/core/valibot";
import { InvalidPlanError } from "../errors.js";
import { parseForm } from "../forms.js";

/**
 * Reads the JSON body of a request, in the envelope `data` or without.
 *
 * @throws PLINTH_SCHEDULE_INVALID (400)
 */
export function readBody<T>(schema: v.GenericSchema<unknown, T>, { body }: RequestInfo): T {
  if (!isRecord(body) || !isRecord(body["data"])) return parseForm(schema, body);
  // What stands beside the envelope would be passed over without a word.
  const beside = Object.keys(body).filter((key) => key !== "data");
  if (beside.length > 0)
    throw new InvalidPlanError({ errors: beside.map((path) => ({ path, message: "must stand inside of data" })) });
  return parseForm(schema, body["data"]);
}

/** A parameter of the query that is one text. @throws PLINTH_SCHEDULE_INVALID (400) */
export function textParam({ query }: RequestInfo, path: string): string | undefined {
  const value = query[path];
  if (value === undefined) return undefined;
  if (typeof value === "string" && !hasNul(value)) return value || undefined;
  throw new InvalidPlanError({ errors: [{ path, message: "must be one text, without NUL" }] });
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
