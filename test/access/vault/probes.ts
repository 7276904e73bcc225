/** A way to something hidden: attribute names from notes on, and a value that it has. */
export interface Hidden {
  readonly path: readonly string[];
  readonly matching: string | number;
  readonly other: string | number;
}

/** Two questions that only differ in whether a hidden value answers them. */
export type Pair = readonly [matching: string, other: string];

const inBrackets = (names: readonly string[]) => names.map((name) => `[${name}]`).join("");

/** The ways to write a condition: alone, negated, beside others, in other kinds of comparison. */
const CONDITIONS: readonly ((keys: string, value: string) => string)[] = [
  (keys, value) => `filters${keys}=${value}`,
  ...["$eq", "$ne", "$lt", "$gte", "$startsWith", "$contains", "$containsi", "$notContains", "$endsWithi", "$eqi"].map(
    (operator) => (keys: string, value: string) => `filters${keys}[${operator}]=${value}`,
  ),
  (keys, value) => `filters${keys}[$in][0]=${value}`,
  (keys, value) => `filters${keys}[$notIn][0]=${value}`,
  (keys, value) => `filters${keys}[$between][0]=${value}&filters${keys}[$between][1]=${value}`,
  (keys, value) => `filters${keys}[$not][$eq]=${value}`,
  (keys, value) => `filters[$not]${keys}=${value}`,
  (keys, value) => `filters[$and][0]${keys}=${value}`,
  (keys, value) => `filters[$or][0]${keys}=${value}&filters[$or][1][title]=Alpha`,
  (keys, value) => `filters[$or][0][$and][0][$not]${keys}=${value}`,
];

/** Every filter on something hidden, as a list, single documents and counts take it. */
export function filterProbes({ path, matching, other }: Hidden): Pair[] {
  const keys = inBrackets(path);
  return CONDITIONS.map((write) => [write(keys, String(matching)), write(keys, String(other))]);
}

/** Filters inside of what is populated on the way. */
export function populateProbes({ path, matching, other }: Hidden): Pair[] {
  return path.slice(1).flatMap((_, index) => {
    const steps = path.slice(0, index + 1);
    const place = `populate${steps.map((name) => `[${name}]`).join("[populate]")}`;
    const rest = path.slice(index + 1);
    return CONDITIONS.map((write): Pair => {
      const inside = (value: unknown) =>
        write(inBrackets(rest), String(value)).replaceAll("filters", `${place}[filters]`);
      return [inside(matching), inside(other)];
    });
  });
}

/** Orders by something hidden, at the root and inside of what is populated: ascending against descending. */
export function sortProbes({ path }: Pick<Hidden, "path">): Pair[] {
  const forms: ((direction: string) => string)[] = [
    (direction) => `sort=${path.join(".")}:${direction}`,
    (direction) => `sort[0]=${path.join(".")}:${direction}&sort[1]=title`,
    (direction) => `sort${inBrackets(path)}=${direction}`,
  ];
  for (let index = 1; index < path.length; index++) {
    const place = `populate${path
      .slice(0, index)
      .map((name) => `[${name}]`)
      .join("[populate]")}`;
    forms.push((direction) => `${place}[sort]=${path.slice(index).join(".")}:${direction}`);
  }
  return forms.map((write) => [write("asc"), write("desc")]);
}
