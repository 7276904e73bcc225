import { type Ability, type Document, type ServiceRef, serviceRef } from "@plinth/core";
import type { UsersPermissionsConfig } from "./config.js";

/** A role without its permissions and users. */
export interface Role {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly description: string | null;
  /** What configuration and code call it: `public`. */
  readonly type: string;
}

/** What the server knows of a user without secrets. Never an answer by itself: see `Users.describe`. */
export interface Account {
  readonly id: number;
  readonly documentId: string;
  readonly username: string;
  readonly email: string;
  /** `local` for users with a password of their own, else who vouches for them. */
  readonly provider: string;
  readonly confirmed: boolean;
  readonly blocked: boolean;
  /** Tokens of an older version are refused. */
  readonly sessionVersion: number;
  readonly role: Role | null;
}

/** Texts by which a user who is not signed in can be found; whoever makes them decides whether they are hashes. */
export type TokenField = "resetPasswordToken" | "confirmationToken";

/** What can be set on a user. The password is in clear text and is stored as a hash. */
export interface UserChanges {
  readonly username?: string;
  readonly email?: string;
  readonly provider?: string;
  readonly password?: string;
  readonly resetPasswordToken?: string | null;
  readonly confirmationToken?: string | null;
  readonly confirmed?: boolean;
  readonly blocked?: boolean;
  /** Row id or documentId, or a relation such as `{ connect: [{ id: 1 }] }`. */
  readonly role?: unknown;
  /** Attributes that an app added to the type. */
  readonly [attribute: string]: unknown;
}

/** A user to be made; without a role it gets the default one. */
export type NewUser = UserChanges & { readonly username: string; readonly email: string };

/** Users, for code that the server trusts. E-mail addresses are compared and stored in lower case. */
export interface Users {
  findById(id: number): Promise<Account | undefined>;
  /** By e-mail address in any letter case, or by exact username. */
  findByIdentifier(identifier: string): Promise<Account | undefined>;
  findByEmail(email: string): Promise<Account | undefined>;
  findByToken(field: TokenField, token: string): Promise<Account | undefined>;
  /** Whether somebody's username or e-mail address is one of these; `except` is not asked. */
  isTaken(names: { readonly username?: string; readonly email?: string }, except?: number): Promise<boolean>;
  /** @throws PLINTH_INPUT_* (400) */
  create(values: NewUser): Promise<Account>;
  /** A new password, or being blocked, ends the user's sessions. Undefined when there is no such user. @throws PLINTH_INPUT_* (400) */
  update(id: number, changes: UserChanges): Promise<Account | undefined>;
  delete(id: number): Promise<void>;
  /** Sets a password, ends every session, and forgets the reset token. */
  setPassword(id: number, password: string): Promise<Account | undefined>;
  /** Refuses all tokens that were issued so far. */
  endSessions(id: number): Promise<Account | undefined>;
  /** Takes as long for no account, and for one without a password, as for a wrong password. */
  verifyPassword(account: Account | undefined, password: string): Promise<boolean>;
  /** The user as answers show it: no role, nothing private. */
  describe(id: number): Promise<Document>;
}

/** What one action of the permission tree says. `policy` is always empty: policies are on routes. */
export interface TreeLeaf {
  readonly enabled: boolean;
  readonly policy: "";
}

/** `{ "api::article": { controllers: { article: { find: { enabled, policy } } } } }` */
export type PermissionTree = Readonly<
  Record<string, { readonly controllers: Readonly<Record<string, Readonly<Record<string, TreeLeaf>>>> }>
>;

/** A role as an administrator writes it. */
export interface RoleChanges {
  readonly name?: string;
  readonly description?: string;
  /** The whole tree or parts of it; what it leaves out is not granted. */
  readonly permissions?: unknown;
}

/** Roles and what they may do. */
export interface Roles {
  /** The ability of requests that name nobody. */
  publicAbility(): Promise<Ability>;
  /** What a user may do; nothing without a role. */
  abilityOf(account: Account): Promise<Ability>;
  /** The role of users that are made without one. @throws PLINTH_USERS_ROLE_MISSING (500) */
  defaultRole(): Promise<Role>;
  /** Every role, and how many users have it. */
  list(): Promise<readonly (Document & { readonly nb_users: number })[]>;
  /** A role and its permissions as a tree. */
  findOne(id: number): Promise<(Document & { readonly permissions: PermissionTree }) | undefined>;
  create(changes: RoleChanges): Promise<void>;
  /** False when there is no such role. */
  update(id: number, changes: RoleChanges): Promise<boolean>;
  /** Its users become Public. False when there is no such role. */
  delete(id: number): Promise<boolean>;
  /** Every action that can be granted, none of them enabled. */
  permissionTree(): PermissionTree;
  /** Forgets what was read, here and in the other processes on this database. */
  invalidate(): Promise<void>;
}

/** What a token says of its bearer. */
export interface TokenPayload {
  readonly id: number;
  /** The user's session version when the token was issued. */
  readonly v: number;
  /** The session, in refresh mode. */
  readonly sid?: string;
}

/** Signed tokens. */
export interface Jwt {
  /** A token for a user; it is valid for `jwt.expiresIn`. `sid`: the session that it belongs to. */
  issue(account: Account, options?: { readonly sid?: string; readonly expiresIn?: number }): string;
  /** What a token says; undefined when it is not one of ours, was changed, or is over. */
  verify(bearer: string): TokenPayload | undefined;
}

/** The mails of this plugin. */
export type MailTemplate = "resetPassword" | "emailConfirmation";

/** Sends mails. */
export interface Mailer {
  /** `variables` stand in the template by name: `{{url}}`. */
  send(template: MailTemplate, to: string, variables: Readonly<Record<string, string>>): Promise<void>;
}

/** Counts attempts. */
export interface RateLimit {
  /** Counts one attempt. */
  consume(key: string): Promise<RateLimitState>;
}

/** What is left after an attempt. */
export interface RateLimitState {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Epoch seconds. */
  readonly resetAt: number;
}

/** Users. */
export const users: ServiceRef<Users> = serviceRef<Users>("plugin::users-permissions.users");
/** Roles. */
export const roles: ServiceRef<Roles> = serviceRef<Roles>("plugin::users-permissions.roles");
/** Tokens. */
export const jwt: ServiceRef<Jwt> = serviceRef<Jwt>("plugin::users-permissions.jwt");
/** Mails. */
export const mailer: ServiceRef<Mailer> = serviceRef<Mailer>("plugin::users-permissions.mailer");
/** Attempts. */
export const rateLimit: ServiceRef<RateLimit> = serviceRef<RateLimit>("plugin::users-permissions.rateLimit");

declare module "@plinth/core" {
  interface Services {
    "plugin::users-permissions.users": Users;
    "plugin::users-permissions.roles": Roles;
    "plugin::users-permissions.jwt": Jwt;
    "plugin::users-permissions.mailer": Mailer;
    "plugin::users-permissions.rateLimit": RateLimit;
  }
  interface PluginConfigs {
    "users-permissions": UsersPermissionsConfig;
  }
}
