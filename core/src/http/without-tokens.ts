/** Characters that a text has at least, for it to be taken for a token. */
const LENGTH = 32;

/** What tokens and the names around them are written in, without `/` and `=`, so each is looked at once. */
const RUN = new RegExp(`[\\w.-]{${LENGTH},}`, "g");

/** A text for the log: what looks like a token is replaced by an ellipsis. */
export function withoutTokens(text: string): string {
  if (text.length < LENGTH) return text;
  return text.replace(RUN, (run) => (isWebToken(run) || run.split(".").some(isRandom) ? "…" : run));
}

/** The same of everything in a value that is made of texts, lists and plain objects. */
export function withoutTokensIn(value: unknown): unknown {
  if (typeof value === "string") return withoutTokens(value);
  if (Array.isArray(value)) return value.map(withoutTokensIn);
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutTokensIn(item)]));
}

const isPlain = (value: object): boolean => [null, Object.prototype].includes(Object.getPrototypeOf(value));

/** A JSON object in base64url begins like this. */
const isWebToken = (run: string): boolean => /(?:^|\.)eyJ[\w-]*\.[\w-]/.test(run);

/**
 * Letters and digits in one piece, such as hexadecimal digits, or base64url of them. Slugs and UUIDs have no capitals,
 * names no digits, and ids of documents are shorter.
 */
const isRandom = (part: string): boolean =>
  part.length >= LENGTH && /\d/.test(part) && (!/[-_]/.test(part) || (/[a-z]/.test(part) && /[A-Z]/.test(part)));
