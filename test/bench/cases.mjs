// The rows of the benchmark: one REST read each. A row is all there is to add.

const query = (parameters) => new URLSearchParams(parameters).toString();

/**
 * @typedef {object} BenchCase
 * @property {string} name
 * @property {number} [atLeast] - requests per second as a share of the limit's, below which the run fails; none: shown only.
 * @property {(seeded: { articleId: string }) => string} path - what is asked for, once the content is there.
 */

/** @type {readonly BenchCase[]} */
export const cases = [
  {
    name: "filter, sort, 25, author+categories+seo",
    atLeast: 0.6,
    path: () =>
      `/api/articles?${query({
        "filters[kind][$eq]": "news",
        "filters[views][$gte]": "100",
        sort: "views:desc",
        "populate[0]": "author",
        "populate[1]": "categories",
        "populate[2]": "seo",
        "pagination[pageSize]": "25",
      })}`,
  },
  { name: "list 25", path: () => "/api/articles" },
  { name: "list 25, two fields", path: () => `/api/articles?${query({ "fields[0]": "title", "fields[1]": "slug" })}` },
  {
    name: "one, author+categories+seo",
    path: ({ articleId }) =>
      `/api/articles/${articleId}?${query({ "populate[0]": "author", "populate[1]": "categories", "populate[2]": "seo" })}`,
  },
];
