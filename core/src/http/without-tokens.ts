import { configure } from "safe-stable-stringify";

/** Characters that a text has at least, for it to be taken for a token. */
const LENGTH = 32;

/** What tokens and the names around them are written in, without `/` and `=`, so each is looked at once. */
const RUN = new RegExp(`[\\w.-]{${LENGTH},}`, "g");

/** A text for the log: what looks like a token is replaced by an ellipsis. */
export function withoutTokens(text: string): string {
  if (text.length < LENGTH) return text;
  return text.replace(RUN, (run) => (isWebToken(run) || run.split(".").some(isRandom) ? "…" : run));
}

/**
 * The same of every text in an object, as JSON has it; what leads back to itself, or is too deep, is cut off. Of one that cannot
 * be JSON, because a `toJSON` throws, only its own texts are left.
 */
export function withoutTokensIn(value: object): object {
  try {
    return JSON.parse(stringify(value, (_, item) => hide(item)) ?? "{}") as object;
  } catch {
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => (isText(item) ? [[key, hide(item)]] : [])),
    );
  }
}

/** Errors may have anything as a property. */
const stringify = configure({ maximumDepth: 8, maximumBreadth: 100, deterministic: false });

const isText = (value: unknown): value is string => typeof value === "string";

const hide = (value: unknown): unknown => (isText(value) ? withoutTokens(value) : value);

/** A JSON object in base64url begins like this. */
const isWebToken = (run: string): boolean => /(?:^|\.)eyJ[\w-]*\.[\w-]/.test(run);

/**
 * Letters and digits in one piece, such as hexadecimal digits, or base64url of them. Slugs and UUIDs have no capitals,
 * names no digits, and ids of documents are shorter.
 */
const isRandom = (part: string): boolean =>
  part.length >= LENGTH && /\d/.test(part) && (!/[-_]/.test(part) || (/[a-z]/.test(part) && /[A-Z]/.test(part)));
