import { type Ability, type AppMail, type Document, type ServiceRef, serviceRef, type WrittenMail } from "@plinth/core";

/** A role without its permissions and users. */
export interface Role {
  readonly id: number;
  readonly documentId: string;
  readonly name: string;
  readonly description: string | null;
  /** What configuration and code call it: `public`. */
  readonly type: string;
}

/** The data of a user without secrets. Not an answer for clients: see `Users.describe`. */
export interface Account {
  readonly id: number;
  readonly documentId: string;
  readonly username: string;
  readonly email: string;
  /** `local` for users with a password of their own, else the provider's name. */
  readonly provider: string;
  readonly confirmed: boolean;
  readonly blocked: boolean;
  /** Tokens of an older version are refused. */
  readonly sessionVersion: number;
  readonly role: Role | null;
}

/**
 * Texts by which a user who is not signed in can be found; the code that writes them decides whether they are hashes.
 */
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
  /** Whether a user has one of these as username or e-mail address, or one that looks like it; `except` is left out. */
  isTaken(names: { readonly username?: string; readonly email?: string }, except?: number): Promise<boolean>;
  /** @throws PLINTH_INPUT_* (400) */
  create(values: NewUser): Promise<Account>;
  /** A new password, or being blocked, ends the user's sessions. Undefined when there is no such user. @throws PLINTH_INPUT_* (400) */
  update(id: number, changes: UserChanges): Promise<Account | undefined>;
  delete(id: number): Promise<void>;
  /** Sets a password, ends every session, and forgets the reset token. */
  setPassword(id: number, password: string): Promise<Account | undefined>;
  /** Revokes all tokens that were issued so far. */
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
  /** `code` where the app's code grants it; the database cannot take it away. */
  readonly source?: "code";
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
  /** The ability of requests without credentials. */
  publicAbility(): Promise<Ability>;
  /** What a user may do; nothing without a role. */
  abilityOf(account: Account): Promise<Ability>;
  /** The role of users that are made without one. @throws PLINTH_USERS_ROLE_MISSING (500) */
  defaultRole(): Promise<Role>;
  /** Every role that the rule of an ability on `find` reaches, and how many users have it. Default: everything. */
  list(ability?: Ability): Promise<readonly (Document & { readonly nb_users: number })[]>;
  /**
   * A role and its permissions as a tree, if the rule of an ability on `findOne` reaches it; the tree unless the fields of
   * the rule leave `permissions` out. Default: everything.
   */
  findOne(id: number, ability?: Ability): Promise<(Document & { readonly permissions?: PermissionTree }) | undefined>;
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

/** The claims of a token. */
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
  /**
   * The claims of a token; undefined when it is not one of ours, was changed, or has expired.
   *
   * @param options - `mayBeExpired`: to end a session, and for nothing else.
   */
  verify(bearer: string, options?: { readonly mayBeExpired?: boolean }): TokenPayload | undefined;
}

/** A mail, ready to go. */
export type Mail = WrittenMail;

/** Sends mails: this plugin's, and those of others, by `app.mail`. */
export interface Mailer extends AppMail {
  /** Sends a mail at once. @throws PLINTH_MAIL_NO_TRANSPORT (500), and what the SMTP server says */
  deliver(mail: Mail): Promise<void>;
  /** The latest mails, oldest first, of an app without an SMTP server, which does not send them. */
  kept(): readonly Mail[];
  /** Ends the connections to the SMTP server. */
  close(): void;
}

/** What a session is to its client after the login, and after each refresh. */
export interface SessionTokens {
  /** The session's public id. */
  readonly sid: string;
  /** Works once; the next one comes with the refresh. */
  readonly refreshToken: string;
  /** When the session ends unless it is refreshed. */
  readonly expiresAt: Date;
}

/** What a session is started from. */
export interface Device {
  /** As the client names it, so that it can sign out of all its sessions at once. */
  readonly id?: string | undefined;
  /** `Chrome on macOS`; undefined for a client that does not say. */
  readonly name?: string | undefined;
}

/** A session as its user sees it. */
export interface SessionInfo {
  readonly id: string;
  readonly deviceId: string | null;
  /** Absent for a client that did not say. */
  readonly deviceName?: string;
  /** ISO 8601. */
  readonly loginAt: string;
  /** When it was refreshed last, or began; ISO 8601. */
  readonly lastActiveAt: string;
}

