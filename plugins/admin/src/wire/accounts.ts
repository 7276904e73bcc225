import type { FactorKind, FactorOverview } from "./second-factor.js";

/** An administrator, as those see them who look after accounts. */
export interface AccountView {
  /** documentId. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly isActive: boolean;
  /** ISO 8601, a minute late at most; null: not yet. */
  readonly lastSeenAt: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Of recovery codes nothing is said. */
  readonly secondFactor: readonly FactorKind[];
  readonly isMe: boolean;
  /** Whether the caller may change it: it is not theirs, and its role may do no more than their own. */
  readonly mayChange: boolean;
}

/** A role that an account can have. */
export interface RoleChoice {
  readonly name: string;
  /** Whether the caller may give it: it may do no more than their own. */
  readonly mayGive: boolean;
}

/** `GET /admin/api/accounts`. */
export interface AccountList {
  readonly data: readonly AccountView[];
  readonly roles: readonly RoleChoice[];
  /** Whether links go by mail. */
  readonly hasMail: boolean;
}

/** `PUT /admin/api/accounts/:id`: what is named changes. */
export interface AccountChanges {
  readonly role?: string;
  readonly isActive?: boolean;
}

/** Somebody who was invited and has not come yet. */
export interface InvitationView {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  /** Name of who invited them; null: a command did, or they are gone. */
  readonly invitedBy: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601; a time that has passed: it has to be sent again. */
  readonly expiresAt: string;
}

/** `POST /admin/api/invitations`. */
export interface NewInvitation {
  readonly email: string;
  readonly role: string;
}

/** A link that was made for somebody. */
export interface SentLink {
  /** Whether a mail has it. */
  readonly isSent: boolean;
  /** To be given to them, this once; null where a mail alone has it. */
  readonly link: string | null;
}

/** Answer of what invites. */
export interface Invited extends SentLink {
  readonly invitation: InvitationView;
}

/** `POST /admin/api/invitations/look`. */
export interface InvitationLook {
  readonly email: string;
  readonly role: string;
}

/** `POST /admin/api/invitations/accept`. */
export interface Acceptance {
  /** What stands behind `#` in the link. */
  readonly code: string;
  readonly name: string;
  readonly password: string;
}

/** `GET /admin/api/entrance`: what the page needs to know before the sign-in. */
export interface EntranceView {
  /** Characters of a password at least. */
  readonly passwordLength: number;
  /** Whether a forgotten password can be reset by mail. */
  readonly canReset: boolean;
}

/** `GET /admin/api/account`: one's own account. */
export interface OwnAccount {
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly language: string | null;
  readonly passwordLength: number;
  readonly secondFactor: FactorOverview;
}
