import { type App, describeKnown } from "@plinth/core";
import {
  RESOLVER_MIDDLEWARE,
  type ResolverMiddleware,
  type ResolverMiddlewareRef,
  type ResolverPolicyRef,
} from "../contract.js";
import type { BoundPolicy } from "./guard-field.js";
import type { MergedConfig } from "./merge-extensions.js";

/** What a resolver's config names, found. */
export interface BoundConfig {
  readonly policies: readonly BoundPolicy[];
  readonly middlewares: readonly ResolverMiddleware[];
}

/**
 * Finds the policies and middlewares of one resolver's config in the app.
 *
 * @param name - `Query.articles`, for the problems.
 */
export function bindConfig(app: App, name: string, config: MergedConfig, problems: string[]): BoundConfig {
  const say = (problem: string) => problems.push(`${name}: ${problem}`);
  return {
    policies: (config.policies ?? []).flatMap((ref) => bindPolicy(app, ref, say)),
    middlewares: config.middlewares.flatMap((ref) => bindMiddleware(app, ref, say)),
  };
}

type Say = (problem: string) => void;

function bindPolicy(app: App, ref: ResolverPolicyRef, say: Say): readonly BoundPolicy[] {
  if (typeof ref === "function") return [(context) => ref(context, { app })];
  const { name, config = {} } = typeof ref === "string" ? { name: ref } : ref;
  const uid = uidOf(name);
  const registry = app.registry("policy");
  if (!registry.has(uid)) {
    say(`there is no policy "${name}". ${describeKnown(uid, [...registry.keys()])}`);
    return [];
  }
  const policy = registry.get(uid);
  return [(context) => policy(context, config, { app })];
}

function bindMiddleware(app: App, ref: ResolverMiddlewareRef, say: Say): readonly ResolverMiddleware[] {
  if (typeof ref === "function") return [ref];
  const { name, options = {} } = typeof ref === "string" ? { name: ref } : ref;
  const uid = uidOf(name);
  const registry = app.registry("middleware");
  const known = [...registry.keys()].filter((key) => isForResolvers(registry.get(key)));
  if (!known.includes(uid)) {
    const fault = registry.has(uid) ? "is one of requests; make it by defineResolverMiddleware" : "does not exist";
    say(`the middleware "${name}" ${fault}. ${describeKnown(uid, known)}`);
    return [];
  }
  // The mark says that the factory was made by defineResolverMiddleware.
  return [registry.get(uid)(options, { app }) as unknown as ResolverMiddleware];
}

const isForResolvers = (factory: object): boolean => RESOLVER_MIDDLEWARE in factory;

/** A bare name is the app's own. */
const uidOf = (name: string): string => (name.includes("::") ? name : `global::${name}`);
