import { createError } from "../base/error.js";

/** The request names somebody nobody knows. */
export const UnauthenticatedError = createError<object>(
  "PLINTH_ACCESS_UNAUTHENTICATED",
  401,
  () => "Missing or invalid credentials",
  {
    cause: "The Authorization header carries a bearer that no strategy knows.",
    remedy: "Send a valid token, or no Authorization header at all for what the public may do.",
  },
);

/** Who asks is known, and may not do this. */
export const ForbiddenError = createError<object>("PLINTH_ACCESS_FORBIDDEN", 403, () => "Forbidden", {
  cause: "The actor's ability does not include the action of the route.",
  remedy: "Grant the action, or ask as somebody who may.",
});

/** One thing that is wrong in `config/access`. */
export interface AccessConfigProblem {
  /** Dotted, from the root of the configuration: `access.public`. Tokens show their first four characters only. */
  readonly path: string;
  readonly message: string;
}

/** The configuration of access cannot be read; every problem at once. */
export const InvalidAccessConfigError = createError<{ problems: readonly AccessConfigProblem[] }>(
  "PLINTH_ACCESS_INVALID_CONFIG",
  500,
  (d) => `The access configuration is wrong:\n${d.problems.map((p) => `  ${p.path}: ${p.message}`).join("\n")}`,
  {
    cause: "config/access holds a key or a value that access does not understand.",
    remedy: 'Use "none", "read", "all" or a list of actions such as "api::article.article.find" or "api::article.*".',
  },
);

/** Two strategies have one name. */
export const DuplicateStrategyError = createError<{ strategy: string }>(
  "PLINTH_ACCESS_DUPLICATE_STRATEGY",
  500,
  (d) => `The authentication strategy "${d.strategy}" is registered twice; give one of them another name.`,
  {
    cause: "app.auth.register was called twice with the same name.",
    remedy: "Register each strategy once, in register of the plugin that owns it.",
  },
);
