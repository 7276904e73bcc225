/** What a token opens. */
export type TokenKind = "read-only" | "full-access" | "custom" | "admin";

/** A rule for some rows or attributes, as grants have it. */
export interface TokenRule {
  readonly action: string;
  readonly where?: unknown;
  readonly fields?: readonly string[];
  readonly set?: unknown;
}

/** An API token, without its key. */
export interface TokenView {
  readonly documentId: string;
  readonly name: string;
  readonly description: string | null;
  readonly type: TokenKind;
  readonly permissions: readonly (string | TokenRule)[];
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
}

/** A token of `config/access`: it is changed there. */
export interface ConfiguredToken {
  /** The first characters of it, no more. */
  readonly start: string;
  readonly grant: "none" | "read" | "all" | readonly (string | TokenRule)[];
}

/** `GET /admin/api-tokens`. */
export interface TokenList {
  readonly data: readonly TokenView[];
  readonly meta: { readonly configured: readonly ConfiguredToken[] };
}

/** `GET /admin/permissions`. */
export interface GrantableActions {
  readonly data: readonly { readonly action: string; readonly routes: readonly string[] }[];
}

/** A token that was made or has another key: it is shown this once. */
export interface IssuedTokenAnswer {
  readonly data: TokenView & { readonly accessKey: string };
}
