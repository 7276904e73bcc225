/** How hard a password is to guess, as far as a browser can tell; the server has the last word. */
export type Strength = "short" | "weak" | "fair" | "strong";

/** Bits from which a password is fair, and strong. */
const FAIR = 45;
const STRONG = 65;

/** Characters that a guesser has to try for each one. */
const POOLS: readonly (readonly [RegExp, number])[] = [
  [/\p{Ll}/u, 26],
  [/\p{Lu}/u, 26],
  [/\p{Nd}/u, 10],
  [/[^\p{L}\p{Nd}]/u, 20],
];

/**
 * Estimates a password: what repeats, what follows in order, and words that others know count little.
 *
 * @param minLength - characters that the server asks for.
 * @param known - name, address: what others know of the account.
 */
export function strengthOf(password: string, minLength: number, known: readonly string[] = []): Strength {
  if ([...password].length < minLength) return "short";
  const bits = bitsOf(withoutWords(password, known));
  if (bits < FAIR) return "weak";
  return bits < STRONG ? "fair" : "strong";
}

function withoutWords(password: string, known: readonly string[]): string {
  const words = known.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u)).filter((word) => word.length > 3);
  return words.reduce((text, word) => text.replaceAll(new RegExp(word, "giu"), ""), password);
}

function bitsOf(password: string): number {
  const pool = POOLS.reduce((sum, [kind, size]) => (kind.test(password) ? sum + size : sum), 0);
  const characters = [...password];
  const surprising = characters.filter((character, index) => !isExpected(characters, character, index));
  return Math.log2(Math.max(2, pool)) * surprising.length;
}

/** Whether a character repeats, or goes on with, the one before, or begins what was there a few characters ago. */
function isExpected(characters: readonly string[], character: string, index: number): boolean {
  const before = characters[index - 1];
  if (before === undefined) return false;
  const step = (character.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
  return Math.abs(step) <= 1 || (index > 2 && characters[index - 2] === character && characters[index - 3] === before);
}
