/** An item of a grant: an action or a pattern of actions, or a rule that limits an action. @source core/src/access/README.md */
export type GrantItem = string | RuleItem;

/** A rule as it is kept. */
export interface RuleItem {
  /** `api::article.article.update` */
  readonly action: string;
  /** Filter that rows have to fulfil. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** Names of attributes. */
  readonly fields?: readonly string[];
  /** Values that every write sets. */
  readonly set?: Readonly<Record<string, unknown>>;
}

/** Where what code grants to a role is written. */
export type RoleOrigin = "given" | "configured";

/** A role of administrators. */
export interface RoleView {
  /** documentId of what the database has of it; null: nothing. */
  readonly id: string | null;
  readonly name: string;
  readonly description: string | null;
  /** Where the locked part is written; null: there is none. */
  readonly origin: RoleOrigin | null;
  /** What code grants, which the database adds to. */
  readonly byCode: readonly GrantItem[];
  /** What the database grants. */
  readonly grant: readonly GrantItem[];
  readonly requiresSecondFactor: boolean;
  /** Whether the configuration asks for one, so that the page cannot take it back. */
  readonly isRequiredByConfig: boolean;
  /** Administrators who have it. */
  readonly accounts: number;
  /** Invitations to it that are open. */
  readonly invitations: number;
  /** Whether the caller may change it: it may do no more than theirs. */
  readonly mayChange: boolean;
  /** Goes back as `If-Match`; null without an id. */
  readonly version: string | null;
}

/** A content-type as a row of the matrix. */
export interface RoleType {
  readonly uid: string;
  readonly label: string;
  readonly isLocalized: boolean;
  /** Names of actions: `find`, `update`. */
  readonly actions: readonly string[];
  /** Those of them that can be limited to some rows, and the ones to some fields. */
  readonly limitable: readonly string[];
  readonly withFields: readonly string[];
  readonly fields: readonly { readonly name: string; readonly label: string }[];
}

/** An action of the page. */
export interface PageAction {
  /** `plugin::admin.accounts` */
  readonly name: string;
  /** What it lets do, as the plugin that declares it says: English. */
  readonly text: string;
  /** Whether the caller has it, and so may give it. */
  readonly mayGive: boolean;
}

/** `GET /admin/api/roles`. */
export interface RoleList {
  readonly data: readonly RoleView[];
  readonly types: readonly RoleType[];
  readonly actions: readonly PageAction[];
}

/** `POST /admin/api/roles`; of a PUT what is named changes. */
export interface RoleChanges {
  readonly name: string;
  readonly description?: string | null;
  readonly grant?: readonly GrantItem[];
  readonly requiresSecondFactor?: boolean;
}
