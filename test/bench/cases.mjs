// The rows of the benchmark: one read each, by REST or by GraphQL. A row is all there is to add.

const articles = (parameters) =>
  `/api/articles?${new URLSearchParams({ ...parameters, "pagination[pageSize]": "25" })}`;

/**
 * @typedef {object} BenchCase
 * @property {string} name
 * @property {number} [atLeast] - requests per second as a share of the limit's, below which the run fails; none: shown only.
 * @property {(seeded: { articleId: string }) => string} path - what is asked for, once the content is there.
 * @property {object} [body] - sent as JSON by POST; without one the request is a GET.
 */

const POPULATED = { "populate[0]": "author", "populate[1]": "categories", "populate[2]": "seo" };

/** @type {readonly BenchCase[]} */
export const cases = [
  {
    // A third of the articles fulfil it: the database works hard.
    name: "filter on fields, sort, 25, author+categories+seo",
    atLeast: 0.6,
    path: () =>
      articles({ "filters[kind][$eq]": "news", "filters[views][$gte]": "100", sort: "views:desc", ...POPULATED }),
  },
  {
    // Fifty do, and an index finds them: the server has to keep up.
    name: "filter on a relation, sort, 25, author+categories+seo",
    atLeast: 0.6,
    path: () => articles({ "filters[author][name][$eq]": "Author 0", sort: "views:desc", ...POPULATED }),
  },
  { name: "list 25", path: () => articles({}) },
  { name: "list 25, two fields", path: () => articles({ "fields[0]": "title", "fields[1]": "slug" }) },
  { name: "list 25, author+categories+seo", path: () => articles(POPULATED) },
  {
    name: "one, author+categories+seo",
    path: ({ articleId }) => `/api/articles/${articleId}?${new URLSearchParams(POPULATED)}`,
  },
  {
    name: "GraphQL: 25, author+categories+seo",
    atLeast: 0.5,
    path: () => "/graphql",
    body: {
      query: `query Page($filters: ArticleFiltersInput, $sort: [String]) {
        articles(filters: $filters, sort: $sort, pagination: { pageSize: 25 }) {
          documentId title slug summary body views rating featured kind pubDate startsAt eventAt createdAt updatedAt publishedAt
          author { documentId name email bio }
          categories { documentId name slug }
          seo { id metaTitle metaDescription }
        }
      }`,
      variables: { filters: { kind: { eq: "news" }, views: { gte: 100 } }, sort: ["views:desc"] },
    },
  },
];
