import { type Ability, ForbiddenError } from "@plinth/core";
import { allowAction, assertCan, EVERYTHING } from "@plinth/core/access";
import { PolicyFailedError } from "@plinth/core/http";
import type { GraphqlContext, PolicyContext, Resolver, ResolverConfig, ResolverMiddleware } from "../contract.js";
import { isGenerated, markGenerated } from "../operations/generated-resolvers.js";

/** Decides on one call of a resolver; a falsy result blocks it. */
export type BoundPolicy = (context: PolicyContext) => unknown;

/** The guards of a resolver. */
export interface Guard {
  /** The config of an extension; undefined without one. */
  readonly auth: ResolverConfig["auth"];
  /** The action that the generated field needs; undefined for fields of the app's own. */
  readonly action: string | undefined;
  /** Whether a signed-in caller is required by default: on fields of Query and Mutation. */
  readonly isRoot: boolean;
  readonly policies: readonly BoundPolicy[];
  readonly middlewares: readonly ResolverMiddleware[];
}

/**
 * Wraps a resolver in auth, policies and middlewares, from the outside in; unused ones cost
 * nothing.
 *
 * @throws PLINTH_ACCESS_FORBIDDEN, PLINTH_HTTP_POLICY_FAILED (403) from the resolver it returns
 */
export function guardResolver(resolver: Resolver, guard: Guard): Resolver {
  const around = guard.middlewares.reduceRight<Resolver>(
    (next, middleware) =>
      (...call) =>
        middleware(next, ...call),
    resolver,
  );
  return authorise(withPolicies(around, guard.policies), guard);
}

function withPolicies(resolver: Resolver, policies: readonly BoundPolicy[]): Resolver {
  if (policies.length === 0) return resolver;
  return async (...call) => {
    for (const policy of policies) if (!(await policy(policyContext(...call)))) throw new PolicyFailedError({});
    return resolver(...call);
  };
}

/** The request itself, with the call's members before those of koa's context; nothing of the request is changed. */
function policyContext(...[parent, args, context, info]: Parameters<Resolver>): PolicyContext {
  const members = { type: "graphql", parent, args, context, info, http: context.http };
  const descriptors = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, { value }]));
  return Object.create(context.http, descriptors) as PolicyContext;
}

function authorise(resolver: Resolver, { auth, action, isRoot }: Guard): Resolver {
  if (auth !== undefined) return openTo(auth, action, resolver);
  if (!isRoot) return resolver;
  const check = action === undefined ? assertSignedIn : assertAction(action);
  const checked: Resolver = (parent, args, context, info) => {
    check(context);
    return resolver(parent, args, context, info);
  };
  // Code that answers generated fields without their resolvers checks the action as well.
  return isGenerated(resolver) ? markGenerated(checked) : checked;
}

function assertAction(action: string): (context: GraphqlContext) => void {
  const actions = [action];
  return ({ ability }) => assertCan(ability, actions);
}

/** A field without a declared permission is closed. */
function assertSignedIn({ state }: GraphqlContext): void {
  if (state.actor.kind === "public") throw new ForbiddenError({});
}

/** Checks the actions of the extension in place of the generated one, which counts as granted below. */
function openTo(auth: NonNullable<ResolverConfig["auth"]>, action: string | undefined, resolver: Resolver): Resolver {
  const scope = auth === false ? [] : auth.scope;
  const open = auth === false ? bypassRule : allowAction;
  const opened = new WeakMap<GraphqlContext, GraphqlContext>();
  const contextOf = (context: GraphqlContext): GraphqlContext => {
    if (action === undefined) return context;
    const known = opened.get(context) ?? { ...context, ability: open(context.ability, action) };
    opened.set(context, known);
    return known;
  };
  return (parent, args, context, info) => {
    assertCan(context.ability, scope);
    return resolver(parent, args, contextOf(context), info);
  };
}

/** An ability that has an action without its rule, which a public field bypasses. */
function bypassRule(ability: Ability, action: string): Ability {
  return {
    key: `${ability.key}+${action}`,
    can: (asked) => asked === action || ability.can(asked),
    reachOf: (asked) => (asked === action ? EVERYTHING : ability.reachOf(asked)),
  };
}
