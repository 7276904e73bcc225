import type { ComponentAttribute, ZoneAttribute } from "../../schema/model.js";
import { problemAt } from "../../schema/value-problem.js";
import type { ValueProblem } from "../../schema/value-problem.js";

/**
 * Checks how many items a repeatable component or a zone has. An empty list passes `min` unless the attribute is required.
 *
 * @source plugins/content-api/WIRE.md#writes
 */
export function checkCount(
  attribute: ComponentAttribute | ZoneAttribute,
  items: readonly unknown[],
  path: readonly string[],
): readonly ValueProblem[] {
  const { min, max, required } = attribute;
  const isTooFew = min !== undefined && items.length < min && (required || items.length > 0);
  const isTooMany = max !== undefined && items.length > max;
  return [
    ...(isTooFew ? [problemAt(path, `field must have at least ${min} items`, items)] : []),
    ...(isTooMany ? [problemAt(path, `field must have less than or equal to ${max} items`, items)] : []),
  ];
}
