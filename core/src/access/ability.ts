/** Who asks, as the strategies found out. */
export interface Actor {
  /** `public` when the request names nobody; else the strategy's name: `token`, `user`. */
  readonly kind: string;
  readonly ability: Ability;
}

/**
 * What an actor may do. Actions are `<uid>.<action>`: `api::article.article.find`. Decided before any SQL exists:
 * what may not be found is not in the statement.
 */
export interface Ability {
  /** Equal for abilities with equal limits, whoever holds them: part of the plan cache's key. */
  readonly key: string;
  can(action: string): boolean;
}

/** The ability of code that the server trusts: hooks, plugins, the command line. */
export const unlimited: Ability = { key: "*", can: () => true };
