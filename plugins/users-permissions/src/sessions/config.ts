import { type Fail, isCount, readKeys } from "../config-values.js";

/** How long sessions last in refresh mode; all in seconds. */
export interface SessionsConfig {
  /** How long an access token is valid. */
  readonly accessLifespan: number;
  /** A session ends when it was not refreshed for this long. */
  readonly idleLifespan: number;
  /** A session ends this long after the login, whatever happens. */
  readonly maxLifespan: number;
  /**
   * How long a refresh token that was traded in still gives the same next one, because several windows of one browser
   * refresh at one time. After that, or with 0, it ends the session.
   */
  readonly reuseWindow: number;
  /** Whether refresh tokens always go into a cookie that scripts cannot read, and never into a body. */
  readonly httpOnly: boolean;
  /** Whether that cookie is only sent over https; default: in production. */
  readonly secureCookie: boolean | undefined;
}

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** Ten minutes, two weeks, thirty days; ten seconds. */
export const sessionsDefaults: SessionsConfig = {
  accessLifespan: 10 * MINUTE,
  idleLifespan: 14 * DAY,
  maxLifespan: 30 * DAY,
  reuseWindow: 10,
  httpOnly: false,
  secureCookie: undefined,
};

/** Reads `sessions: { accessLifespan: 600, httpOnly: true }`. */
export function parseSessionsConfig(value: unknown, fail: Fail): SessionsConfig {
  const config: SessionsConfig = { ...sessionsDefaults, ...readKeys(value, Object.keys(sessionsDefaults), fail) };
  for (const key of ["accessLifespan", "idleLifespan", "maxLifespan"] as const)
    if (!isCount(config[key])) fail(`has to have seconds under ${key}, a whole number from 1`);
  if (config.reuseWindow !== 0 && !isCount(config.reuseWindow))
    fail("has to have seconds under reuseWindow, a whole number from 0");
  if (typeof config.httpOnly !== "boolean") fail("has to say true or false under httpOnly");
  if (!["boolean", "undefined"].includes(typeof config.secureCookie))
    fail("has to say true or false under secureCookie");
  return config;
}
