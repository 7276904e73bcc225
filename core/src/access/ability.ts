/** The caller, as a strategy identified it. */
export interface Actor {
  /** `public` when the request has no credentials; else the strategy's name: `token`, `user`, `admin`. */
  readonly kind: string;
  readonly ability: Ability;
  /** The signed-in user, where there is one. */
  readonly user?: ActorUser;
  /** For logs, where there is no user: the document id of an API token, never the token. */
  readonly id?: string;
}

/** The data of a signed-in user that need no read of the database. */
export interface ActorUser {
  readonly id: number;
  readonly documentId: string;
}

/**
 * What an actor may do. Actions are `<uid>.<action>`: `api::article.article.find`. It is applied before SQL is built:
 * what may not be found is not in the statement.
 */
export interface Ability {
  /** Equal for abilities with equal limits: part of the plan cache's key. */
  readonly key: string;
  /**
   * The values that its rules hold, as a text: abilities of equal `key` and equal `values` reach the same rows.
   * Undefined where they change with time, as `{{now}}` does.
   */
  readonly values?: string | undefined;
  /**
   * Whether it is an administrator's: only then its rules may name `createdBy` and `updatedBy`, whose ids are those of
   * administrators.
   */
  readonly isAdmin?: boolean | undefined;
  can(action: string): boolean;
  /** The rows and attributes of its content-type that an action reaches; one that is not granted reaches nothing. */
  reachOf(action: string): Reach;
}

/**
 * Which rows and fields an action reaches of its content-type. "Nothing" is a case of its own, so that a missing grant
 * is never taken for a missing limit.
 */
export type Reach =
  | { readonly rows: "nothing" }
  | (Limits & { readonly rows: "everything" })
  | (Limits & { readonly rows: "some"; readonly where: Where });

/** What a rule says beside the rows. */
interface Limits {
  /** Whether the rows change with time, because their rule names `{{now}}`. */
  readonly isTimed?: true;
  readonly fields: FieldNames | undefined;
  /** Of `create` and `update`: what every write sets. */
  readonly set?: SetValues | undefined;
}

/**
 * Values of attributes that a write gets in place of those of its body, the actor's for `{{user.id}}`,
 * `{{user.documentId}}` and `{{now}}`: `{ owner: 7 }`. They are the app's: the writer needs no right to write the attribute,
 * or to find the document that it leads to.
 */
export type SetValues = Readonly<Record<string, unknown>>;

/** Names of attributes that may be read or written; id, documentId and timestamps always may be read. Undefined: all. */
export type FieldNames = ReadonlySet<string>;

/**
 * Filter in the grammar of REST that rows have to fulfil, the actor's values in place of `{{user.id}}`,
 * `{{user.documentId}}` and `{{now}}`: `{ author: { id: 7 } }`.
 */
export type Where = Readonly<Record<string, unknown>>;

/** The reach of an action that is not granted. */
export const NOTHING: Reach = Object.freeze({ rows: "nothing" });

/** The reach of an action that is granted without a rule. */
export const EVERYTHING: Reach = Object.freeze({ rows: "everything", fields: undefined });

/** The ability of code that the server trusts: hooks, plugins, the command line. */
export const unlimited: Ability = { key: "*", values: "", can: () => true, reachOf: () => EVERYTHING };

/**
 * An ability that has an action as well, without limits where it was not granted; one that has it already stays as it
 * is. For code that has checked by other means that the action may be done, as the endpoint of a route does whose
 * action has another name.
 */
export function allowAction(ability: Ability, action: string): Ability {
  if (ability.can(action)) return ability;
  return {
    key: `${ability.key}+${action}`,
    values: ability.values,
    isAdmin: ability.isAdmin,
    can: (asked) => asked === action || ability.can(asked),
    reachOf: (asked) => (asked === action ? EVERYTHING : ability.reachOf(asked)),
  };
}
