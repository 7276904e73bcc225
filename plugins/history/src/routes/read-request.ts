import type { RequestInfo } from "@plinth/core/http";
import { allowed, noList, parseOptions, text } from "@plinth/core/options";
import * as v from "@plinth/core/valibot";
import { InvalidHistoryRequestError } from "../errors.js";

/** Body of a restore, with or without the envelope `data`. */
export const restoreBody = v.strictObject({ attributes: v.optional(v.pipe(v.array(text()), v.minLength(1))) });

/** What the query string of any of the routes may say. */
const query = v.strictObject({
  locale: v.optional(text()),
  to: v.optional(text()),
  attributes: v.optional(text()),
  limit: v.optional(v.pipe(text(), v.digits(), allowed("a whole number, such as 25"))),
});

/** @throws PLINTH_HISTORY_INVALID (400) */
export function readQuery(request: RequestInfo): v.InferOutput<typeof query> {
  return read(query, { ...request.query });
}

/** @throws PLINTH_HISTORY_INVALID (400) */
export function readRestore({ body = {} }: RequestInfo): v.InferOutput<typeof restoreBody> {
  const { data, ...beside } = Object(body) as Readonly<Record<string, unknown>>;
  if (data === undefined) return read(restoreBody, body ?? {});
  // What stands beside the envelope would be passed over, and all attributes be restored.
  const errors = Object.keys(beside).map((path) => ({ path, message: "must stand inside of data" }));
  if (errors.length > 0) throw new InvalidHistoryRequestError({ errors });
  return read(restoreBody, data);
}

function read<T>(schema: v.GenericSchema<unknown, T>, raw: unknown): T {
  const { value, problems } = parseOptions(noList(schema), raw, "");
  if (problems) throw new InvalidHistoryRequestError({ errors: problems });
  return value as T;
}
