import type { SignedIn } from "./account.js";

/** What proves an administrator beside their password. */
export type FactorKind = "totp" | "passkey" | "recovery";

/** Answer of `POST /admin/api/session` where the account has a second factor: a cookie holds the half that is done. */
export interface FactorAsked {
  /** What it takes, the usual one first. */
  readonly secondFactor: readonly FactorKind[];
}

/** Answer of `POST /admin/api/session`. */
export type SignInAnswer = SignedIn | FactorAsked;

/** `POST /admin/api/session/second-factor`: one of them. */
export interface FactorProof {
  /** Six digits. */
  readonly totp?: string;
  /** As it was shown; spaces and case do not matter. */
  readonly recovery?: string;
  /** What the browser made of the options. @source https://www.w3.org/TR/webauthn-3/#dictdef-authenticationresponsejson */
  readonly passkey?: object;
}

/** Answer of `POST /admin/api/session/passkey`, and of `POST /admin/api/account/passkeys/options`. */
export interface PasskeyOptions {
  /** For `navigator.credentials`, in their JSON form. */
  readonly options: object;
}

/** A passkey as its owner sees it. */
export interface PasskeyView {
  readonly id: string;
  readonly name: string;
  /** The domain that it is for. */
  readonly site: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601; null: not yet. */
  readonly lastUsedAt: string | null;
}

/** The second factor of an account. */
export interface FactorOverview {
  readonly hasTotp: boolean;
  readonly passkeys: readonly PasskeyView[];
  /** Codes that were not used. */
  readonly recoveryLeft: number;
  /** Whether the role asks for a second factor. */
  readonly isRequired: boolean;
}

/** Answer of `POST /admin/api/account/totp`: an authenticator app to be added. */
export interface NewTotp {
  /** Base32, for who types it. */
  readonly secret: string;
  /** `otpauth://totp/...`, for a QR code. */
  readonly uri: string;
  /** Goes back with the first code. */
  readonly ticket: string;
}

/** Answer of what makes or adds a second factor. */
export interface FactorAdded {
  readonly secondFactor: FactorOverview;
  /** Shown this once; nothing where there were some already. */
  readonly recoveryCodes?: readonly string[];
}
