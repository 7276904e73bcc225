/** The public entry of `@plinth/core`: everything a plugin or an app may import, re-exported from the floors. */
export type { Ability, Actor, ActorUser, Reach } from "./access/ability.js";
export { allowAction, EVERYTHING, NOTHING, unlimited } from "./access/ability.js";
export type { Access } from "./access/access.js";
export { assertCan, createAccess } from "./access/access.js";
export type { AccessConfig } from "./access/access-config.js";
export { parseAccessConfig } from "./access/access-config.js";
export type { AccessProblem } from "./access/check-grant.js";
export { checkGrant } from "./access/check-grant.js";
export type { ActionName, Actions } from "./access/declared-actions.js";
export { ForbiddenError, UnauthenticatedError } from "./access/errors.js";
export type { Grant } from "./access/grant.js";
export { createAbility, uniteGrants } from "./access/grant.js";
export type { RoleGrants } from "./access/permissions.js";
export { addressGroup } from "./access/limits/address-group.js";
export type { Addition, Count, Counters } from "./access/limits/counters.js";
export { counterKey, createDatabaseCounters } from "./access/limits/counters.js";
export type {
  Admission,
  LoginAttempt,
  LoginGuard,
  LoginGuardOptions,
  LoginOutcome,
} from "./access/limits/login-guard.js";
export { createLoginGuard } from "./access/limits/login-guard.js";
export type { Passwords } from "./access/passwords/passwords.js";
export type { PasswordRules } from "./access/passwords/weak-password.js";
export { passwordWeakness } from "./access/passwords/weak-password.js";
export type { Rule, Variables } from "./access/rule.js";
export type { AuthStrategy } from "./access/strategy.js";
export { actionsOfType, DRAFT_ACTIONS, FIND_DRAFTS } from "./access/type-actions.js";
export type { AppDatabase } from "./app/app-database.js";
export type { AppSetup } from "./app/app-setup.js";
export type { Command, CommandContext } from "./app/command.js";
export { beforeSync } from "./app/collect-model.js";
export type { SyncEvent } from "./app/collect-model.js";
export type { PlinthApp } from "./app/create-app.js";
export { createPlinth } from "./app/create-app.js";
export type { PermissionItem, PermissionsConfig } from "./app/permissions/define-permissions.js";
export { definePermissions } from "./app/permissions/define-permissions.js";
export type { PermissionEntry, Permissions } from "./app/permissions/permissions.js";
export { transformPermissions } from "./app/permissions/permissions.js";
export type { Env } from "./app/project/env.js";
export type { ConfigFile } from "./app/project/load-config.js";
export { defineConfig } from "./app/project/load-config.js";
export type { SecretRequest, Secrets } from "./app/secrets.js";
export { loadProject } from "./app/project/load-project.js";
export type { ProjectPlace } from "./app/project/project.js";
export { camelCase, kebabCase, pascalCase, snakeCase } from "./base/case.js";
export type { ErrorCode, ErrorEntry, ErrorJson, ErrorTexts, PlinthErrorClass } from "./base/error.js";
export { createError, errorCatalogue, isPlinthError, PlinthError } from "./base/error.js";
export { RecentMap } from "./base/recent-map.js";
export { describeKnown, nearestName } from "./base/suggest.js";
export type { Uid, UidParts } from "./base/uid.js";
export { formatUid, isUid, namespaceOf, parseUid } from "./base/uid.js";
export type { MigrationSteps } from "./database/migrations.js";
export { defineMigration } from "./database/migrations.js";
export type { DatabaseConfig } from "./database/connect.js";
export { connectDatabase } from "./database/connect.js";
export type { Database, DatabaseLog, Statement, TransactionOptions } from "./database/database.js";
export type { Messages, Subscriber } from "./database/messages.js";
export type { PreparedQuery, PublicationFilter, Query, Slot, Status } from "./database/query.js";
export { forAllDocuments } from "./documents/all-documents.js";
export type {
  CreateParams,
  Document,
  Documents,
  DocumentUse,
  ManyParams,
  OneParams,
  ReadParams,
  ReadResult,
  Precondition,
  UpdateParams,
  VersionParams,
  VersionsResult,
} from "./documents/documents.js";
export type {
  DocumentLoader,
  LoadedLink,
  LoadedVersion,
  LoadResult,
  RefusedVersion,
} from "./documents/load/loaded-version.js";
export type { Block, BlockNode, JsonValue } from "./documents/typed/values.js";
export type { RelationChange, RelationTarget } from "./documents/typed/input.js";
export type {
  Asked,
  ChangesOf,
  ComponentInputOf,
  ComponentOf,
  DocumentOf,
  DocumentsOf,
  FieldsOf,
  FiltersOf,
  InputOf,
  PopulateOf,
  SortOf,
  TypedDocuments,
} from "./documents/typed/typed-documents.js";
export type { ExpectedVersions } from "./documents/document-version.js";
export { documentVersion } from "./documents/document-version.js";
export { UnknownKeyError, VersionMismatchError } from "./documents/errors.js";
export type {
  InputContext,
  LoadedDocument,
  Operation,
  OperationContext,
  WriteEvent,
  WriteEventOf,
} from "./documents/hooks.js";
export { aroundOperation, isWriteOf, transformInput, transformOutput, writeHooks } from "./documents/hooks.js";
export type { Limits, Pagination } from "./documents/params/parse-pagination.js";
export type { PreparedRead, ReadOptions } from "./documents/params/parse-params.js";
export { parseAnswerParams } from "./documents/params/parse-answer.js";
export { hiddenLinks } from "./documents/params/hidden-links.js";
export { reachOfDrafts, shapeOf } from "./documents/params/sights.js";
export { parseReadParams } from "./documents/params/parse-params.js";
export { ReadTooLargeError } from "./database/errors.js";
export type { ReadBudget } from "./documents/params/read-budget.js";
export { CODE_BUDGET } from "./documents/params/read-budget.js";
export { ReadCache, readOfDocument } from "./documents/params/read-cache.js";
export type { Visibility } from "./documents/params/reading.js";
export type { Refusable, Wanted, WantedField, WantedPopulate, WantedRead } from "./documents/params/wanted.js";
export type { DirectAnswer, DirectEndpoint, DirectRead, DirectRequest } from "./http/direct-read.js";
export { withDirectRead } from "./http/direct-read.js";
export { actionOf } from "./http/endpoint.js";
export { expectedVersions, unexpectedVersions } from "./http/entity-tag.js";
export type { ErrorAnswer, ErrorBody } from "./http/error-answer.js";
export { buildErrorAnswer } from "./http/error-answer.js";
export { NotFoundError, PolicyFailedError } from "./http/errors.js";
export type { JsonText } from "./http/json-text.js";
export { hasJsonText, jsonText } from "./http/json-text.js";
export type { MatchedRoute, RouteMethod } from "./http/matched-route.js";
export { defaultMiddlewares } from "./http/middlewares/built-in.js";
export type { HttpParts } from "./http/parts.js";
export { createControllers, listRoutes } from "./http/parts.js";
export type {
  AnswerDescription,
  JsonSchema,
  QueryDescription,
  RouteDescription,
} from "./http/route-description.js";
export type { RequestBody, Resource, ResourceEndpoints } from "./http/resource-endpoints.js";
export { endpointOfOne, resourceEndpoints } from "./http/resource-endpoints.js";
export type {
  GlobalMiddlewareRef,
  MiddlewareRef,
  OwnedRoute,
  PolicyRef,
  Route,
  RouteConfig,
  RouteSource,
} from "./http/route.js";
export type { HttpConfig, HttpServer, HttpServerOptions } from "./http/server.js";
export { createHttpServer } from "./http/server.js";
export type {
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
export type { App, KernelApp, PluginConfigs, PluginHandle } from "./kernel/app.js";
export type { AppConfig, ConfigAt, ConfigOf, ConfigPath, ConfigReader } from "./kernel/config.js";
export type {
  AnyHook,
  HandlerOf,
  Hook,
  HookCall,
  HookKind,
  HookReport,
  Interceptor,
  TapOrder,
} from "./kernel/hook.js";
export { hook } from "./kernel/hook.js";
export type { HookBus } from "./kernel/hook-bus.js";
export type { Deps, ExtensionImpl, Resolved, ServiceContext, ServiceImpl } from "./kernel/implement.js";
export { implement } from "./kernel/implement.js";
export type { KernelOptions, Step } from "./kernel/kernel.js";
export { Kernel } from "./kernel/kernel.js";
export type { Phase } from "./kernel/lifecycle.js";
export type {
  AppDefinition,
  Plugin,
  PluginDefinition,
  RegisterContext,
  RegistryWriter,
  RunContext,
} from "./kernel/plugin.js";
export { defineApp, definePlugin } from "./kernel/plugin.js";
export type {
  ExtensionRef,
  MadeBy,
  ServiceAt,
  ServiceFiles,
  ServiceOf,
  ServiceRef,
  Services,
  ServiceUid,
} from "./kernel/ref.js";
export { extensionRef, serviceRef } from "./kernel/ref.js";
export type { Registries, RegistryKind, ValueOf } from "./kernel/registries.js";
export type { ReadableRegistry } from "./kernel/registry.js";
export type { KernelReport, PluginReport } from "./kernel/report.js";
export type { FilterOperator, ScalarTraits } from "./schema/attribute.js";
export { isScalarKind, SCALAR_TRAITS, toSqlParameter, traitsOf } from "./schema/attribute.js";
export { buildModel } from "./schema/build-model.js";
export type { ConstraintContext } from "./schema/constraints.js";
export { checkValue } from "./schema/constraints.js";
export type {
  Components,
  ComponentUid,
  ContentTypes,
  ContentTypeUid,
  DeclaredAttribute,
  DeclaredComponent,
  DeclaredType,
} from "./schema/declared-types.js";
export { SchemaInvalidError } from "./schema/errors.js";
export { findField, isCreatorField } from "./schema/find-field.js";
export type {
  Attribute,
  AttributeKind,
  Component,
  ComponentAttribute,
  ContentModel,
  ContentType,
  ModelLocales,
  RelationAttribute,
  RelationKind,
  ScalarAttribute,
  ScalarKind,
  Shape,
  SystemId,
  ZoneAttribute,
} from "./schema/model.js";
export { isVirtual } from "./schema/build-relation.js";
export { FILE_TYPE } from "./schema/model.js";
export { parseValue } from "./schema/parse-value.js";
export type { RawAttribute, RawComponent, RawContentType, RawModel } from "./schema/raw.js";
export type { SchemaProblem } from "./schema/schema-problem.js";
export type { ParsedValue, ValueContext, ValueProblem } from "./schema/value-problem.js";
