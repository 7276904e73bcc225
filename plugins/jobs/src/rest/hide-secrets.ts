/** Names of members whose values only the job needs. */
const SECRET =
  /pass(?:word|wd)|secret|token|sealed|authorization|cookie|credential|api-?_?key|private-?_?key|\bcode\b|\botp\b/i;

/** Stands in the place of a value. */
const HIDDEN = "••••";

/** Characters of data that are shown, and of one text in them; how deep it is looked. */
const [MOST, LONGEST, DEEPEST] = [4_000, 300, 20];

/**
 * The data of a job as a person may see it: what is secret by its name is hidden, at every depth.
 *
 * @returns JSON text, cut where it is long; null where there are no data
 */
export function shownData(data: unknown): string | null {
  if (data === null || data === undefined) return null;
  const text = JSON.stringify(hideSecrets(data, 0), undefined, 2);
  return cut(text, MOST);
}

function hideSecrets(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cut(value, LONGEST);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, depth + 1));
  const members = Object.entries(value).map(([name, inner]) => [
    name,
    SECRET.test(name) && inner !== null ? HIDDEN : hideSecrets(inner, depth + 1),
  ]);
  return Object.fromEntries(members) as unknown;
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
