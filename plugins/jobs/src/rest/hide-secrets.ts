/** Names of members whose values only the job needs: what they have anywhere, and a word that they have, one or several. */
const SECRET =
  /pass(?:word|wd|phrase)|secret|token|sealed|authorization|cookie|credential|signature|api-?_?key|private-?_?key/i;
const SECRET_WORD = /^(?:code|otp|totp|pin|jwt|key|hash|salt|auth|csrf|sid)s?$/i;
/** The words of `resetCode`, `confirmation_code` and `userPIN`. */
const WORDS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu;

/** Stands in the place of a value. */
const HIDDEN = "••••";

/** Characters of data that are shown, and of one text in them; how deep it is looked. */
const [MOST, LONGEST, DEEPEST] = [4_000, 300, 20];

/**
 * The data of a job as a person may see it: what is secret by its name is hidden, at every depth, and what links carry.
 *
 * @returns JSON text, cut where it is long; null where there are no data
 */
export function shownData(data: unknown): string | null {
  if (data === null || data === undefined) return null;
  const text = JSON.stringify(hideSecrets(data, 0), undefined, 2);
  return cut(text, MOST);
}

function hideSecrets(value: unknown, depth: number): unknown {
  // What is cut off needs no look, however long it is.
  if (typeof value === "string") return hideInLinks(cut(value, LONGEST));
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, depth + 1));
  const members = Object.entries(value).map(([name, inner]) => [
    name,
    isSecret(name) && inner !== null ? HIDDEN : hideSecrets(inner, depth + 1),
  ]);
  return Object.fromEntries(members) as unknown;
}

const isSecret = (name: string): boolean =>
  SECRET.test(name) || (name.match(WORDS) ?? []).some((word) => SECRET_WORD.test(word));

/** A name and password in front of a host, values of a query (also where `&` is written as in HTML), and what is behind a `#`. */
function hideInLinks(text: string): string {
  return text
    .replace(/(:\/\/)[^\s/?#@"'<>]+@/g, `$1${HIDDEN}@`)
    .replace(/([?&;][^\s?&;#="'<>]+=)[^\s&#"'<>]+/g, `$1${HIDDEN}`)
    .replace(/(:\/\/[^\s#"'<>]*#)[^\s"'<>]+/g, `$1${HIDDEN}`);
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
