type Details = Readonly<Record<string, unknown>>;

/** Levels of details that are read as they are: what reads and writes JSON by recursion manages half as many more at least. */
const MOST_LEVELS = 2_000;

/**
 * Details as an entry has them. Such as are nested too deeply, which only SQL past the app can write, are
 * `{ "json": "<their text>" }`, so that nothing that reads an entry runs out of stack.
 */
export function flatDetails(details: Details): Details {
  return isDeep(details) ? { json: jsonOf(details) } : details;
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

/** By level, and not by recursion. */
function isDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= MOST_LEVELS) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

/** A part of a text, or a value that is not written yet. */
type Piece = { readonly text: string } | { readonly value: unknown };

/** JSON without spaces, keys in the order of their code units, of any depth. */
function jsonOf(details: unknown): string {
  const written: string[] = [];
  const left: Piece[] = [{ value: details }];
  for (let piece = left.pop(); piece; piece = left.pop()) {
    if ("text" in piece) written.push(piece.text);
    else if (isContainer(piece.value)) for (const next of piecesOf(piece.value).toReversed()) left.push(next);
    else written.push(JSON.stringify(piece.value));
  }
  return written.join("");
}

function piecesOf(container: object): readonly Piece[] {
  if (Array.isArray(container))
    return [{ text: "[" }, ...container.flatMap((value, index) => [{ text: comma(index) }, { value }]), { text: "]" }];
  const entries = Object.entries(container).sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.flatMap(([key, value], index) => [
    { text: `${comma(index)}${JSON.stringify(key)}:` },
    { value: value as unknown },
  ]);
  return [{ text: "{" }, ...members, { text: "}" }];
}

const comma = (index: number): string => (index === 0 ? "" : ",");
