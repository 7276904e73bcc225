import { parseOptions } from "../../base/options/parse-options.js";
import type { OptionsSchema } from "../../base/options/schema-node.js";
import { options } from "../../base/options/values.js";
import { MiddlewareConfigError } from "../errors.js";

/** Of a middleware that takes none. */
export const NO_OPTIONS = options({});

/**
 * Checks what `config/middlewares` says to a built-in middleware.
 *
 * @returns the options with its defaults filled in.
 * @throws PLINTH_HTTP_MIDDLEWARE_CONFIG (500) details `{ problems: [{ path, message }] }`; paths start with the name
 */
export function readOptions<T>(name: string, config: unknown, schema: OptionsSchema<T>): T {
  const { value, problems } = parseOptions(schema, config, name);
  if (problems) throw new MiddlewareConfigError({ problems });
  return value;
}
