// The rows of the benchmark. Every server of a run is asked the same, about its own content: of a row another page, document,
// value or pair of relations each time, as different visitors ask.
import { CATEGORIES, newArticle } from "./content.mjs";

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
 * @property {string} [sameAs] - the row that asks the same of the database.
 * @property {boolean} [isAlike] - every request is the same one: what sharing of statements and parsed queries gives.
 * @property {Record<string, string>} [headers] - beside those of every row.
 * @property {boolean} [isRuled] - asked with a bearer who has a rule on the rows that it reads, which reaches all of them.
 * @property {(seeded: Seeded, turn: number) => Asked} ask - `turn` counts the requests of a run. What differs between turns
 *   comes last in the path: the last segment, or the last parameters and the page behind them.
 */

const READ = 0.8;
const GRAPHQL = 0.6;
const WRITE = 0.35;

/** Beginnings of authors' names that a filter asks for, each of them many where there are many authors. */
const AUTHORS = 3;
/** Most articles have more views. */
const MOST_VIEWS = 1_000;

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

const QUERY = `query Page($page: Int) {
  articles(pagination: { page: $page, pageSize: 25 }) {
    documentId title slug summary body views rating featured kind pubDate eventAt createdAt updatedAt publishedAt
    author { documentId name email bio }
    categories { documentId name slug }
    seo { metaTitle metaDescription }
  }
}`;

const TWO_FIELDS = "query Page($page: Int) { articles(pagination: { page: $page, pageSize: 25 }) { title slug } }";

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
  {
    ...read("list 25, populated, all alike", (seeded) => list(25, POPULATED)(seeded, 0)),
    sameAs: "list 25, author+categories+seo",
    isAlike: true,
  },
  read("list 100, author+categories+seo", list(100, POPULATED)),
  read("list 25, deep with zone", list(25, DEEP)),
  read("filter on relations, sort views", (_seeded, turn) => {
    return path({
      sort: "views:desc",
      "pagination[pageSize]": 25,
      "filters[categories][slug][$eq]": `category-${(7 + turn) % CATEGORIES}`,
      "filters[author][name][$startsWith]": `Author ${1 + (turn % AUTHORS)}`,
      "filters[views][$gte]": turn % MOST_VIEWS,
      "pagination[page]": 1,
    });
  }),
  read("one, author+categories+seo", ({ articleIds }, turn) => {
    return `/api/articles/${of(articleIds, turn)}?${new URLSearchParams(POPULATED)}`;
  }),
  graphql("graphql 25, author+categories+seo", QUERY),
  graphql("graphql 25, two fields", TWO_FIELDS),
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
      path: `/api/articles/${of(articleIds, turn)}`,
      body: { data: { title: `Another title ${turn}`, views: turn } },
    }),
  },
];

function read(name, pathOf) {
  return { name, kind: "read", atLeast: READ, ask: (seeded, turn) => ({ method: "GET", path: pathOf(seeded, turn) }) };
}

function graphql(name, query) {
  const body = (seeded, turn) => ({ query, variables: { page: pageOf(25, seeded, turn) } });
  const ask = (seeded, turn) => ({ method: "POST", path: "/graphql", body: body(seeded, turn) });
  return { name, kind: "graphql", atLeast: GRAPHQL, ask };
}

/** A page of articles. */
function list(pageSize, parameters) {
  return (seeded, turn) =>
    path({ ...parameters, "pagination[pageSize]": pageSize, "pagination[page]": pageOf(pageSize, seeded, turn) });
}

const path = (parameters) => `/api/articles?${new URLSearchParams(parameters)}`;

const pageOf = (pageSize, { articleIds }, turn) => 1 + (turn % Math.ceil(articleIds.length / pageSize));

const of = (ids, turn) => ids[turn % ids.length];
