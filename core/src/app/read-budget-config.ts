import { parseOptions } from "../base/options/parse-options.js";
import { type ReadBudget, readsConfig } from "../documents/params/read-budget.js";
import type { ConfigReader } from "../kernel/config.js";
import { InvalidReadsConfigError } from "./errors.js";

/**
 * What clients may ask of one read: `reads` of config/api over the defaults, and `rest.nestedLimit`.
 *
 * @throws PLINTH_READS_INVALID_CONFIG (500) details `{ problems }`
 */
export function readBudgetOf(config: Pick<ConfigReader, "get">): ReadBudget {
  const reads = config.get("api.reads") ?? {};
  const nestedLimit = config.get("api.rest.nestedLimit");
  const given = nestedLimit === undefined || typeof reads !== "object" ? reads : { ...reads, nestedLimit };
  const { value, problems } = parseOptions(readsConfig, given, "api.reads");
  if (!problems) return Object.freeze(value);
  // It is written beside `maxLimit`, whose counterpart it is.
  const placeOf = (path: string) => path.replace("api.reads.nestedLimit", "api.rest.nestedLimit");
  throw new InvalidReadsConfigError({ problems: problems.map(({ path, message }) => `${placeOf(path)} ${message}`) });
}
