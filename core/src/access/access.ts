import { hash } from "node:crypto";
import { isPlinthError } from "../base/error.js";
import { channels, reportAuth } from "../base/telemetry.js";
import type { Ability, Actor } from "./ability.js";
import type { AccessConfig } from "./access-config.js";
import { DuplicateStrategyError, ForbiddenError, StrategyInvalidError, UnauthenticatedError } from "./errors.js";
import { createAbility } from "./grant.js";
import type { Variables } from "./rule.js";

/** Identifies the caller. REST, GraphQL and everything else that answers over the network share the app's one. */
export interface Access {
  /**
   * Adds an authentication strategy; strategies are tried in the order of registration, after the configured tokens.
   *
   * @throws PLINTH_ACCESS_DUPLICATE_STRATEGY (500) details `{ strategy }`
   */
  register(strategy: AuthStrategy): void;
  /**
   * Sets the ability of requests without credentials, in place of `public` of the configuration. It is called for every
   * such request, so it has to be cheap.
   */
  setPublic(ability: () => Ability | Promise<Ability>): void;
  /**
   * Finds the actor of a request. A header that is not `Bearer <text>` counts as none.
   *
   * @param authorization - the Authorization header as it came.
   * @throws PLINTH_ACCESS_UNAUTHENTICATED (401) when no strategy knows the bearer.
   * @source plugins/content-api/WIRE.md#credentials-and-permissions
   */
  authenticate(authorization: string | undefined): Promise<Actor>;
  /**
   * As `authenticate`; undefined for credentials that a strategy knows and are not valid any more: an expired token, one of
   * a session that was ended or of a user who was blocked.
   */
  tryAuthenticate(authorization: string | undefined): Promise<Actor | undefined>;
}

declare module "../kernel/app.js" {
  interface App {
    /** Identifies the caller: strategies are added here, or as `strategies` of a plugin. */
    readonly auth: Access;
  }
}

/**
 * Makes the access of one app from its configuration; see parseAccessConfig.
 *
 * @param options - `app`: whose it is, for `plinth:auth`; `now`: see Variables.
 */
export function createAccess(
  config: AccessConfig,
  strategies: readonly AuthStrategy[] = [],
  { app = {}, now }: { readonly app?: object; readonly now?: () => number } = {},
): Access {
  const variables = now ? { now } : {};
  const configured = createAbility(config.public, variables);
  let publicAbility: () => Ability | Promise<Ability> = () => configured;
  const registered: AuthStrategy[] = [];
  const register = (strategy: AuthStrategy): void => {
    const { name, authenticate } = Object(strategy) as Partial<AuthStrategy>;
    if (typeof name !== "string" || typeof authenticate !== "function")
      throw new StrategyInvalidError({ what: "A strategy has to be { name, authenticate }" });
    if (registered.some((known) => known.name === strategy.name)) {
      throw new DuplicateStrategyError({ strategy: strategy.name });
    }
    registered.push(strategy);
  };
  for (const strategy of [configuredTokens(config, variables), ...strategies]) register(strategy);
  const recognise = async (bearer: string): Promise<Actor> => {
    for (const strategy of registered) {
      const actor = await strategy.authenticate(bearer);
      if (actor) return actor;
    }
    throw new UnauthenticatedError({});
  };
  const authenticate = async (authorization: string | undefined): Promise<Actor> => {
    const bearer = readBearer(authorization);
    if (bearer === undefined) return { kind: "public", ability: await publicAbility() };
    return channels.auth.hasSubscribers
      ? await reportAuth(app, "bearer", () => recognise(bearer))
      : await recognise(bearer);
  };
  return {
    register,
    setPublic: (ability) => {
      if (typeof ability !== "function")
        throw new StrategyInvalidError({ what: "setPublic takes a function that returns an ability" });
      publicAbility = ability;
    },
    authenticate,
    tryAuthenticate: (authorization) =>
      authenticate(authorization).catch((error: unknown) => {
        if (isPlinthError(error) && error.status === 401 && !UnauthenticatedError.is(error)) return undefined;
        throw error;
      }),
  };
}

/**
 * Checks that an ability includes every action.
 *
 * @throws PLINTH_ACCESS_FORBIDDEN (403)
 */
export function assertCan(ability: Ability, actions: readonly string[]): void {
  if (!actions.every((action) => ability.can(action))) throw new ForbiddenError({});
}

/** The bearer of an Authorization header of exactly two parts; the scheme's case does not matter. */
function readBearer(authorization: string | undefined): string | undefined {
  const [scheme, bearer, ...rest] = authorization?.split(" ") ?? [];
  return scheme?.toLowerCase() === "bearer" && bearer && rest.length === 0 ? bearer : undefined;
}

/** Tokens are looked up by hash, so the time of a look-up does not reveal how much of a guess was right. */
function configuredTokens(config: AccessConfig, variables: Variables): AuthStrategy {
  const actors = new Map<string, Actor>();
  for (const [token, grant] of Object.entries(config.tokens)) {
    actors.set(keyOf(token), { kind: "token", ability: createAbility(grant, variables) });
  }
  return { name: "configured-tokens", authenticate: (bearer) => actors.get(keyOf(bearer)) };
}

const keyOf = (token: string): string => hash("sha256", token, "base64");

/** One way to identify the caller: configured tokens, API tokens, JWTs. */
export interface AuthStrategy {
  /** Unique; kebab-case, such as `api-tokens`. */
  readonly name: string;
  /**
   * Finds the actor of a bearer.
   *
   * @param bearer - what follows `Bearer ` in the Authorization header; never empty, no spaces.
   * @returns the actor, or undefined when the credentials are not of this strategy; the next strategy is tried then.
   * @throws the error for the client, a 401, when the token is known and not valid, such as an expired one: routes on which
   *   clients get new credentials take it for none then.
   */
  authenticate(bearer: string): Actor | undefined | Promise<Actor | undefined>;
}

declare module "../kernel/registries.js" {
  interface Registries {
    strategy: AuthStrategy;
  }
}
