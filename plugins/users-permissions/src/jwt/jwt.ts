import { type App, type AuthStrategy, implement, type SecretList } from "@plinth/core";
import jsonwebtoken from "jsonwebtoken";
import type { Actors } from "../actors/actors.js";
import { isRecord } from "../body/check-body.js";
import type { UsersPermissionsConfig } from "../config.js";
import { type Account, type Jwt, jwt, type Sessions, type TokenPayload } from "../contract.js";
import { ExpiredTokenError, InvalidCredentialsError } from "../errors.js";

/** The only algorithm: the header of a token is not trusted. */
const ALGORITHM = "HS256";

/** The allowed claims; a token with others was made for another purpose, even with the same secret. */
const CLAIMS: ReadonlySet<string> = new Set(["id", "iat", "exp", "v", "sid"]);

/** Tokens are signed by the first secret; the others are still accepted, so that a secret can be rotated. */
export const jwtImpl = implement<Jwt, Record<never, never>, UsersPermissionsConfig>(jwt, {
  create: (_deps, { app, config }) => {
    let secrets: SecretList | undefined;
    const obtain = () => {
      secrets ??= secretsOf(app, config);
      return secrets;
    };
    return createJwt({ app, secrets: obtain, lifespan: config.jwt.expiresIn });
  },
});

/** The secrets of an app. @throws PLINTH_SECRET_MISSING (500) in production without one */
export function secretsOf(app: App, { jwtSecret }: UsersPermissionsConfig): SecretList {
  return app.secrets.obtain({ name: "users-permissions.jwt-secret", configured: jwtSecret, variable: "JWT_SECRET" });
}

interface JwtTools {
  readonly app: App;
  readonly secrets: () => SecretList;
  /** Seconds that a token is valid, unless `issue` says otherwise. */
  readonly lifespan: number;
}

/**
 * Makes the tokens of some secrets, which are asked for when the first token comes or goes: an app whose start failed
 * for the lack of one can still be stopped.
 *
 * @source plugins/content-api/WIRE.md#credentials-and-permissions, HS256 and `{ id, iat, exp }`, `v` and `sid` are ours
 */
function createJwt({ app, secrets, lifespan }: JwtTools): Jwt {
  const now = () => Math.floor(app.clock.now() / 1000);
  return {
    issue: ({ id, sessionVersion }: Account, { sid, expiresIn = lifespan } = {}) => {
      const payload = { iat: now(), id, v: sessionVersion, ...(sid === undefined ? {} : { sid }) };
      return jsonwebtoken.sign(payload, secrets()[0], { algorithm: ALGORITHM, expiresIn });
    },
    verify: (bearer, { mayBeExpired = false } = {}) => {
      for (const secret of secrets()) {
        const payload = readPayload(bearer, secret, { clockTimestamp: now(), ignoreExpiration: mayBeExpired });
        if (payload) return payload;
      }
      return undefined;
    },
  };
}

type Times = Pick<jsonwebtoken.VerifyOptions, "clockTimestamp" | "ignoreExpiration">;

function readPayload(bearer: string, secret: string, times: Times): TokenPayload | undefined {
  const claims = verify(bearer, secret, times);
  if (!isRecord(claims) || !Object.keys(claims).every((claim) => CLAIMS.has(claim))) return undefined;
  const { id, v, sid, exp } = claims;
  if (!isWhole(id) || !isWhole(v) || !isWhole(exp)) return undefined;
  if (sid === undefined) return { id, v };
  return typeof sid === "string" ? { id, v, sid } : undefined;
}

/** The claims of a token; undefined for an invalid one. */
function verify(bearer: string, secret: string, times: Times): unknown {
  try {
    return jsonwebtoken.verify(bearer, secret, { ...times, algorithms: [ALGORITHM] });
  } catch (cause) {
    if (cause instanceof jsonwebtoken.JsonWebTokenError || cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value);
}

/** The dependencies of the strategy. */
export interface StrategyServices {
  readonly jwt: Jwt;
  readonly actors: Actors;
  readonly sessions: Pick<Sessions, "isEnabled" | "isLive">;
}

/**
 * Authenticates users by their tokens.
 *
 * @param ask - what it works with; asked for at each request, because strategies are registered before services exist.
 * @source plugins/content-api/WIRE.md#errors, a blocked or deleted user is "Invalid credentials", any other fault
 *   "Missing or invalid ...", that of an expired token included
 */
export function createJwtStrategy(ask: () => StrategyServices): AuthStrategy {
  return {
    name: "users-permissions",
    authenticate: async (bearer) => {
      const { jwt, actors, sessions } = ask();
      const payload = jwt.verify(bearer);
      if (!payload && jwt.verify(bearer, { mayBeExpired: true })) throw new ExpiredTokenError({});
      if (!payload) return undefined;
      const known = await actors.find(payload.id);
      // The version is random for each user, so a new user with the id of a deleted one has another.
      if (!known || known.account.blocked || known.account.sessionVersion !== payload.v) {
        throw new InvalidCredentialsError({});
      }
      // Tokens of before the switch to refresh mode live for weeks, and belong to no session that could be ended.
      const isLive = payload.sid === undefined ? !sessions.isEnabled : await sessions.isLive(payload.sid);
      if (!isLive) throw new InvalidCredentialsError({});
      return known.actor;
    },
  };
}
