/** The public entry of the graphql plugin: the plugin itself, and its contract. */
export type { GraphqlConfig } from "./config.js";
export type {
  Arguments,
  ExtensionTools,
  GraphqlContext,
  GraphqlExtension,
  LandingPage,
  NextResolver,
  Nexus,
  PolicyContext,
  Resolver,
  ResolverConfig,
  ResolverMap,
  ResolverMiddleware,
  ResolverMiddlewareRef,
  ResolverPolicy,
  ResolverPolicyRef,
  SchemaExtension,
  ShadowAction,
  ShadowField,
  ShadowType,
} from "./contract.js";
export { defineResolverMiddleware, graphqlExtension } from "./contract.js";
export { graphqlPlugin, graphqlPlugin as default } from "./plugin.js";
