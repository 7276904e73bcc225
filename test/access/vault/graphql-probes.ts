import type { Hidden, Pair } from "./probes.js";

/** The ways to write a condition on one field. */
const CONDITIONS: readonly ((value: string) => string)[] = [
  ...["eq", "ne", "lt", "gte", "startsWith", "contains", "containsi", "notContains", "endsWith", "eqi"].map(
    (operator) => (value: string) => `{ ${operator}: ${value} }`,
  ),
  ...["in", "notIn"].map((operator) => (value: string) => `{ ${operator}: [${value}] }`),
  (value) => `{ between: [${value}, ${value}] }`,
  (value) => `{ not: { eq: ${value} } }`,
  (value) => `{ or: [{ eq: ${value} }, { eq: ${value} }] }`,
];

const nest = (path: readonly string[], inside: string): string =>
  path.reduceRight((condition, name) => `{ ${name}: ${condition} }`, inside);

/** The filters on something hidden that stand at a list, as it is asked by GraphQL. */
function conditionsOn({ path, matching, other }: Hidden): Pair[] {
  const conditions = CONDITIONS.map((write): Pair => {
    const [a, b] = [matching, other].map((value) => nest(path, write(JSON.stringify(value))));
    return [a ?? "", b ?? ""];
  });
  const [a, b] = conditions[0] as Pair;
  return [
    ...conditions,
    [`{ not: ${a} }`, `{ not: ${b} }`],
    [`{ or: [${a}, { title: { eq: "Alpha" } }] }`, `{ or: [${b}, { title: { eq: "Alpha" } }] }`],
  ];
}

/** Every filter on something hidden, on a list, its connection, and a count. */
export function filterDocuments(hidden: Hidden): Pair[] {
  return conditionsOn(hidden).flatMap(([matching, other]): Pair[] => [
    [`{ notes(filters: ${matching}) { title } }`, `{ notes(filters: ${other}) { title } }`],
    [
      `{ notes_connection(filters: ${matching}) { pageInfo { total } } }`,
      `{ notes_connection(filters: ${other}) { pageInfo { total } } }`,
    ],
  ]);
}

/** Filters on something hidden inside of what is selected on the way. */
export function nestedDocuments({ path, matching, other }: Hidden): Pair[] {
  return path.slice(1).flatMap((_, index) => {
    const steps = path.slice(0, index + 1);
    const rest = { path: path.slice(index + 1), matching, other };
    const ask = (filters: string) =>
      `{ notes { ${steps.join(" { ")}(filters: ${filters}) { __typename }${" }".repeat(steps.length - 1)} } }`;
    return conditionsOn(rest).map(([a, b]): Pair => [ask(a), ask(b)]);
  });
}

/** Orders by something hidden: ascending against descending. */
export function sortDocuments({ path }: Pick<Hidden, "path">): Pair[] {
  const by = path.join(".");
  const forms: ((direction: string) => string)[] = [
    (direction) => `{ notes(sort: "${by}:${direction}") { title } }`,
    (direction) => `{ notes(sort: ["title", "${by}:${direction}"]) { title } }`,
    (direction) => `{ notes_connection(sort: "${by}:${direction}", pagination: { limit: 1 }) { nodes { title } } }`,
  ];
  return forms.map((write) => [write("asc"), write("desc")]);
}

/** Selections of something hidden, as a list, by a fragment, by an alias. */
export function selectionDocuments({ path }: Pick<Hidden, "path">): readonly string[] {
  const last = path.at(-1) as string;
  const steps = path.slice(0, -1);
  const inside = (selection: string) =>
    `${["notes", ...steps].join(" { ")} { ${selection} }${" }".repeat(steps.length)}`;
  return [last, `x: ${last}`, `${last} { name }`, `x: ${last} { name documentId }`].flatMap((selection) => [
    `{ ${inside(selection)} }`,
    `{ ${inside(`... @include(if: true) { ${selection} }`)} }`,
  ]);
}
