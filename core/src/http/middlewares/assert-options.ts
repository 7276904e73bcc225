import { checkOptions, type OptionChecks } from "../../base/check-options.js";
import { MiddlewareConfigError } from "../errors.js";

/**
 * Checks what `config/middlewares` says to a built-in middleware.
 *
 * @throws PLINTH_HTTP_MIDDLEWARE_CONFIG (500) details `{ problems: [{ path, message }] }`; paths start with the name
 */
export function assertOptions<T extends object>(name: string, config: unknown, checks: OptionChecks<T>): void {
  const problems = checkOptions(config, checks, { path: name });
  if (problems.length > 0) throw new MiddlewareConfigError({ problems });
}