/** Sign-ins that can be ended one by one, in refresh mode. */
export interface Sessions {
  /** Whether the app is in refresh mode. */
  readonly isEnabled: boolean;
  start(account: Account, device: Device): Promise<SessionTokens>;
  /**
   * Exchanges a refresh token for the next one. Undefined for one that is invalid or has expired; one that was used
   * before ends its session, because it was copied. For `sessions.reuseWindow` seconds it gives the same next token
   * again: several windows of one browser refresh at one time.
   */
  refresh(refreshToken: string): Promise<{ readonly account: Account; readonly tokens: SessionTokens } | undefined>;
  /** Whether access tokens of a session are still good, as far as the session goes. */
  isLive(sid: string): Promise<boolean>;
  /** The session that was active last comes first. */
  list(account: Account): Promise<readonly SessionInfo[]>;
  /** False when the user has no such session. */
  end(account: Account, sid: string): Promise<boolean>;
  /** Ends the sessions that a user has on a device. */
  endOnDevice(account: Account, deviceId: string): Promise<void>;
  /** Ends the session of a refresh token; undefined where it is of none, else whose session it was. */
  endByToken(refreshToken: string): Promise<Account | undefined>;
}

/** A user who signed in. */
export interface SignedIn {
  readonly jwt: string;
  /** As answers show it. */
  readonly user: Document;
  /** In refresh mode. */
  readonly session?: SessionTokens;
}

/** Authentication, without HTTP. Inputs are what the client sent: unchecked. */
export interface Auth {
  /** @param input - `{ identifier, password }`. @throws PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_* (400) */
  login(input: unknown, device: Device): Promise<SignedIn>;
  /**
   * @param input - `{ username, email, password }` and what `register.allowedFields` lists.
   * @returns without a token when the address has to be confirmed first.
   * @throws PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_* (400)
   */
  register(input: unknown, device: Device): Promise<SignedIn | { readonly user: Document }>;
  /** @param input - `{ currentPassword, password, passwordConfirmation }`. @throws PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_* (400) */
  changePassword(account: Account, input: unknown, device: Device): Promise<SignedIn>;
  /**
   * Has a code sent to the address, if a user has it, which is looked up later: the answer reveals nothing. @param input - `{ email }`
   */
  forgotPassword(input: unknown): Promise<void>;
  /** @param input - `{ code, password, passwordConfirmation }`. @throws PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_* (400) */
  resetPassword(input: unknown, device: Device): Promise<SignedIn>;
  /** @param input - `{ email }`. @throws PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_* (400) */
  sendConfirmation(input: unknown): Promise<{ readonly email: string }>;
  /** @param input - `{ confirmation }`. @throws PLINTH_USERS_BODY_INVALID, PLINTH_AUTH_* (400) */
  confirmEmail(input: unknown): Promise<Account>;
  /** Waits for mails that are sent after answers, in an app without jobs. */
  settle(): Promise<void>;
}

/** Users. */
export const users: ServiceRef<Users> = serviceRef<Users>("plugin::users-permissions.users");
/** Roles. */
export const roles: ServiceRef<Roles> = serviceRef<Roles>("plugin::users-permissions.roles");
/** Tokens. */
export const jwt: ServiceRef<Jwt> = serviceRef<Jwt>("plugin::users-permissions.jwt");
/** Mails. */
export const mailer: ServiceRef<Mailer> = serviceRef<Mailer>("plugin::users-permissions.mailer");
/** Sessions. */
export const sessions: ServiceRef<Sessions> = serviceRef<Sessions>("plugin::users-permissions.sessions");
/** Signing in. */
export const auth: ServiceRef<Auth> = serviceRef<Auth>("plugin::users-permissions.auth");

declare module "@plinth/core" {
  interface Services {
    "plugin::users-permissions.users": Users;
    "plugin::users-permissions.roles": Roles;
    "plugin::users-permissions.jwt": Jwt;
    "plugin::users-permissions.mailer": Mailer;
    "plugin::users-permissions.sessions": Sessions;
    "plugin::users-permissions.auth": Auth;
  }
}
