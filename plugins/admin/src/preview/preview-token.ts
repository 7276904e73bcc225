import { createHmac, timingSafeEqual } from "node:crypto";

/** What a preview token says. */
export interface PreviewClaims {
  readonly uid: string;
  readonly documentId: string;
  /** null: the type is not localised. */
  readonly locale: string | null;
  /** Hash of the handle of the session that it belongs to. */
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Before every token, so that no other kind of bearer is taken for one. */
const MARK = "plinth-preview";

/** Whether a bearer looks like a preview token. */
export const isPreviewToken = (bearer: string): boolean => bearer.startsWith(`${MARK}.`);

/** Signs what a token says: `plinth-preview.<claims>.<signature>`, without characters that an address would have to escape. */
export function signPreviewToken(claims: PreviewClaims, secret: string): string {
  const signed = `${MARK}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}`;
  return `${signed}.${signatureOf(signed, secret)}`;
}

/** What a token says; undefined where none of the secrets has signed it. */
export function readPreviewToken(token: string, secrets: readonly string[]): PreviewClaims | undefined {
  const end = token.lastIndexOf(".");
  const signed = token.slice(0, end);
  const given = Buffer.from(token.slice(end + 1));
  const isSigned = secrets.some((secret) => {
    const right = Buffer.from(signatureOf(signed, secret));
    return right.length === given.length && timingSafeEqual(right, given);
  });
  if (!isSigned) return undefined;
  return JSON.parse(Buffer.from(signed.slice(MARK.length + 1), "base64url").toString()) as PreviewClaims;
}

const signatureOf = (signed: string, secret: string): string =>
  createHmac("sha256", secret).update(`admin preview ${signed}`).digest("base64url");
