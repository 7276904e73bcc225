import { type Actor, type App, serviceRef } from "@plinth/core";
import type { TokensConfig } from "../config.js";
import { TokenExpiredError } from "../errors.js";
import { hashAccessKey, isAccessKey } from "./access-key.js";
import { administrator } from "./admin-actor.js";
import { type KnownToken, KnownTokens } from "./known-tokens.js";
import { LastUses } from "./last-uses.js";
import { saltOf } from "./secrets.js";

/** Finds the caller that an API token belongs to. */
export interface TokenAuthenticator {
  /** The caller of the content API. @throws PLINTH_TOKENS_EXPIRED (401) */
  authenticate(bearer: string): Promise<Actor | undefined>;
  /** The caller of the administrators' REST API. @throws PLINTH_TOKENS_EXPIRED (401) */
  authenticateAdmin(bearer: string): Promise<Actor | undefined>;
  /** Listens for changed tokens. */
  open(): void;
  /** Writes the last uses that are not written yet. */
  close(): Promise<void>;
}

/** The plugin's own: strategies ask it. */
export const tokenAuthenticator = serviceRef<TokenAuthenticator>("plugin::api-tokens.token-authenticator");

/**
 * Makes the authenticator. The salt is read when the first key comes, so that an authenticator can be closed after a start
 * that failed because there is no salt.
 */
export function createTokenAuthenticator(app: App, config: TokensConfig): TokenAuthenticator {
  const tokens = new KnownTokens(app);
  const uses = new LastUses(app, config.lastUseInterval * 1000);
  let salt: string | undefined;
  let leave: (() => void) | undefined;
  const recognise = async (bearer: string, choose: (token: KnownToken) => Actor | undefined) => {
    if (!isAccessKey(bearer)) return undefined;
    salt ??= saltOf(app, config);
    const token = await tokens.find(hashAccessKey(salt, bearer));
    const actor = token && choose(token);
    if (!token || !actor) return undefined;
    if (token.expiresAt <= Date.now()) throw new TokenExpiredError({});
    uses.note(token.id);
    return actor;
  };
  return {
    authenticate: (bearer) => recognise(bearer, ({ actor }) => actor),
    authenticateAdmin: (bearer) => recognise(bearer, ({ isAdmin }) => (isAdmin ? administrator : undefined)),
    open: () => {
      leave ??= tokens.listen();
    },
    close: async () => {
      leave?.();
      await uses.flush();
    },
  };
}
