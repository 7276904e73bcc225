import type { Random } from "./random.js";

/** What the search knows of a content-type of the sample app. */
interface SampleType {
  readonly plural: string;
  readonly fields: readonly string[];
  /** Target by relation; a component has its own fields only. */
  readonly relations: Readonly<Record<string, string>>;
}

const COMMON = ["documentId", "createdAt", "updatedAt"];

/** Content-types and components of the sample app by name. */
export const TYPES: Readonly<Record<string, SampleType>> = {
  article: {
    plural: "articles",
    fields: [...COMMON, "title", "slug", "summary", "body", "kind", "readingMinutes", "publishedAt"],
    relations: { author: "author", categories: "category", seo: "seo" },
  },
  author: { plural: "authors", fields: [...COMMON, "name", "bio"], relations: { articles: "article" } },
  category: {
    plural: "categories",
    fields: [...COMMON, "name", "slug"],
    relations: { articles: "article", parent: "category", children: "category" },
  },
  seo: { plural: "", fields: ["metaTitle", "metaDescription"], relations: {} },
};

/** Those that have an endpoint. */
export const ROOTS = ["article", "author", "category"];

/** Relations from one type to the next, and where they end. */
export interface Walk {
  readonly names: readonly string[];
  readonly end: string;
}

/** @param most - relations that it has at most. */
export function walkFrom(type: string, random: Random, most: number): Walk {
  const names: string[] = [];
  let end = type;
  for (let steps = random.below(most + 1); steps > 0; steps -= 1) {
    const relations = Object.entries(typeOf(end).relations);
    if (relations.length === 0) break;
    const [name, target] = random.pick(relations);
    names.push(name);
    end = target;
  }
  return { names, end };
}

/** @throws TypeError when the sample app has no such type */
export function typeOf(name: string): SampleType {
  const found = TYPES[name];
  if (!found) throw new TypeError(`The sample app has no type "${name}".`);
  return found;
}
