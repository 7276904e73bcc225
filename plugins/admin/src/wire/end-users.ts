import type { AttributeView } from "./model.js";

/** A role of end users, as their screens list it. */
export interface UserRole {
  readonly documentId: string;
  readonly name: string;
  readonly description: string | null;
  /** What `config/permissions` calls it: `public`. */
  readonly type: string;
  /** Whether requests without credentials have it. */
  readonly isPublic: boolean;
  /** Whether new users get it. */
  readonly isDefault: boolean;
  /** How many users have it; only where it was asked for. */
  readonly users?: number;
}

/** `GET /admin/api/user-roles`, in the order in which they were made. */
export interface UserRoleList {
  readonly data: readonly UserRole[];
}

/** What one place of the app's code grants a role. */
export interface CodeGrants {
  /** `config/permissions`, or the name of a plugin. */
  readonly source: string;
  /** Every action that it grants, limited or not. */
  readonly actions: readonly string[];
  /** Rules for some rows or attributes, as they are written. */
  readonly rules: readonly { readonly action: string }[];
}

/** A role and what it may do. */
export interface UserRoleDetails extends UserRole {
  /** What the database grants. */
  readonly stored: readonly string[];
  /** What code grants; it holds, and is changed there. */
  readonly byCode: readonly CodeGrants[];
}

/** `PUT /admin/api/user-roles/:documentId`; of a new role without `revoke`. What is not named stays. */
export interface UserRoleChanges {
  readonly name?: string;
  readonly description?: string | null;
  readonly grant?: readonly string[];
  readonly revoke?: readonly string[];
}

/** A user, without secrets; attributes that the app added stand beside these. */
export interface EndUser {
  readonly id: number;
  readonly documentId: string;
  readonly username: string;
  readonly email: string;
  /** `local`: signs in by a password. */
  readonly provider: string | null;
  readonly confirmed: boolean | null;
  readonly blocked: boolean | null;
  readonly role: Pick<UserRole, "documentId" | "name" | "type"> | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly [attribute: string]: unknown;
}

/** `GET /admin/api/users?_q&filters&sort&pagination`. */
export interface EndUserList {
  readonly data: readonly EndUser[];
  readonly meta: { readonly pagination: { readonly pageSize: number; readonly nextCursor: string | null } };
}

/** `GET /admin/api/users/attributes`: what the app added to users. */
export interface EndUserAttributes {
  readonly data: Readonly<Record<string, AttributeView>>;
  /** Least characters of a password. */
  readonly meta: { readonly minPasswordLength: number };
}

/** `GET /admin/api/users/:documentId/sessions`. */
export interface EndUserSessions {
  readonly data: readonly EndUserSession[];
  /** False: the app gives out long tokens, which are ended all together and listed nowhere. */
  readonly meta: { readonly isListed: boolean };
}

/** A sign-in of a user. */
export interface EndUserSession {
  readonly id: string;
  /** `Chrome on macOS`. */
  readonly deviceName: string;
  readonly loginAt: string;
}
