import type { Kept, Sent } from "./depot-app.js";

const get = (path: string): Sent => ({ method: "GET", path });
const V4 = { "strapi-response-format": "v4" };

/** Conditions on tales, as they stand below whatever leads to tales. */
const CONDITIONS = [
  "[title]=Zdraft",
  "[title][$ne]=linked",
  "[$not][title][$startsWith]=Z",
  "[publishedAt][$null]=true",
  "[cover][name]=free.txt",
  "[cover][$null]=true",
  "[gallery][name]=free.txt",
  "[home][title]=Zdraft",
  "[home][title][$gt]=Y",
  "[owner][username]=zoe",
  "[owner][tales][title]=Zdraft",
  "[part][text]=Zdraft",
  "[part][tale][title]=Zdraft",
  "[part][picture][name]=free.txt",
  "[localizations][title]=Zdraft",
  "[localizations][$null]=true",
  "[home][tales][title]=Zdraft",
];

/** How a list, or what it populates, can be asked for. */
const OPTIONS = [
  ...["", "populate=*", "_q=Zdraft", "locale=*&sort=id", "locale=fr", "fields=id&sort=updatedAt:desc"],
  ...["populate[localizations][populate]=*", "locale=fr&fallbackLocale=en", "locale=fr&fallbackLocale=en&populate=*"],
  ...[
    "populate[part][populate]=*",
    "populate[blocks][on][shared.part][populate]=*",
    "populate[cover][populate]=related",
  ],
  ...[
    "populate[home][populate]=*",
    "populate[owner][populate][tales][count]=true",
    "populate[home][populate][tales][count]=true",
  ],
  ...["populate[owner][populate][tales][filters][title]=Zdraft", "populate[owner][populate][tales][sort]=title:desc"],
  ...[
    "populate[owner][populate][tales][populate][localizations]=true",
    "populate[readers][populate][read][count]=true",
  ],
  ...["status=draft", "status=draft&populate=*", "publicationFilter=modified", "publicationFilter=never-published"],
  ...["hasPublishedVersion=true", "hasPublishedVersion=false", "pagination[pageSize]=1&pagination[cursor]=*"],
  ...["title", "home.title", "owner.tales.title", "part.text", "part.tale.title", "cover.name", "gallery.name"].flatMap(
    (way) => [`sort=${way}:asc`, `sort=${way}:desc&pagination[limit]=1`],
  ),
];

/** What names attributes that the single type does not have. */
const OF_TALES = /owner|readers|localizations|gallery|home/;

const GRAPHQL = [
  "{ tales { documentId title home { title tales { title } } owner { username tales { title } } part { text tale { title } } } }",
  "{ tales(status: DRAFT) { documentId title } }",
  "{ tales { localizations { title home { title } } localizations_connection { nodes { title } } } }",
  '{ tales(locale: "fr") { title localizations(filters: { title: { eq: "Zdraft" } }) { title } } }',
  "{ tales { blocks { ... on ComponentSharedPart { text tale { title } picture { name related { __typename } } } } } }",
  "{ tales_connection { pageInfo { total pageCount } nodes { title cover { name } gallery { name } } } }",
  '{ tales_connection(filters: { part: { tale: { title: { eq: "Zdraft" } } } }) { pageInfo { total } } }',
  '{ tales_connection(filters: { owner: { tales: { title: { ne: "linked" } } } }) { pageInfo { total } } }',
  "{ home { title tales { title } tales_connection { nodes { title } } part { text tale { title } } } }",
  "{ home(status: DRAFT) { title tales { title } } }",
  "{ uploadFiles { name related { __typename ... on Tale { title } ... on Home { title } } } }",
  "{ uploadFiles(status: DRAFT) { name related { __typename ... on Tale { title } ... on Home { title } } } }",
  '{ usersPermissionsUsers { username tales { title } tales_connection { nodes { title } } read(sort: "title") { title } } }',
  "{ usersPermissionsUsers(status: DRAFT) { username tales { title home { title } } read_connection { nodes { title } } } }",
];

/** What can be asked where the answer could depend on drafts. */
export const questionsAbout = ({ tale, file, freeFile, user }: Kept): readonly Sent[] => [
  ...OPTIONS.flatMap((option) => [
    get(`/api/tales?${option}`),
    { ...get(`/api/tales?${option}`), headers: V4 },
    get(`/api/tales/${tale.documentId}?${option.replace("locale=*&", "")}`),
    ...(OF_TALES.test(option) ? [] : [get(`/api/home?${option.replace("locale=*&", "")}`)]),
  ]),
  ...CONDITIONS.flatMap((condition) => [
    get(`/api/tales?filters${condition}`),
    get(`/api/tales?locale=*&filters[$or][0]${condition}&filters[$or][1][id]=-1`),
    get(`/api/users?filters[tales]${condition}`),
    get(`/api/users/count?filters[read]${condition}`),
    get(`/api/users?populate[tales][filters]${condition}`),
    get(`/api/home?populate[tales][filters]${condition}`),
    get(`/api/upload/files?populate[related][on][api::tale.tale][filters]${condition}`),
  ]),
  ...[
    "",
    "populate=*",
    "populate[tales][populate]=*",
    "status=draft&populate=*",
    "sort=tales.title",
    "populate[read][count]=true",
  ].flatMap((query) => [get(`/api/users?${query}`), get(`/api/users/${user.id}?${query}`)]),
  ...[file, freeFile].flatMap(({ id }) => [
    ...["", "?populate=related", "?status=draft&populate=related", "?populate[related][populate]=*", "/uses"].map(
      (rest) => get(`/api/upload/files/${id}${rest}`),
    ),
    get(`/api/upload/files/page?filters[id]=${id}&status=draft&populate[related][populate]=*`),
  ]),
  ...GRAPHQL.map((query) => ({ method: "POST", path: "/graphql", body: { query } })),
];
