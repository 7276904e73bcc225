// The rows of the benchmark: one request each. Every server of a run is asked the same, about its own content.
import { newArticle } from "./content.mjs";

/**
 * @typedef {import("./seed.mjs").Seeded} Seeded
 * @typedef {object} Asked - one request.
 * @property {"GET" | "POST" | "PUT"} method
 * @property {string} path
 * @property {object} [body] - sent as JSON.
 * @typedef {object} BenchCase
 * @property {string} name
 * @property {"read" | "graphql" | "create" | "update"} kind - writes are asked for with the token, and never twice alike.
 * @property {number} atLeast - requests per second as a share of the limit's, below which a full run fails.
 * @property {string} [sameAs] - the row that asks the same of the database; this one keeps KEPT_BESIDE of its share.
 * @property {Record<string, string>} [headers] - beside those of every row.
 * @property {boolean} [isRuled] - asked with a bearer who has a rule on the rows that it reads, which reaches all of them.
 * @property {(seeded: Seeded, turn: number) => Asked} ask - `turn` counts the requests of a run; reads are all alike.
 */

const READ = 0.8;
const GRAPHQL = 0.6;
const WRITE = 0.35;

const POPULATED = { "populate[0]": "author", "populate[1]": "categories", "populate[2]": "seo" };
const DEEP = {
  "populate[author]": "true",
  "populate[categories][populate][parent]": "true",
  "populate[seo][populate][meta]": "true",
  "populate[links][populate][category]": "true",
  "populate[sections][on][sections.hero][populate][cta]": "true",
  "populate[sections][on][sections.quote][populate][author]": "true",
  "populate[sections][on][sections.gallery]": "true",
};

const QUERY = `query Page {
  articles(pagination: { pageSize: 25 }) {
    documentId title slug summary body views rating featured kind pubDate eventAt createdAt updatedAt publishedAt
    author { documentId name email bio }
    categories { documentId name slug }
    seo { metaTitle metaDescription }
  }
}`;

/** @type {readonly BenchCase[]} */
export const cases = [
  read("list 25", list(25, {})),
  read("list 25, two fields", list(25, { "fields[0]": "title", "fields[1]": "slug" })),
  read("list 25, author+categories+seo", list(25, POPULATED)),
  {
    ...read("list 25, populated, with an Origin", list(25, POPULATED)),
    sameAs: "list 25, author+categories+seo",
    headers: { origin: "https://app.example.com" },
  },
  {
    ...read("list 25, populated, bearer with rules", list(25, POPULATED)),
    sameAs: "list 25, author+categories+seo",
    isRuled: true,
  },
  read("list 100, author+categories+seo", list(100, POPULATED)),
  read("list 25, deep with zone", list(25, DEEP)),
  read(
    "filter on relations, sort views",
    list(25, {
      "filters[categories][slug][$eq]": "category-7",
      "filters[author][name][$startsWith]": "Author 1",
      sort: "views:desc",
    }),
  ),
  read("one, author+categories+seo", ({ articleIds }) => {
    return `/api/articles/${middle(articleIds)}?${new URLSearchParams(POPULATED)}`;
  }),
  {
    name: "graphql 25, author+categories+seo",
    kind: "graphql",
    atLeast: GRAPHQL,
    ask: () => ({ method: "POST", path: "/graphql", body: { query: QUERY } }),
  },
  {
    name: "create",
    kind: "create",
    atLeast: WRITE,
    ask: (seeded, turn) => ({ method: "POST", path: "/api/articles", body: { data: newArticle(turn, seeded) } }),
  },
  {
    name: "update two fields",
    kind: "update",
    atLeast: WRITE,
    ask: ({ articleIds }, turn) => ({
      method: "PUT",
      path: `/api/articles/${articleIds[turn % articleIds.length]}`,
      body: { data: { title: `Another title ${turn}`, views: turn } },
    }),
  },
];

function read(name, path) {
  return { name, kind: "read", atLeast: READ, ask: (seeded) => ({ method: "GET", path: path(seeded) }) };
}

function list(pageSize, parameters) {
  return () => `/api/articles?${new URLSearchParams({ ...parameters, "pagination[pageSize]": String(pageSize) })}`;
}

const middle = (ids) => ids[Math.floor(ids.length / 2)];
