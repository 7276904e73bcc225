import type {
  ComponentAttribute,
  ZoneAttribute,
  Attribute,
  ContentModel,
  ScalarAttribute,
  Shape,
} from "../../schema/model.js";
import { problemAt, type ValueProblem, wrongType } from "../../schema/value-problem.js";
import { checkValue } from "../../schema/constraints.js";
import { isRecord, ownValue } from "./is-record.js";

type Row = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/**
 * Checks a stored draft by the rules that drafts are exempt from: required, minimal lengths and counts, ranges, forms.
 *
 * @param row - by attribute name: scalars in wire form, components as StoredComponent, a list of them, or null.
 * @returns all problems, in the order of the schema; `assertNoProblems` throws them.
 * @source plugins/content-api/WIRE.md#writes, publishing validates everything
 */
export function checkPublishable(model: ContentModel, type: Shape, row: Row): readonly ValueProblem[] {
  return checkShape(model, type, row, []);
}

function checkShape(model: ContentModel, shape: Shape, row: Row, path: Path): readonly ValueProblem[] {
  const problems: ValueProblem[] = [];
  for (const attribute of shape.attributes.values()) {
    const value = ownValue(row, attribute.name) ?? null;
    if (value === null && !attribute.required) continue;
    problems.push(...checkAttribute(model, attribute, value, [...path, attribute.name]));
  }
  return problems;
}

function checkAttribute(
  model: ContentModel,
  attribute: Attribute,
  value: unknown,
  path: Path,
): readonly ValueProblem[] {
  switch (attribute.kind) {
    case "relation":
    case "media":
      return [];
    case "component":
      return attribute.repeatable
        ? checkMany(model, attribute, value, path)
        : checkSingle(model, attribute, value, path);
    case "dynamiczone":
      return checkMany(model, attribute, value, path);
    default:
      return checkScalar(attribute, value, path);
  }
}

/** Only the hash of a password is stored, so only its presence can be checked. */
function checkScalar(attribute: ScalarAttribute, value: unknown, path: Path): readonly ValueProblem[] {
  if (attribute.kind === "password" && value !== null) return [];
  return checkValue(attribute, value, { path, mode: "publish" });
}

function checkSingle(
  model: ContentModel,
  attribute: ComponentAttribute,
  value: unknown,
  path: Path,
): readonly ValueProblem[] {
  if (value === null) return attribute.required ? [problemAt(path, wrongType("object", null), null)] : [];
  return checkItem(model, attribute.component, value, path);
}

function checkMany(
  model: ContentModel,
  attribute: ComponentAttribute | ZoneAttribute,
  value: unknown,
  path: Path,
): readonly ValueProblem[] {
  if (!Array.isArray(value)) return attribute.required ? [problemAt(path, "must be defined.")] : [];
  const ofItems = value.flatMap((item, index) => {
    const uid = attribute.kind === "component" ? attribute.component : isRecord(item) && ownValue(item, "__component");
    return checkItem(model, String(uid), item, [...path, String(index)]);
  });
  return [...checkCount(attribute, value, path), ...ofItems];
}

/** Items of components that the schema has no longer are not shown either. */
function checkItem(model: ContentModel, uid: string, item: unknown, path: Path): readonly ValueProblem[] {
  const component = model.components.get(uid);
  return component && isRecord(item) ? checkShape(model, component, item, path) : [];
}

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
