import type { Limits } from "@plinth/core/reads";
import type { GraphqlConfig } from "../config.js";

/**
 * How many rows a list may have: up to `amountLimit`, with any other configuration.
 *
 * @param isCounted - whether the total is wanted.
 * @source plugins/content-api/WIRE.md#graphql-limits
 */
export function listLimits(
  { amountLimit, defaultLimit, maxLimit }: Pick<GraphqlConfig, "amountLimit" | "defaultLimit" | "maxLimit">,
  isCounted: boolean,
): Limits {
  const most = maxLimit === -1 ? amountLimit : Math.min(maxLimit, amountLimit);
  return { defaultLimit: Math.min(defaultLimit, most), maxLimit: most, withCount: isCounted };
}
