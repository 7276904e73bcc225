// Ordinary requests that a large table answers slowly where no index serves them.
import type { Random } from "./random.js";
import { typeOf, walkFrom } from "./sample-types.js";

/** Known ones; the scale of a million articles was first tried with these. */
export const SIMPLE: readonly string[] = [
  "sort=title",
  "sort=updatedAt:desc",
  "sort=author.name",
  "filters[summary]=zz",
  "filters[kind]=tutorial",
  "filters[kind]=news&sort=title",
  "filters[title][$contains]=zz",
  "filters[title][$containsi]=zz",
  "filters[summary][$notContainsi]=a",
  "filters[author][bio][$contains]=zz",
  "filters[categories][name]=zz",
  "filters[categories][slug]=c-1&sort=title",
  "filters[seo][metaTitle]=zz",
  "_q=zz",
  "pagination[withCount]=false&filters[title][$contains]=zz",
  "pagination[start]=900000",
];

const OPERATORS = ["$eq", "$ne", "$eqi", "$contains", "$containsi", "$startsWith", "$gt", "$notNull"];

/** One filter or one order, over one relation at most. */
export function randomSimple(random: Random): string {
  const { names, end } = walkFrom("article", random, 1);
  const field = random.pick(typeOf(end).fields);
  if (random.once(3)) return `sort=${[...names, field].join(".")}`;
  return `filters${[...names, field, random.pick(OPERATORS)].map((name) => `[${name}]`).join("")}=zz`;
}
