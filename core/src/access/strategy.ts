import type { Actor } from "./ability.js";

/** One way to identify the caller: configured tokens, API tokens, JWTs. */
export interface AuthStrategy {
  /** Unique; kebab-case, such as `api-tokens`. */
  readonly name: string;
  /**
   * Finds the actor of a bearer.
   *
   * @param bearer - what follows `Bearer ` in the Authorization header; never empty, no spaces.
   * @returns the actor, or undefined when the credentials are not of this strategy; the next strategy is tried then.
   * @throws the error for the client when the token is known and not valid, such as an expired one.
   */
  authenticate(bearer: string): Actor | undefined | Promise<Actor | undefined>;
}

declare module "../kernel/registries.js" {
  interface Registries {
    strategy: AuthStrategy;
  }
}
