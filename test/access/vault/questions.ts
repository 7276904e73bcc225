import { mixedQuestions } from "./mixed-questions.js";

const POPULATED = [
  "*",
  "owner",
  "people",
  "detail.person",
  "details.person",
  "blocks",
  "owner.notes",
  "people.mentions",
];
const ORDERS = [
  "title",
  "owner.name",
  "people.name",
  "detail.person.name",
  "owner.notes.title",
  "owner.mentions.title",
];
const CONDITIONS = [
  ...["[owner][$null]=true", "[people][$null]=true", "[owner][notes][$null]=true", "[people][mentions][$notNull]=true"],
  ...["[owner][name][$lt]=M", "[people][name][$gt]=M", "[owner][notes][title][$gt]=M", "[detail][person][name][$lt]=M"],
  ...["[$not][owner][name][$lt]=M", "[$or][0][people][name][$lt]=M", "[owner][id][$gt]=1", "[people][id][$lt]=100"],
  ...["[detail][person][$null]=true", "[details][person][name][$ne]=Ada", "[$not][$not][owner][$notNull]=true"],
  ...[
    "[people][name][$ne]=Ada",
    "[people][name][$notContains]=da",
    "[title][$gt]=B",
    "[owner][notes][people][name][$gt]=M",
  ],
];

/** Those that from people, one list further away, cost more than a read may. */
const COSTLY = ["[people][mentions][$notNull]=true", "[owner][notes][people][name][$gt]=M"];

/** What can be asked of any list. */
const LISTINGS = [
  ...["populate=*", "fields=*", "pagination[pageSize]=1", "pagination[start]=1", "_q=e", "_q=needle", "_q=1", "_q=Zed"],
  ...["_q=other", "sort=id:desc", "sort=createdAt", "status=draft", "locale=fr", "locale=*&sort=id"],
  ...["modified", "never-published", "published-with-draft"].map((kind) => `publicationFilter=${kind}&status=draft`),
  ...["hasPublishedVersion=true&status=draft", "hasPublishedVersion=false&status=draft"],
];

/** Everything that a visitor can ask of notes and people where the answer could depend on what is hidden. */
export const QUESTIONS: readonly string[] = [
  ...["/api/notes", "/api/persons"].flatMap((list) => [list, ...LISTINGS.map((query) => `${list}?${query}`)]),
  ...POPULATED.map((way) => `/api/notes?populate=${way}`),
  ...POPULATED.map((way) => `/api/notes?status=draft&locale=*&populate=${way}`),
  ...["asc", "desc"].flatMap((direction) => ORDERS.map((by) => `/api/notes?sort=${by}:${direction}`)),
  ...["asc", "desc"].flatMap((direction) =>
    ORDERS.map((by) => `/api/notes?pagination[limit]=1&sort=${by}:${direction}`),
  ),
  ...CONDITIONS.map((condition) => `/api/notes?filters${condition}`),
  ...CONDITIONS.filter((condition) => !COSTLY.includes(condition)).map(
    (condition) => `/api/persons?filters[notes]${condition}`,
  ),
  ...CONDITIONS.map((condition) => `/api/notes?populate[owner][populate][notes][filters]${condition}`),
  ...["notes", "mentions"].flatMap((name) => [
    ...[`count]=true`, `sort]=title`, `sort]=owner.name:desc`, `filters][title][$gt]=M`, `populate]=*`].map(
      (option) => `/api/persons?populate[${name}][${option}`,
    ),
  ]),
  ...mixedQuestions(300, 2026),
  "/api/notes?populate[people][count]=true",
  "/api/notes?populate[people][sort]=name:desc",
  "/api/notes?populate[blocks][on][shared.detail][populate]=*",
  "/api/notes?populate[blocks][on][shared.outer][populate][inner][populate]=person",
  "/api/notes?populate[localizations]=true",
  "/api/notes?populate[localizations][populate]=owner",
];
