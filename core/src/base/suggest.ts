import { distance } from "fastest-levenshtein";

const MOST_LISTED = 15;

/**
 * The known name that was probably meant: the nearest by edits, letter case aside, when at most a third of it (rounded up) differs.
 *
 * @returns undefined when nothing is near.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const allowed = Math.ceil(Math.max(wanted.length, candidate.length) / 3);
    // At least that many edits: a name of a megabyte is not compared letter by letter.
    if (Math.abs(wanted.length - candidate.length) > allowed) continue;
    const edits = distance(wanted, candidate.toLowerCase());
    if (edits <= allowed && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { name: candidate, edits };
  }
  return best?.name;
}

/** The end of a message about an unknown name: `Did you mean "a"? Known: a, b.`; at most 15 names are listed. */
export function describeKnown(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const more = known.length > MOST_LISTED ? ` and ${known.length - MOST_LISTED} more` : "";
  const listed = known.length === 0 ? "none" : known.slice(0, MOST_LISTED).join(", ");
  return `${nearest === undefined ? "" : `Did you mean "${nearest}"? `}Known: ${listed}${more}.`;
}

/**
 * The known name that this one is a typing mistake of: one letter off in names of four letters or more, two from eight
 * on. Stricter than nearestName, for places where unknown names are allowed.
 */
export function typoOf(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  return known.find(
    (other) => other.length >= 4 && distance(name.toLowerCase(), other.toLowerCase()) <= (other.length >= 8 ? 2 : 1),
  );
}
