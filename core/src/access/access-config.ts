import * as v from "@plinth/core/valibot";
import { parseOptions } from "../base/options/parse-options.js";
import type { OptionsOf } from "../base/options/schema-node.js";
import { allowed, noList, option, options } from "../base/options/values.js";
import { checkGrant } from "./check-grant.js";
import { InvalidAccessConfigError } from "./errors.js";
import type { Grant } from "./grant.js";

/** Checked by checkGrant, which knows the grammar of actions and rules. */
const grant = v.pipe(
  v.custom<Grant>(() => true),
  allowed('"none", "read", "all" or a list of actions and rules'),
);

/** What config/access may hold. */
export const accessConfig = options({
  public: option(grant, "The permissions of every caller; no effect beside users-permissions.", "none"),
  tokens: option(
    noList(v.record(v.string(), grant)),
    "Grants by token, as it follows `Bearer ` in the Authorization header.",
    {},
  ),
});

/** The checked `config/access`: what the public may, and what the bearers of fixed tokens may. */
export type AccessConfig = OptionsOf<typeof accessConfig>;

const TOKEN = /^\S{8,}$/;

/**
 * Turns the `access` part of an app's configuration into an AccessConfig; closed by default.
 *
 * @param raw - such as `{ public: "read", tokens: { "a-long-secret": ["api::article.*"] } }`
 * @throws PLINTH_ACCESS_INVALID_CONFIG details `{ problems: [{ path, message }] }`
 */
export function parseAccessConfig(raw: unknown): AccessConfig {
  const { problems = [] } = parseOptions(accessConfig, raw ?? {}, "access");
  const { public: granted = "none", tokens = {} } = Object(raw) as Partial<AccessConfig>;
  const isRecord = !problems.some(({ path }) => path === "access.tokens");
  const all = [
    ...problems,
    ...checkGrant(granted, "access.public"),
    ...Object.entries(isRecord ? tokens : {}).flatMap(([token, given]) => [
      ...(TOKEN.test(token)
        ? []
        : [{ path: tokenPath(token), message: "a token has at least 8 characters and no spaces" }]),
      ...checkGrant(given, tokenPath(token)),
    ]),
  ];
  if (all.length > 0) throw new InvalidAccessConfigError({ problems: all });
  return Object.freeze({ public: granted, tokens });
}

/** A token's place in the configuration, without the token. */
export function tokenPath(token: string): string {
  return `access.tokens.${token.slice(0, 4)}...`;
}
