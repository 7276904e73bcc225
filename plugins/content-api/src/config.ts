import type { Limits } from "@plinth/core/reads";
import { InvalidRestConfigError } from "./errors.js";

/** `rest` in config/api, complete. */
export interface RestConfig extends Limits {
  /** Before every path. */
  readonly prefix: string;
  /** Whether unknown parameters at the root of a query string are refused, not ignored. */
  readonly strictParams: boolean;
  /** Whether callers that find documents read their drafts as well, over GraphQL too; else that needs the action `findDrafts`. */
  readonly openDrafts: boolean;
  /** Entries of a populated list; `populate[x][count]=true` gives their number. -1 in the configuration: all of them. */
  readonly nestedLimit: number;
  /** Larger wishes are cut to this; -1 in the configuration, Infinity from then on, for none. */
  readonly maxLimit: number;
}

const DEFAULTS: RestConfig = {
  prefix: "/api",
  defaultLimit: 25,
  maxLimit: 100,
  nestedLimit: 100,
  withCount: true,
  strictParams: false,
  openDrafts: false,
};

/** What is wrong with a value, or undefined. */
const CHECKS: Readonly<Record<keyof RestConfig, (value: unknown) => string | undefined>> = {
  prefix: (value) =>
    typeof value === "string" && /^(\/[^/\s]+)*$/.test(value)
      ? undefined
      : 'must be "" or start with a slash and not end with one',
  defaultLimit: (value) => (isCount(value) ? undefined : "must be a whole number from 1"),
  maxLimit: (value) => (isCount(value) || value === -1 ? undefined : "must be a whole number from 1, or -1 for none"),
  nestedLimit: (value) => (isCount(value) || value === -1 ? undefined : "must be a whole number from 1, or -1 for all"),
  withCount: checkBoolean,
  strictParams: checkBoolean,
  openDrafts: checkBoolean,
};

/**
 * Checks `api.rest` and fills in what is left out. `maxLimit: -1` becomes Infinity.
 *
 * @throws PLINTH_REST_INVALID_CONFIG (500) details `{ problems }`
 * @source plugins/content-api/WIRE.md#pagination
 */
export function parseRestConfig(raw: unknown): RestConfig {
  if (raw === undefined) return DEFAULTS;
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    throw new InvalidRestConfigError({ problems: ["api.rest must be an object"] });
  }
  const problems = Object.entries(raw).flatMap(([key, value]: [string, unknown]) => {
    if (!Object.hasOwn(CHECKS, key))
      return [`api.rest.${key} is not known; known are ${Object.keys(CHECKS).join(", ")}`];
    const problem = CHECKS[key as keyof RestConfig](value);
    return problem ? [`api.rest.${key} ${problem}, and is ${JSON.stringify(value)}`] : [];
  });
  if (problems.length > 0) throw new InvalidRestConfigError({ problems });
  const config = { ...DEFAULTS, ...(raw as Partial<RestConfig>) };
  const maxLimit = config.maxLimit === -1 ? Number.POSITIVE_INFINITY : config.maxLimit;
  return Object.freeze({ ...config, maxLimit });
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1;
}

function checkBoolean(value: unknown): string | undefined {
  return typeof value === "boolean" ? undefined : "must be true or false";
}
