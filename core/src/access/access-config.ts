import { type AccessProblem, checkGrant } from "./check-grant.js";
import { InvalidAccessConfigError } from "./errors.js";
import type { Grant } from "./grant.js";

/** The checked `config/access`: what the public may, and what the bearers of fixed tokens may. */
export interface AccessConfig {
  /** What everybody may; no effect beside users-permissions. */
  readonly public: Grant;
  /** By token, as it follows `Bearer ` in the Authorization header. */
  readonly tokens: Readonly<Record<string, Grant>>;
}

const KEYS = ["public", "tokens"];
const TOKEN = /^\S{8,}$/;

/**
 * Turns the `access` part of an app's configuration into an AccessConfig; closed where nothing is said.
 *
 * @param raw - such as `{ public: "read", tokens: { "a-long-secret": ["api::article.*"] } }`
 * @throws PLINTH_ACCESS_INVALID_CONFIG details `{ problems: [{ path, message }] }`
 */
export function parseAccessConfig(raw: unknown): AccessConfig {
  const problems: AccessProblem[] = [];
  const config = readObject(raw ?? {}, "access", problems);
  for (const key of Object.keys(config)) {
    if (!KEYS.includes(key))
      problems.push({ path: `access.${key}`, message: `is not known; known are ${KEYS.join(", ")}` });
  }
  const granted = config["public"] ?? "none";
  problems.push(...checkGrant(granted, "access.public"));
  const tokens = readObject(config["tokens"] ?? {}, "access.tokens", problems);
  for (const [token, grant] of Object.entries(tokens)) {
    const path = tokenPath(token);
    if (!TOKEN.test(token)) problems.push({ path, message: "a token has at least 8 characters and no spaces" });
    problems.push(...checkGrant(grant, path));
  }
  if (problems.length > 0) throw new InvalidAccessConfigError({ problems });
  return Object.freeze({ public: granted as Grant, tokens: tokens as Record<string, Grant> });
}

function readObject(value: unknown, path: string, problems: AccessProblem[]): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  problems.push({ path, message: `must be an object, and is ${JSON.stringify(value)}` });
  return {};
}

/** A token's place in the configuration, without the token. */
export function tokenPath(token: string): string {
  return `access.tokens.${token.slice(0, 4)}...`;
}
