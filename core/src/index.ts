/** The public entry of `@plinth/core`: everything a plugin or an app may import, re-exported from the floors. */
export type { Ability, Actor } from "./access/ability.js";
export { unlimited } from "./access/ability.js";
export { ForbiddenError, UnauthenticatedError } from "./access/errors.js";
export type { AuthStrategy } from "./access/strategy.js";
export type {
  GlobalMiddlewareRef,
  MatchedRoute,
  MiddlewareRef,
  OwnedRoute,
  PolicyRef,
  Route,
  RouteConfig,
  RouteMethod,
} from "./http/route.js";
export type {
  App,
  Controller,
  ControllerFactory,
  Handler,
  HttpContext,
  Middleware,
  MiddlewareFactory,
  Next,
  Policy,
  QueryObject,
  RequestState,
  Tools,
} from "./http/types.js";
export type { FilterOperator, ScalarTraits } from "./schema/attribute.js";
export { isScalarKind, SCALAR_TRAITS, toSqlParameter, traitsOf } from "./schema/attribute.js";
export { buildModel } from "./schema/build-model.js";
export type { ConstraintContext } from "./schema/constraints.js";
export { checkValue } from "./schema/constraints.js";
export { SchemaInvalidError } from "./schema/errors.js";
export { findField, isCreatorField } from "./schema/find-field.js";
export type {
  Attribute,
  AttributeKind,
  Component,
  ComponentAttribute,
  ContentModel,
  ContentType,
  RelationAttribute,
  RelationKind,
  ScalarAttribute,
  ScalarKind,
  Shape,
  SystemId,
  ZoneAttribute,
} from "./schema/model.js";
export { FILE_TYPE } from "./schema/model.js";
export { parseValue } from "./schema/parse-value.js";
export type { RawAttribute, RawComponent, RawContentType, RawModel } from "./schema/raw.js";
export type { SchemaProblem } from "./schema/schema-problem.js";
export type { ParsedValue, ValueContext, ValueProblem } from "./schema/value-problem.js";
