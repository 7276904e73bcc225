/** Where a value stands in a form: names and keys of items, joined by dots: `sections.i7.title`. Never by index, which moves. */
export type Path = string;

/** One step below a path; the empty path is the whole form. */
export const below = (path: Path, step: string): Path => (path === "" ? step : `${path}.${step}`);

/** A path and all above it, the empty one too. */
export function upwards(path: Path): readonly Path[] {
  const found = [path];
  let rest = path;
  while (rest !== "") {
    const dot = rest.lastIndexOf(".");
    rest = dot < 0 ? "" : rest.slice(0, dot);
    found.push(rest);
  }
  return found;
}

/** Whether a path is another one or stands below it. */
export const isWithin = (path: Path, other: Path): boolean =>
  other === "" || path === other || path.startsWith(`${other}.`);
