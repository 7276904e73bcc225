import type { Candidate } from "./candidates.js";

const rest = (type: string, parts: string): Candidate => ({ surface: "rest", type, parts: parts.split("&") });
const graphql = (type: string, ...parts: string[]): Candidate => ({ surface: "graphql", type, parts });

const DEEP = "populate[categories][populate][articles]";

/** Requests that were once, or are, among the most expensive: where the search begins. */
export const KNOWN: readonly Candidate[] = [
  rest("article", `pagination[start]=100&pagination[limit]=100&fields=id&populate[categories][fields]=id&${DEEP}=true`),
  rest("article", "fields=id&sort=categories.articles.title"),
  rest("article", "pagination[pageSize]=100&fields=id&sort=categories.name"),
  rest("category", "filters[articles][categories][articles][title][$containsi]=zz&pagination[pageSize]=100"),
  rest("category", "filters[articles][categories][articles][$or][0][title][$containsi]=zz&_q=zz"),
  rest("author", "pagination[pageSize]=100&populate[articles][populate][categories][populate][articles][fields]=id"),
  rest(
    "article",
    "filters[$or][0][body][$containsi]=zz&filters[$or][1][body][$notContainsi]=e&pagination[pageSize]=100",
  ),
  rest("category", "pagination[pageSize]=100&populate[articles][populate][categories][populate][articles]=true"),
  rest("article", "_q=zz&sort=author.name&populate[author][populate][articles][populate][seo]=true"),
  graphql(
    "article",
    ...Array<string>(20).fill('articles(filters: { not: { categories: { name: { containsi: "zz" } } } }) { title }'),
  ),
  graphql(
    "article",
    ...Array<string>(20).fill('articles_connection(filters: { summary: { containsi: "zz" } }) { pageInfo { total } }'),
  ),
  graphql(
    "author",
    ...Array<string>(10).fill("authors(pagination: { limit: 100 }) { articles { categories { articles { body } } } }"),
  ),
  graphql("author", `authors(filters: { articles: { title: { containsi: "${"y".repeat(100_000)}" } } }) { name }`),
  graphql("article", `articles(filters: { title: { containsi: "${"y".repeat(30_000)}" } }) { title }`),
  graphql(
    "article",
    ...Array<string>(20).fill(
      'articles(pagination: { limit: 100 }, filters: { author: { name: { notContainsi: "zz" } } }) { body author { name bio } categories { name } }',
    ),
  ),
];
