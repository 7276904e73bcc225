import type { HttpContext } from "@plinth/core";
import { type OptionsSchema, parseOptions } from "@plinth/core/options";
import { InvalidRequestError } from "../errors.js";

/** The body of a request, checked. @throws PLINTH_ADMIN_INVALID (400) with every problem */
export function parseBody<T>(schema: OptionsSchema<T>, ctx: HttpContext): T {
  const { value, problems } = parseOptions(schema, Object(ctx.request.body), "");
  if (problems) throw new InvalidRequestError({ errors: problems });
  return value;
}
