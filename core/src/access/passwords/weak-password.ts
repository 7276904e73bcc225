import { commonPasswords } from "./common-passwords.js";

/** What a password is checked against. */
export interface PasswordRules {
  /** In characters. */
  readonly minLength: number;
  /** Whether passwords that many people have are allowed. */
  readonly allowCommon: boolean;
  /** The user's own name and e-mail address. */
  readonly names: readonly string[];
}

/** Neighbours on keyboards and in the order of letters and digits; read backwards too. */
const RUNS = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "azertyuiopqsdfghjklmwxcvbn",
  "asdfghjkl",
  "zxcvbnm",
];
/** bcrypt ignores more, so longer ones are rejected. */
const LONGEST = 72;

const READ_BOTH_WAYS = RUNS.flatMap((run) => [run, [...run].reverse().join("")]);

/**
 * Why a password is easy to guess, as the end of a sentence about it (`must be at least 8 characters`); undefined when it
 * is not: too short, one of the most common ones, characters that repeat or follow each other, or the user's own name.
 *
 * @source https://pages.nist.gov/800-63-3/sp800-63b.html#memsecretver, length and lists of common ones, no rules of
 *   composition
 */
export function passwordWeakness(
  password: string,
  { minLength, allowCommon, names }: PasswordRules,
): string | undefined {
  if (password.length < minLength) return `must be at least ${minLength} characters`;
  const folded = password.normalize("NFKC").trim().toLowerCase();
  if (isName(folded, names)) return "must not be the username or the e-mail address";
  if (allowCommon || Buffer.byteLength(folded) > LONGEST || !isCommon(folded)) return undefined;
  return "must not be one of the most common ones";
}

function isName(folded: string, names: readonly string[]): boolean {
  const own = names.map((name) => name.normalize("NFKC").trim().toLowerCase());
  return own.some((name) => name !== "" && (name === folded || name.split("@")[0] === folded));
}

function isCommon(folded: string): boolean {
  return commonPasswords.has(folded) || isRepeated(folded) || READ_BOTH_WAYS.some((run) => run.includes(folded));
}

/** One to three characters, over and over: `aaaaaa`, `121212`, `abcabc`. */
function isRepeated(folded: string): boolean {
  return /^(.{1,3})\1+$/u.test(folded);
}
