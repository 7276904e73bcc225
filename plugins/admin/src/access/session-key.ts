import { createHash, randomBytes } from "node:crypto";

/** What the cookie of a session holds. */
export interface SessionKey {
  /** Finds the session; 128 random bits. */
  readonly handle: string;
  /** Proves it; 256 random bits. */
  readonly secret: string;
}

const KEY = /^([\w-]{22})\.([\w-]{43})$/;
const HANDLE_BYTES = 16;
const SECRET_BYTES = 32;

const randomText = (bytes: number): string => randomBytes(bytes).toString("base64url");

/** A secret that cannot be guessed. */
export const newSecret = (): string => randomText(SECRET_BYTES);

/** The key of a new session. */
export const newSessionKey = (): SessionKey => ({ handle: randomText(HANDLE_BYTES), secret: newSecret() });

/** What is kept of a handle or secret. They are random, so that a quick hash is enough. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** A key as a text: `<handle>.<secret>`. */
export const printSessionKey = ({ handle, secret }: SessionKey): string => `${handle}.${secret}`;

/** The key of such a text; undefined for others. */
export function parseSessionKey(text: string): SessionKey | undefined {
  const [, handle, secret] = KEY.exec(text) ?? [];
  return handle && secret ? { handle, secret } : undefined;
}
