/** `@plinth/core/schema`: for plugins that generate something from content-types: attributes, their traits, checks of values. */
export type { FilterOperator, ScalarTraits } from "../schema/attribute.js";
export { isScalarKind, SCALAR_TRAITS, traitsOf } from "../schema/attribute.js";
export { buildModel } from "../schema/build-model.js";
export { checkValue } from "../schema/constraints.js";
export { findField } from "../schema/find-field.js";
export type {
  Attribute,
  Component,
  ComponentAttribute,
  ContentModel,
  ContentType,
  RelationAttribute,
  ScalarAttribute,
  ScalarKind,
  Shape,
  ZoneAttribute,
} from "../schema/model.js";
export { isVirtual } from "../schema/build-relation.js";
export { foldTotals } from "../database/doctor/totals.js";
export { planSteps } from "../database/sync/planned-steps.js";
export type { PlannedStep } from "../database/sync/planned-steps.js";
export type { SourceChange, SourceChangeOptions, SourceFile, Sources } from "../app/sources.js";
export { hasOrderedIndex } from "../database/layout/index-spec.js";
export { isRelation } from "../database/layout/layout.js";
export { uniqueValues } from "../documents/write/component-uniques.js";
export { isUnique } from "../schema/attribute.js";
export { isMailAddress } from "../base/mail-address.js";
export { jsonText } from "../schema/json-text.js";
export type { JsonText } from "../schema/json-text.js";
export { isJsonDeeper } from "../base/json-depth.js";
export { cleanJson } from "../schema/parse-json.js";
export { hasNul } from "../schema/parse-json.js";
export { parseValue } from "../schema/parse-value.js";
export type { RawAttribute, RawComponent, RawModel } from "../schema/raw.js";
export type { ParsedValue, ValueContext, ValueProblem } from "../schema/value-problem.js";
