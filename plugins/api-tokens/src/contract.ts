import { type Actor, type ActorUser, type ServiceRef, serviceRef } from "@plinth/core";
import type { Grant } from "@plinth/core/access";

/**
 * What a token opens: `read-only` every action named find or findOne; `full-access` the whole content API; `custom`
 * what its permissions say; `admin` the REST of administrators, and of the content API what its permissions say.
 */
export type TokenType = "read-only" | "full-access" | "custom" | "admin";

/** Actions, and rules for some rows or fields: `["api::article.*", { action: "api::author.author.find", fields: ["name"] }]`. */
export type TokenPermissions = Extract<Grant, readonly unknown[]>;

/** A token as callers who manage tokens see it; its secret is not kept. */
export interface ApiToken {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: TokenType;
  readonly permissions: TokenPermissions;
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null;
  /** ISO 8601, some seconds late; null: not yet. */
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A token with its key, which is shown this once. */
export interface IssuedToken extends ApiToken {
  /** What goes into `Authorization: Bearer <accessKey>`. */
  readonly accessKey: string;
}

/** A token to be made. */
export interface NewToken {
  /** Unique. */
  readonly name: string;
  readonly description?: string | null;
  readonly type: TokenType;
  /** Of custom and admin tokens only. */
  readonly permissions?: TokenPermissions;
  /** ISO 8601; of a request, later than now; null or nothing: never. */
  readonly expiresAt?: string | null;
}

/** Makes and ends API tokens, for code that the server trusts. */
export interface ApiTokens {
  /** @throws PLINTH_TOKENS_INVALID (400), PLINTH_DOCUMENT_NOT_UNIQUE (400) for a name that is taken */
  create(values: NewToken): Promise<IssuedToken>;
  list(): Promise<readonly ApiToken[]>;
  /** By documentId, row id or name. */
  find(nameOrId: string): Promise<ApiToken | undefined>;
  /**
   * Attributes that are not named keep their values. Undefined when there is no such token. @throws as `create` does
   */
  update(documentId: string, changes: Partial<NewToken>): Promise<ApiToken | undefined>;
  /** A new key; the old one stops working at once. */
  regenerate(documentId: string): Promise<IssuedToken | undefined>;
  /** Ends a token: at once here, within a second in other processes. False when there is no such token. */
  revoke(documentId: string): Promise<boolean>;
}

/** An administrator, without secrets. */
export interface Administrator {
  readonly id: number;
  readonly documentId: string;
  readonly email: string;
  readonly createdAt: string;
}

/** An attempt to sign in as an administrator. */
export interface LoginAttempt {
  readonly email: string;
  readonly password: string;
  /** Of the client, as the server sees it. */
  readonly address: string;
  /** Called with the seconds to wait, before an attempt is rejected for its number. */
  readonly retryAfter: (seconds: number) => void;
}

/** An administrator who was authenticated: whom, and by which password. */
export interface AuthenticatedAdministrator extends ActorUser {
  /**
   * The account's session version as it was when the password was read. All that ends the sessions of an account raises it, so that
   * a sign-in that was under way is over, too. Undefined: that of when a session is opened.
   */
  readonly sessionVersion?: number;
}

/** What an administrator gives beside the password. */
export interface LoginProof extends Pick<LoginAttempt, "address" | "retryAfter"> {
  /** Of an authenticator app, or one of the recovery codes. */
  readonly code: string | undefined;
}

/** The administrators, who manage tokens. E-mail addresses are compared in lower case. */
export interface Administrators {
  /** @throws PLINTH_DOCUMENT_NOT_UNIQUE (400) for an address that is taken, PLINTH_INPUT_INVALID (400) for a password that is too short or long */
  create(email: string, password: string): Promise<Administrator>;
  list(): Promise<readonly Administrator[]>;
  /** Ends the sessions of the account. False when there is no such account. */
  setPassword(email: string, password: string): Promise<boolean>;
  /** False when there is no such account. */
  remove(email: string): Promise<boolean>;
  /**
   * Checks e-mail address and password. Attempts count, in all processes together.
   *
   * @throws PLINTH_TOKENS_LOGIN_REFUSED (401), after the same time for known and unknown accounts;
   * PLINTH_TOKENS_TOO_MANY_LOGINS (429)
   */
  authenticate(attempt: LoginAttempt): Promise<AuthenticatedAdministrator>;
  /**
   * Asks an administrator who was authenticated for what their account needs beside its password. By itself that is nothing; the
   * admin page asks for the code of a second factor.
   *
   * @throws what says that a code is missing (401), is wrong (401), or that there were too many (429)
   */
  confirm(user: ActorUser, proof: LoginProof): Promise<void>;
  /**
   * Opens a session of an administrator who was authenticated and confirmed, as `authenticate` returned them.
   *
   * @returns a JWT for the REST below `/admin`; one that opens nothing where all sessions were ended since
   */
  openSession(user: AuthenticatedAdministrator): Promise<string>;
  /** The administrator of a session's JWT; undefined when it is invalid or has expired, or the account is gone. */
  ofSession(jwt: string): Promise<Actor | undefined>;
}

/** The service behind tokens. */
export const apiTokens: ServiceRef<ApiTokens> = serviceRef<ApiTokens>("plugin::api-tokens.tokens");

/** The service behind administrators. */
export const administrators: ServiceRef<Administrators> = serviceRef<Administrators>(
  "plugin::api-tokens.administrators",
);

declare module "@plinth/core" {
  interface Services {
    "plugin::api-tokens.tokens": ApiTokens;
    "plugin::api-tokens.administrators": Administrators;
  }
}
