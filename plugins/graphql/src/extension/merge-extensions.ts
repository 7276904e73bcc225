import { isDeepStrictEqual } from "node:util";
import type { Nexus, Resolver, ResolverConfig, ResolverMiddlewareRef, SchemaExtension } from "../contract.js";

/** What all extensions say of one resolver. */
export interface MergedConfig {
  readonly auth?: ResolverConfig["auth"];
  readonly policies?: ResolverConfig["policies"];
  readonly middlewares: readonly ResolverMiddlewareRef[];
  readonly needs: readonly string[];
}

/** All extensions as one; resolvers and configs by `<Type>.<field>`. */
export interface MergedExtension {
  readonly types: readonly unknown[];
  readonly typeDefs: readonly string[];
  readonly plugins: readonly ReturnType<Nexus["plugin"]>[];
  readonly resolvers: ReadonlyMap<string, Resolver>;
  readonly configs: ReadonlyMap<string, MergedConfig>;
}

/**
 * Merges by the one rule: lists add up in the order of registration; of what there can be one only (a resolver, its
 * auth, its policies), two extensions must say the same, or one of them nothing.
 */
export function mergeExtensions(extensions: readonly SchemaExtension[]): {
  readonly merged: MergedExtension;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const resolvers = new Map<string, Resolver>();
  const configs = new Map<string, MergedConfig>();
  for (const extension of extensions) {
    for (const [name, resolver] of resolversOf(extension)) {
      const known = resolvers.get(name);
      if (known && known !== resolver) problems.push(disagreement(name, "resolve it", "put a middleware around it"));
      else resolvers.set(name, resolver);
    }
    for (const [name, config] of Object.entries(extension.resolversConfig ?? {}))
      configs.set(name, mergeConfig(name, configs.get(name), config, problems));
  }
  const merged = {
    types: extensions.flatMap(({ types = [] }) => types),
    typeDefs: extensions.flatMap(({ typeDefs }) => (typeDefs?.trim() ? [typeDefs] : [])),
    plugins: extensions.flatMap(({ plugins = [] }) => plugins),
    resolvers,
    configs,
  };
  return { merged, problems };
}

function resolversOf({ resolvers = {} }: SchemaExtension): readonly (readonly [string, Resolver])[] {
  return Object.entries(resolvers).flatMap(([type, fields]) =>
    Object.entries(fields).map(
      ([field, found]) => [`${type}.${field}`, typeof found === "function" ? found : found.resolve] as const,
    ),
  );
}

function mergeConfig(
  name: string,
  known: MergedConfig | undefined,
  next: ResolverConfig,
  problems: string[],
): MergedConfig {
  const one = <K extends "auth" | "policies">(key: K) => {
    if (known?.[key] === undefined || next[key] === undefined) return known?.[key] ?? next[key];
    if (!isDeepStrictEqual(known[key], next[key])) problems.push(disagreement(name, `set its ${key}`, "keep one"));
    return known[key];
  };
  const auth = one("auth");
  const policies = one("policies");
  return {
    ...(auth === undefined ? {} : { auth }),
    ...(policies === undefined ? {} : { policies }),
    middlewares: [...(known?.middlewares ?? []), ...(next.middlewares ?? [])],
    needs: [...new Set([...(known?.needs ?? []), ...(next.needs ?? [])])],
  };
}

function disagreement(name: string, what: string, instead: string): string {
  return `${name}: two extensions ${what}, and differently; ${instead}`;
}
