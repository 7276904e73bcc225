import { PUBLIC_BUDGET, type ReadBudget } from "../documents/params/read-budget.js";
import type { ConfigReader } from "../kernel/config.js";
import { InvalidReadsConfigError } from "./errors.js";

/**
 * What clients may ask of one read: `reads` of config/api over the defaults, and `rest.nestedLimit`. In the configuration
 * -1 lifts a limit; from then on it is Infinity.
 *
 * @throws PLINTH_READS_INVALID_CONFIG (500) details `{ problems }`
 */
export function readBudgetOf(config: Pick<ConfigReader, "get">): ReadBudget {
  const reads = config.get("api.reads") ?? {};
  const nestedLimit = config.get("api.rest.nestedLimit");
  const given = { ...(reads as object), ...(nestedLimit === undefined ? {} : { nestedLimit }) };
  const problems =
    typeof reads === "object" ? Object.entries(given).flatMap(problemOf) : ["api.reads must be an object"];
  if (problems.length > 0) throw new InvalidReadsConfigError({ problems });
  const limits = Object.entries(given as Record<string, number>).map(
    ([key, value]) => [key, value === -1 ? Number.POSITIVE_INFINITY : value] as const,
  );
  return Object.freeze({ ...PUBLIC_BUDGET, ...(Object.fromEntries(limits) as Partial<ReadBudget>) });
}

function problemOf([key, value]: [string, unknown]): readonly string[] {
  const place = key === "nestedLimit" ? "api.rest.nestedLimit" : `api.reads.${key}`;
  if (!Object.hasOwn(PUBLIC_BUDGET, key))
    return [`${place} is not known; known are ${Object.keys(PUBLIC_BUDGET).join(", ")}`];
  const isFine = typeof value === "number" && Number.isInteger(value) && (value >= 1 || value === -1);
  return isFine ? [] : [`${place} must be a whole number from 1, or -1 for none, and is ${JSON.stringify(value)}`];
}
