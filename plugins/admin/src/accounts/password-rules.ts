import { passwordWeakness } from "@plinth/core/access";
import type { AdminConfig } from "../config.js";
import { InvalidRequestError } from "../errors.js";

/** Whose a password is: what others know of it. */
export interface PasswordOwner {
  readonly email: string;
  readonly name?: string | null | undefined;
}

/** A word that is shorter is in many sentences. */
const SHORTEST_WORD = 4;
/** Characters that are left of a password at least without the words that others know. */
const LEFT_AT_LEAST = 6;

/**
 * Checks a new password of an administrator: its length, that it is none of the most common ones, and that it is not made of what others
 * know of the account. Nothing is asked of its characters.
 *
 * @throws PLINTH_ADMIN_INVALID (400)
 * @source https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver, length and blocklists, no rules of composition
 */
export function assertPassword(
  config: Pick<AdminConfig, "passwords" | "brand">,
  password: string,
  owner: PasswordOwner,
): void {
  const { minLength } = config.passwords;
  const names = [owner.email, owner.name ?? ""];
  const message =
    passwordWeakness(password, { minLength, allowCommon: false, names }) ??
    (leftOf(password, [...names, config.brand.name]).length < LEFT_AT_LEAST
      ? "must be more than your name, your address and the name of this site"
      : undefined);
  if (message !== undefined) throw new InvalidRequestError({ errors: [{ path: "password", message }] });
}

/** What is left of a password without words that are known. */
function leftOf(password: string, known: readonly string[]): string {
  const folded = fold(password);
  const words = known
    .flatMap((text) => fold(text).split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= SHORTEST_WORD);
  const longestFirst = [...new Set(words)].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((text, word) => text.replaceAll(word, ""), folded);
}

const fold = (text: string): string => text.normalize("NFKC").toLowerCase();
