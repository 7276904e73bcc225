import type { RawContentType } from "@plinth/core";

/** Uid of authenticator apps: one a row, at most one an account. */
export const AUTHENTICATOR_TYPE = "plugin::admin.authenticator";
/** Uid of passkeys. */
export const PASSKEY_TYPE = "plugin::admin.passkey";
/** Uid of recovery codes. */
export const RECOVERY_CODE_TYPE = "plugin::admin.recovery-code";

/** Nothing of a second factor is content, and none of it is in archives: it belongs to one server and its secrets. */
const OWN = { limitable: [], archive: { part: "none" } } as const;
const HIDDEN = { private: true, searchable: false } as const;
/** documentId of the administrator. */
const ACCOUNT = { type: "string", required: true } as const;

/** Authenticator apps of administrators. */
export const authenticatorType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "admin_authenticators",
  info: { singularName: "admin-authenticator", pluralName: "admin-authenticators", displayName: "Authenticator app" },
  options: OWN,
  attributes: {
    account: { ...ACCOUNT, unique: true },
    /** Encrypted with a secret of the app. */
    secret: { type: "text", required: true, ...HIDDEN },
    /** Of the last code that counted: intervals of 30 seconds since 1970. No earlier one counts. */
    lastStep: { type: "biginteger", private: true },
  },
};

/** Passkeys of administrators: what proves them, which is no secret. */
export const passkeyType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "admin_passkeys",
  info: { singularName: "admin-passkey", pluralName: "admin-passkeys", displayName: "Passkey" },
  options: OWN,
  attributes: {
    account: { ...ACCOUNT, index: true },
    name: { type: "string", required: true, maxLength: 100 },
    /** As base64url. */
    credential: { type: "string", required: true, unique: true, maxLength: 2000, ...HIDDEN },
    /** COSE key as base64url. */
    publicKey: { type: "text", required: true, ...HIDDEN },
    counter: { type: "biginteger", required: true, private: true },
    transports: { type: "json", private: true },
    /** The domain that it was made for. */
    site: { type: "string", required: true, maxLength: 255 },
    lastUsedAt: { type: "datetime" },
  },
};

/** Recovery codes of administrators, as hashes: one row for each that was not used. */
export const recoveryCodeType: Omit<RawContentType, "uid"> = {
  kind: "collectionType",
  collectionName: "admin_recovery_codes",
  info: { singularName: "admin-recovery-code", pluralName: "admin-recovery-codes", displayName: "Recovery code" },
  options: OWN,
  attributes: {
    account: { ...ACCOUNT, index: true },
    hash: { type: "string", required: true, unique: true, ...HIDDEN },
  },
};
