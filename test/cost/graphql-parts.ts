import type { Random } from "./random.js";
import { typeOf, walkFrom } from "./sample-types.js";

const OPERATORS = ["eqi", "ne", "containsi", "notContainsi", "endsWithi", "contains"];
const VALUES = ["a", "e", "1", "article 1", "x".repeat(1000), "y".repeat(100_000)];
const DEEPEST = 3;
/** Conditions, or root fields, that one part repeats. */
const MANY = 60;

/** A root field of a GraphQL document, or several alike, without aliases. */
export function randomGraphqlPart(type: string, random: Random): string {
  const field = rootField(type, random);
  return random.once(4)
    ? Array(1 + random.below(MANY))
        .fill(field)
        .join("\n")
    : field;
}

function rootField(type: string, random: Random): string {
  const args = [`pagination: { limit: ${random.pick([1, 10, 100])} }`];
  if (!random.once(3)) args.push(`filters: ${filters(type, random)}`);
  if (random.once(2)) args.push(`sort: ["${random.pick(typeOf(type).fields)}"]`);
  const { plural } = typeOf(type);
  const head = `(${args.join(", ")})`;
  if (random.once(3)) return `${plural}_connection${head} { nodes ${selection(type, random)} pageInfo { total } }`;
  return `${plural}${head} ${selection(type, random)}`;
}

function filters(type: string, random: Random): string {
  const { names, end } = walkFrom(type, random, DEEPEST);
  const compared = `{ ${random.pick(OPERATORS)}: ${JSON.stringify(random.pick(VALUES))} }`;
  const inner = `{ ${random.pick(textsOf(end))}: ${compared} }`;
  const one = names.reduceRight((inside, name) => `{ ${name}: ${inside} }`, inner);
  if (random.once(3)) return `{ not: ${one} }`;
  if (!random.once(3)) return one;
  return `{ ${random.pick(["or", "and"])}: [${Array(1 + random.below(MANY))
    .fill(one)
    .join(", ")}] }`;
}

const textsOf = (type: string): readonly string[] =>
  typeOf(type).fields.filter((field) => ["title", "slug", "summary", "name", "bio", "metaTitle"].includes(field));

function selection(type: string, random: Random): string {
  const { names, end } = walkFrom(type, random, DEEPEST);
  const ends = `{ ${typeOf(end).fields.join(" ")} }`;
  return names.reduceRight((inside, name) => {
    const alike = random.once(3) ? 1 + random.below(10) : 1;
    return `{ ${Array.from({ length: alike }, (_, at) => `f${at}: ${name} ${inside}`).join(" ")} }`;
  }, ends);
}
