/** The public entry of `@plinth/core`: what apps and most plugins import, re-exported from the floors. */
export type { Ability, Actor, ActorUser } from "./access/ability.js";
export type { Transport, WriteActor, WriteOrigin } from "./access/origin.js";
export { codeOrigin, currentOrigin, withOrigin } from "./access/origin.js";
export type { Access } from "./access/access.js";
export type { ActionName, Actions } from "./access/type-actions.js";
export { findActor, resolveActor } from "./access/resolve-actor.js";
export { ForbiddenError, UnauthenticatedError } from "./access/errors.js";
export type { RoleGrants } from "./access/permissions.js";
export type { Passwords } from "./access/passwords/passwords.js";
export type { Rule } from "./access/rule.js";
export type { AuthStrategy } from "./access/access.js";
export type { AppMail, MailOptions, TemplateMail, WrittenMail } from "./app/app-mail.js";
export type { AppSetup } from "./app/app-setup.js";
export type { Command, CommandContext, Project, ProjectCommand, ProjectCommandContext } from "./app/command.js";
export type { BuildEvent } from "./app/after-build.js";
export { afterBuild } from "./app/after-build.js";
export { beforeSync } from "./app/collect-model.js";
export type { SyncEvent } from "./app/collect-model.js";
export type { PlinthApp, StartOptions } from "./app/create-app.js";
export type { StartEvent, StopEvent } from "./app/duty.js";
export { beforeStop, onStart } from "./app/duty.js";
export type { StartLine } from "./app/start-lines.js";
export { transformStartLines } from "./app/start-lines.js";
export { createPlinth } from "./app/create-app.js";
export { definePermissions } from "./app/permissions/permissions.js";
export type { Env } from "./app/project/env.js";
export type { ConfigFile } from "./app/project/load-config.js";
export { defineConfig } from "./app/project/load-config.js";
export type { SecretList, Secrets } from "./app/secrets.js";
export { loadProject } from "./app/project/load-project.js";
export { camelCase, kebabCase, pascalCase, snakeCase } from "./base/case.js";
export type { ErrorCode, ErrorEntry, PlinthErrorClass } from "./base/error.js";
export { createError, errorCatalogue, isPlinthError, PlinthError, reasonOf } from "./base/error.js";
export { describeKnown } from "./base/suggest.js";
export type { Uid } from "./base/uid.js";
export { parseUid } from "./base/uid.js";
export type { MigrationSteps } from "./database/sync/migrations.js";
export { defineMigration } from "./database/sync/migrations.js";
export type { Clock } from "./database/clock.js";
export type { Finding as DoctorFinding } from "./database/doctor/finding.js";
export type { DatabaseConfig } from "./database/driver/connect.js";
export { connectDatabase } from "./database/driver/connect.js";
export type { Database, DatabaseLog, Statement, TransactionOptions } from "./database/driver/database.js";
export { lockStatement } from "./database/driver/database.js";
export type { HeldLock } from "./database/driver/session-locks.js";
export type { Messages, Subscriber } from "./database/driver/messages.js";
export type { LeavesOut } from "./database/reads/leave-out.js";
export type { Status } from "./database/reads/query.js";
export type {
  Author,
  CreateParams,
  Document,
  Documents,
  DocumentUse,
  ManyParams,
  OneParams,
  ReadParams,
  ReadResult,
  Precondition,
  UpdateManyParams,
  UpdateParams,
  VersionParams,
} from "./documents/documents.js";
export type { DocumentState, FactName, Facts, FactsRequest, Person } from "./documents/params/facts.js";
export type { FileStore } from "./app/archive/file-store.js";
export type {
  LoadedLink,
  LoadedVersion,
  LoadResult,
  OnConflict,
  StoredRange,
  StoredVersion,
} from "./documents/load/loaded-version.js";
export type { Block, BlockNode, JsonValue } from "./documents/typed/values.js";
export type { RelationChange, RelationTarget } from "./documents/typed/input.js";
export type {
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
export { UnknownKeyError, VersionMismatchError } from "./documents/errors.js";
export type {
  InputContext,
  LoadEvent,
  Operation,
  OperationContext,
  StoredDocument,
  WriteEvent,
  WriteEventOf,
} from "./documents/hooks.js";
export {
  alongLoad,
  aroundOperation,
  isWriteOf,
  transformInput,
  transformOutput,
  writeHooks,
} from "./documents/hooks.js";
export { NotFoundError } from "./http/errors.js";
export type { GlobalMiddlewareRef, Route } from "./http/route.js";
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
export type { App, KernelApp, PluginConfigs } from "./kernel/app.js";
export type { AppConfig, ConfigOf, ConfigReader } from "./kernel/config.js";
export type { HandlerOf, Hook, HookCall, HookKind, Interceptor, TapOrder } from "./kernel/hook.js";
export { hook } from "./kernel/hook.js";
export type { HookBus } from "./kernel/hook-bus.js";
export type { Deps, ExtensionImpl, Resolved, ServiceContext, ServiceImpl } from "./kernel/implement.js";
export { implement } from "./kernel/implement.js";
export type {
  AppDefinition,
  Plugin,
  PluginDefinition,
  RegisterContext,
  RegistryWriter,
  RunContext,
} from "./kernel/plugin.js";
export { defineApp, definePlugin } from "./kernel/plugin.js";
export type { ExtensionRef, MadeBy, ServiceFiles, ServiceOf, ServiceRef, Services, ServiceUid } from "./kernel/ref.js";
export { extensionRef, serviceRef } from "./kernel/ref.js";
export type { Registries } from "./kernel/registries.js";
export type { ReadableRegistry } from "./kernel/registry.js";
export type { KernelReport } from "./kernel/report.js";
export type {
  Components,
  ComponentUid,
  ContentTypes,
  ContentTypeUid,
  DeclaredAttribute,
  DeclaredComponent,
  DeclaredType,
} from "./schema/declared-types.js";
export type { RawContentType } from "./schema/raw.js";
