// Fills the limit's tables with the content of our server, read over REST, so that both can answer alike.
import { readFileSync } from "node:fs";

const PAGE = 100;
const DEEP = [
  "populate[author][fields][0]=id",
  "populate[categories][fields][0]=id",
  "populate[seo][populate]=*",
  "populate[links][populate]=category",
  "populate[sections][on][sections.hero][populate]=cta",
  "populate[sections][on][sections.quote][populate]=author",
  "populate[sections][on][sections.gallery][fields][0]=caption",
].join("&");

const STAMPS = `"createdAt" timestamptz, "updatedAt" timestamptz, "publishedAt" timestamptz`;

const AUTHORS = `
  insert into plain.authors
  select * from json_to_recordset($1::json) as r(id bigint, "documentId" text, name text, email text, bio text, ${STAMPS})`;

const CATEGORIES = `
  insert into plain.categories (id, document_id, name, slug, parent_id, created_at, updated_at, published_at)
  select id, "documentId", name, slug, (parent ->> 'id')::bigint, "createdAt", "updatedAt", "publishedAt"
  from json_to_recordset($1::json) as r(id bigint, "documentId" text, name text, slug text, parent json, ${STAMPS})
  order by parent ->> 'id' nulls first`;

/**
 * One statement for a page of articles with all that belongs to them. A draft and its published version share
 * the ids of their components with us; here a draft's are negative.
 */
const ARTICLES = `
  with given as (
    select *, case when "publishedAt" is null then -1 else 1 end as sign from json_to_recordset($1::json) as r(
      id bigint, "documentId" text, title text, slug text, summary text, body text, content jsonb, rating float8,
      views int, bigviews bigint, score float8, featured boolean, kind text, extra jsonb, contact text, "pubDate" date,
      "startsAt" time, "eventAt" timestamptz, stamp timestamptz, ${STAMPS}, locale text,
      author json, categories json, seo json, links json, sections json)
  ), articles as (
    insert into plain.articles
    select id, "documentId", title, slug, summary, body, content, rating, views, bigviews, score, featured, kind, extra,
      contact, "pubDate", "startsAt", "eventAt", stamp, "createdAt", "updatedAt", "publishedAt", locale,
      (author ->> 'id')::bigint
    from given
  ), categories as (
    insert into plain.articles_categories
    select g.id, (c ->> 'id')::bigint, n from given g, json_array_elements(g.categories) with ordinality e(c, n)
  ), seos as (
    insert into plain.seos
    select (seo ->> 'id')::bigint * sign, id, seo ->> 'metaTitle', seo ->> 'metaDescription' from given where seo is not null
  ), metas as (
    insert into plain.metas
    select (m ->> 'id')::bigint * sign, g.id, n, m ->> 'property', m ->> 'content'
    from given g, json_array_elements(g.seo -> 'meta') with ordinality e(m, n)
  ), links as (
    insert into plain.links
    select (l ->> 'id')::bigint * sign, g.id, n, l ->> 'label', l ->> 'url', (l -> 'category' ->> 'id')::bigint
    from given g, json_array_elements(g.links) with ordinality e(l, n)
  ), items as (
    select sign, g.id as article_id, n as position, s as item
    from given g, json_array_elements(g.sections) with ordinality e(s, n)
  ), heroes as (
    insert into plain.heroes
    select (item ->> 'id')::bigint * sign, article_id, position, item ->> 'title', (item -> 'cta' ->> 'id')::bigint,
      item -> 'cta' ->> 'label', item -> 'cta' ->> 'url'
    from items where item ->> '__component' = 'sections.hero'
  ), quotes as (
    insert into plain.quotes
    select (item ->> 'id')::bigint * sign, article_id, position, item ->> 'text', (item -> 'author' ->> 'id')::bigint
    from items where item ->> '__component' = 'sections.quote'
  )
  insert into plain.galleries
  select (item ->> 'id')::bigint * sign, article_id, position, item ->> 'caption'
  from items where item ->> '__component' = 'sections.gallery'`;

const TABLES = "articles authors categories seos metas links heroes quotes galleries".split(" ");

/**
 * Makes the tables and copies every author, category and article, drafts as well.
 *
 * @param {import("pg").Client} client - of the database in which the tables are made, in the schema "plain".
 * @param {{ url: string, token: string }} server - ours.
 */
export async function copyContent(client, server) {
  await client.query(readFileSync(new URL("./tables.sql", import.meta.url), "utf8"));
  await copy(client, AUTHORS, pages(server, "authors?fields=*"));
  await copy(client, CATEGORIES, pages(server, "categories?populate=parent"));
  for (const status of ["draft", "published"]) {
    await copy(client, ARTICLES, pages(server, `articles?status=${status}&${DEEP}`));
  }
  // Rows that are written later are numbered above those that were copied.
  for (const table of TABLES) {
    await client.query(
      `select setval(pg_get_serial_sequence('plain.${table}', 'id'), (select max(id) from plain.${table}))`,
    );
  }
}

async function copy(client, text, entries) {
  for await (const page of entries) await client.query(text, [JSON.stringify(page)]);
}

async function* pages({ url, token }, path) {
  for (let page = 1, pageCount = 1; page <= pageCount; page += 1) {
    const address = `${url}/api/${path}&pagination[pageSize]=${PAGE}&pagination[page]=${page}`;
    const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    const { data, meta, error } = await response.json();
    if (error) throw new Error(`GET ${address} answered ${response.status}: ${error.message}`);
    ({ pageCount } = meta.pagination);
    yield data;
  }
}
