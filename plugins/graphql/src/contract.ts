import type { ApolloServerPlugin } from "@apollo/server";
import {
  type Ability,
  type App,
  type ExtensionRef,
  extensionRef,
  type HttpContext,
  type MiddlewareFactory,
  type RequestState,
  type Tools,
} from "@plinth/core";
import type { GraphQLResolveInfo } from "graphql";
import type nexus from "nexus";

/** The library that types are built with: `import nexus from "nexus"`. */
export type Nexus = typeof nexus;

/** The third argument of every resolver; one per request. */
export interface GraphqlContext {
  readonly app: App;
  /** The request behind the operation: koa's context, made when it is first read. What is set on it is part of the answer. */
  readonly http: HttpContext;
  /** `state.actor` is the caller. */
  readonly state: RequestState;
  /**
   * What the field may do: the actor's ability, and for a field whose `auth` an extension set, also the action that the
   * field was generated for. Resolvers use this one.
   */
  readonly ability: Ability;
}

/** What may be said of the landing page; a function decides when the server starts. */
export type LandingPage = boolean | ((app: App) => boolean | ApolloServerPlugin<GraphqlContext>);

/** Arguments of a field, by name. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Answers a field. */
export type Resolver = (
  // biome-ignore lint/suspicious/noExplicitAny: what a parent is, is between two resolvers that the app wrote
  parent: any,
  // biome-ignore lint/suspicious/noExplicitAny: the schema has checked the arguments, and their type is in it
  args: any,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => unknown;

/** What a policy gets: the request, and the field that is asked for. A policy of routes can read it as its request. */
export type PolicyContext = HttpContext & {
  readonly type: "graphql";
  readonly parent: unknown;
  readonly args: Arguments;
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
  readonly http: HttpContext;
};

/** Decides whether a field is answered: a falsy result blocks it. */
export type ResolverPolicy = (context: PolicyContext, tools: Tools) => unknown;

/** Runs what comes after a middleware, in the end the resolver. Takes what a resolver takes. */
export type NextResolver = Resolver;

/**
 * Wraps a resolver: may read or change arguments and result, or answer itself. It is written as
 * `(next, parent, args, context, info) => next(parent, args, context, info)`.
 */
export type ResolverMiddleware = (next: NextResolver, ...call: Parameters<Resolver>) => unknown;

/** A policy of a resolver: a registered name, a name with its configuration, or the function itself. */
export type ResolverPolicyRef =
  | string
  | { readonly name: string; readonly config?: Readonly<Record<string, unknown>> }
  | ResolverPolicy;

/** A middleware of a resolver; names are those of middlewares made by `defineResolverMiddleware`. */
export type ResolverMiddlewareRef =
  | string
  | { readonly name: string; readonly options?: Readonly<Record<string, unknown>> }
  | ResolverMiddleware;

/** What is said about one resolver, such as `Query.articles` or `Article.author`. */
export interface ResolverConfig {
  /**
   * False: every caller may use it. Otherwise the actor needs every action of `scope`, in place of the generated one.
   * `expired` of a field of Mutation: `public` for one on which clients get new credentials. An operation with such fields
   * alone is done as the public where the credentials that come with it are not valid any more; any other is a 401.
   */
  readonly auth?: false | { readonly scope: readonly string[]; readonly expired?: "public" };
  readonly policies?: readonly ResolverPolicyRef[];
  /** Run in order after the policies, around the resolver. */
  readonly middlewares?: readonly ResolverMiddlewareRef[];
  /** Attributes of the parent that the resolver reads although the client may not have asked for them. */
  readonly needs?: readonly string[];
}

/** Resolvers by type and field: `{ Query: { hello: () => "Hello" } }`. */
export type ResolverMap = Readonly<Record<string, Readonly<Record<string, Resolver | { readonly resolve: Resolver }>>>>;

/** One extension. */
export interface SchemaExtension {
  /** Types made with nexus; `nexus.extendType` adds fields to types that exist. */
  readonly types?: readonly unknown[];
  /** Types in SDL; a definition of a type that exists extends it. */
  readonly typeDefs?: string;
  /** Plugins of nexus. */
  readonly plugins?: readonly ReturnType<Nexus["plugin"]>[];
  readonly resolvers?: ResolverMap;
  /** By `<Type>.<field>`. */
  readonly resolversConfig?: Readonly<Record<`${string}.${string}`, ResolverConfig>>;
}

/** What a function extension gets. It is called once, when the content model exists. */
export interface ExtensionTools {
  readonly nexus: Nexus;
  readonly app: App;
}

/** An action of a content-type, as the schema has them. */
export type ShadowAction = "find" | "findOne" | "create" | "update" | "delete";

/** Which parts of one attribute are in the schema. Every function that changes something returns the same object. */
export interface ShadowField {
  disable(): ShadowField;
  disableOutput(): ShadowField;
  disableInput(): ShadowField;
  disableFilters(): ShadowField;
  /** Whether anything of it is in the schema. */
  isEnabled(): boolean;
  isDisabled(): boolean;
  hasOutputEnabled(): boolean;
  hasInputEnabled(): boolean;
  hasFiltersEnabled(): boolean;
}

/**
 * Which parts of one content-type or component are in the schema. Every function that changes something returns the
 * same object.
 */
export interface ShadowType {
  disable(): ShadowType;
  disableQueries(): ShadowType;
  disableMutations(): ShadowType;
  disableAction(action: ShadowAction): ShadowType;
  disableActions(actions: readonly ShadowAction[]): ShadowType;
  field(name: string): ShadowField;
  isEnabled(): boolean;
  isDisabled(): boolean;
  areQueriesEnabled(): boolean;
  areQueriesDisabled(): boolean;
  areMutationsEnabled(): boolean;
  areMutationsDisabled(): boolean;
  isActionEnabled(action: ShadowAction): boolean;
  isActionDisabled(action: ShadowAction): boolean;
}

/**
 * Changes the generated schema; for register(). Names are checked when the schema is made, all at once.
 *
 * One rule merges extensions: lists add up in the order of registration, and of what a resolver has only one of
 * (resolver, auth, policies), two extensions must say the same or one of them nothing.
 *
 * @source plugins/content-api/WIRE.md#graphql-extensions
 */
export interface GraphqlExtension {
  /** @throws PLINTH_GRAPHQL_EXTENSION_TOO_LATE (500) from what changes something, once the schema is made */
  shadowCRUD(uid: string): ShadowType;
  /** @throws PLINTH_GRAPHQL_EXTENSION_TOO_LATE (500) once the schema is made */
  use(extension: SchemaExtension | ((tools: ExtensionTools) => SchemaExtension)): GraphqlExtension;
}

/** Where plugins and the app say how the schema differs from the generated one. */
export const graphqlExtension: ExtensionRef<GraphqlExtension> =
  extensionRef<GraphqlExtension>("plugin::graphql.extension");

/** Marks factories of middlewares of resolvers, not of requests. */
export const RESOLVER_MIDDLEWARE: unique symbol = Symbol.for("plinth.graphql.resolver-middleware");

/**
 * Makes a middleware of resolvers that can be registered by a name, as those of routes are:
 * `middleware("audit", defineResolverMiddleware(({ level }, { app }) => (next, ...call) => next(...call)))`.
 */
export function defineResolverMiddleware(
  create: (options: Readonly<Record<string, unknown>>, tools: Tools) => ResolverMiddleware,
): MiddlewareFactory {
  // The registry has one kind of middleware; the mark says how this one is called.
  return Object.assign(create as unknown as MiddlewareFactory, { [RESOLVER_MIDDLEWARE]: true });
}

declare module "@plinth/core" {
  interface Services {
    "plugin::graphql.extension": GraphqlExtension;
  }
}
