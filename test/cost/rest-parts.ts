import type { Random } from "./random.js";
import { typeOf, walkFrom } from "./sample-types.js";

const OPERATORS = ["$eqi", "$ne", "$containsi", "$notContainsi", "$endsWithi", "$contains", "$gt", "$notNull", "$in"];
const VALUES = ["a", "e", "1", "true", "%25_%25", "article 1", "2026-01-01", "x".repeat(1000), "zz ".repeat(300)];
const GROUPS = ["$or", "$and"];
const QUANTIFIERS = ["$some", "$none", "$every"];
const DEEPEST = 4;
/** Conditions that one part repeats, below what a read may have. */
const MANY = 200;

/** A part of a query string for a list of `type`: a parameter, or several that belong together. */
export function randomRestPart(type: string, random: Random): string {
  return random.pick([populatePart, populatePart, filterPart, filterPart, sortPart, pagePart, otherPart])(type, random);
}

const inBrackets = (names: readonly string[]): string => names.map((name) => `[${name}]`).join("");

function populatePart(type: string, random: Random): string {
  const { names, end } = walkFrom(type, random, DEEPEST);
  if (names.length === 0) return "populate=*";
  const path = `populate${inBrackets(names.flatMap((name, at) => (at === 0 ? [name] : ["populate", name])))}`;
  const field = random.pick(typeOf(end).fields);
  return random.pick([
    `${path}=true`,
    `${path}[fields][0]=${field}`,
    `${path}[populate]=*`,
    `${path}[count]=true`,
    `${path}[sort]=${sortPath(end, random, 2)}`,
    `${path}[filters]${condition(end, random)}`,
  ]);
}

function filterPart(type: string, random: Random): string {
  if (random.once(4)) {
    const repeated = condition(type, random);
    const group = random.pick(GROUPS);
    const count = 1 + random.below(MANY);
    return Array.from({ length: count }, (_, at) => `filters[${group}][${at}]${repeated}${at}`).join("&");
  }
  const groups = Array.from({ length: random.below(DEEPEST) }, () =>
    random.once(3) ? "[$not]" : `[${random.pick(GROUPS)}][${random.below(5)}]`,
  );
  return `filters${groups.join("")}${condition(type, random)}`;
}

function condition(type: string, random: Random): string {
  const { names, end } = walkFrom(type, random, DEEPEST);
  const field = random.pick(typeOf(end).fields);
  // Below a relation to one it is refused, which costs nothing.
  const path = names.flatMap((name) => (random.once(4) ? [name, random.pick(QUANTIFIERS)] : [name]));
  return `${inBrackets([...path, field, random.pick(OPERATORS)])}=${random.pick(VALUES)}`;
}

function sortPart(type: string, random: Random): string {
  return `sort[${random.below(5)}]=${sortPath(type, random, DEEPEST)}`;
}

function sortPath(type: string, random: Random, deepest: number): string {
  const { names, end } = walkFrom(type, random, deepest);
  return `${[...names, random.pick(typeOf(end).fields)].join(".")}:${random.pick(["asc", "desc"])}`;
}

function pagePart(_type: string, random: Random): string {
  return random.pick([
    "pagination[pageSize]=100",
    "pagination[limit]=100",
    "pagination[start]=1900&pagination[limit]=100",
    "pagination[page]=20&pagination[pageSize]=100",
    "pagination[withCount]=false",
    "pagination[cursor]=*&pagination[limit]=100",
  ]);
}

function otherPart(type: string, random: Random): string {
  return random.pick([
    `_q=${random.pick(VALUES)}`,
    "locale=fr",
    "locale=*",
    "locale=fr&fallbackLocale=en",
    "status=draft",
    "publicationFilter=modified",
    "publicationFilter=never-published",
    `fields[${random.below(3)}]=${random.pick(typeOf(type).fields)}`,
  ]);
}
