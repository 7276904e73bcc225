// The best statement that we know for every row of the benchmark, on the tables of tables.sql, written by hand.
// Each returns one row: `data`, the JSON text of the answer, and for a list `total`. Lists are put together set by set,
// which is quicker than a sub-select per row. Values of a list are those of its path in their order, the page last.

const time = (column) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const stamps = (row) =>
  `${time(`${row}.created_at`)} as "createdAt", ${time(`${row}.updated_at`)} as "updatedAt", ${time(`${row}.published_at`)} as "publishedAt"`;

const ARTICLE = `a.id, a.document_id as "documentId", a.title, a.slug, a.summary, a.body, a.content, a.rating, a.views,
  a.bigviews::text as bigviews, a.score, a.featured, a.kind, a.extra, a.contact, a.pub_date as "pubDate",
  a.starts_at as "startsAt", ${time("a.event_at")} as "eventAt", ${time("a.stamp")} as stamp, ${stamps("a")}, a.locale`;

const AUTHOR = `u.id, u.document_id as "documentId", u.name, u.email, u.bio, ${stamps("u")}`;
const category = (c) => `${c}.id, ${c}.document_id as "documentId", ${c}.name, ${c}.slug, ${stamps(c)}`;
const SEO = `s.id, s.meta_title as "metaTitle", s.meta_description as "metaDescription"`;

const SHOWN = "a.published_at is not null and a.locale = 'en'";
const TOTAL = `(select count(*) from plain.articles a where ${SHOWN})`;
const cut = (size, page) => `limit ${size} offset (${page}::int - 1) * ${size}`;
const page = (size) =>
  `page as materialized (select * from plain.articles a where ${SHOWN} order by id ${cut(size, "$1")})`;

/** Each author of the page once: its row id and its JSON. */
const authors = (fields) => `authors as materialized (
  select u.id, row_to_json(r) as json from plain.authors u cross join lateral (select ${fields}) r
  where u.id in (select author_id from page))`;

/** Each category of the page once. */
const categories = (fields, join = "") => `categories as materialized (
  select c.id, row_to_json(r) as json from plain.categories c ${join} cross join lateral (select ${fields}) r
  where c.id in (select l.category_id from page p join plain.articles_categories l on l.article_id = p.id))`;

/** The categories of each article as a list. */
const CATEGORY_LISTS = `category_lists as materialized (
  select l.article_id, json_agg(c.json order by l.position) as json
  from page p join plain.articles_categories l on l.article_id = p.id join categories c on c.id = l.category_id
  group by l.article_id)`;

const listed = (fields, joins, { order = "a.id", total = TOTAL } = {}) => `
  select coalesce(json_agg(row_to_json(r) order by ${order}), '[]')::text as data, ${total} as total
  from page a ${joins} cross join lateral (select ${fields}) r`;

/** A page of which nothing else is asked needs no set of its own. */
const simple = (fields) => `
  select coalesce(json_agg(row_to_json(r) order by a.id), '[]')::text as data, ${TOTAL} as total
  from (select * from plain.articles a where ${SHOWN} order by id ${cut(25, "$1")}) a cross join lateral (select ${fields}) r`;

const populated = (size) => `
  with ${page(size)}, ${authors(AUTHOR)}, ${categories(category("c"))}, ${CATEGORY_LISTS}
  ${listed(
    `${ARTICLE}, u.json as author, coalesce(cl.json, '[]') as categories,
     case when s.id is not null then (select row_to_json(x) from (select ${SEO}) x) end as seo`,
    `left join authors u on u.id = a.author_id left join category_lists cl on cl.article_id = a.id
     left join plain.seos s on s.article_id = a.id`,
  )}`;

const deep = `
  with ${page(25)}, ${authors(AUTHOR)},
  ${categories(
    `${category("c")}, case when p.id is not null then (select row_to_json(x) from (select ${category("p")}) x) end as parent`,
    "left join plain.categories p on p.id = c.parent_id",
  )}, ${CATEGORY_LISTS},
  seos as materialized (
    select s.article_id, row_to_json(r) as json from page p join plain.seos s on s.article_id = p.id cross join lateral (
      select ${SEO}, (select coalesce(json_agg(row_to_json(x) order by m.position), '[]') from plain.metas m
        cross join lateral (select m.id, m.property, m.content) x where m.article_id = s.article_id) as meta) r),
  links as materialized (
    select l.article_id, json_agg(row_to_json(r) order by l.position) as json
    from page p join plain.links l on l.article_id = p.id left join plain.categories c on c.id = l.category_id
    cross join lateral (select l.id, l.label, l.url,
      case when c.id is not null then (select row_to_json(x) from (select ${category("c")}) x) end as category) r
    group by l.article_id),
  items as materialized (
    select h.article_id, h.position, row_to_json(r) as json from page p join plain.heroes h on h.article_id = p.id
    cross join lateral (select 'sections.hero' as "__component", h.id, h.title,
      case when h.cta_id is not null then
        (select row_to_json(x) from (select h.cta_id as id, h.cta_label as label, h.cta_url as url) x) end as cta) r
    union all
    select q.article_id, q.position, row_to_json(r) from page p join plain.quotes q on q.article_id = p.id
    left join plain.authors u on u.id = q.author_id cross join lateral (
      select 'sections.quote' as "__component", q.id, q.text,
        case when u.id is not null then (select row_to_json(x) from (select ${AUTHOR}) x) end as author) r
    union all
    select g.article_id, g.position, row_to_json(r) from page p join plain.galleries g on g.article_id = p.id
    cross join lateral (select 'sections.gallery' as "__component", g.id, g.caption) r),
  sections as materialized (select article_id, json_agg(json order by position) as json from items group by article_id)
  ${listed(
    `${ARTICLE}, u.json as author, coalesce(cl.json, '[]') as categories, s.json as seo,
     coalesce(l.json, '[]') as links, coalesce(z.json, '[]') as sections`,
    `left join authors u on u.id = a.author_id left join category_lists cl on cl.article_id = a.id
     left join seos s on s.article_id = a.id left join links l on l.article_id = a.id
     left join sections z on z.article_id = a.id`,
  )}`;

/** $1 slug, $2 start of a name, $3 views, $4 page. The category is found first, then its articles; the page is cut from those. */
const filtered = `
  with found as materialized (
    select a.id, a.views from plain.categories c join plain.articles_categories l on l.category_id = c.id
    join plain.articles a on a.id = l.article_id join plain.authors u on u.id = a.author_id
    where c.slug = $1 and u.name ^@ $2 and a.views >= $3::int and ${SHOWN}),
  page as materialized (
    select a.* from (select id from found order by views desc, id desc ${cut(25, "$4")}) f join plain.articles a on a.id = f.id)
  ${listed(ARTICLE, "", { order: "a.views desc, a.id desc", total: "(select count(*) from found)" })}`;

/** $1 document id. */
const one = `
  select row_to_json(r)::text as data from plain.articles a
  left join plain.authors u on u.id = a.author_id left join plain.seos s on s.article_id = a.id
  cross join lateral (select ${ARTICLE},
    case when u.id is not null then (select row_to_json(x) from (select ${AUTHOR}) x) end as author,
    (select coalesce(json_agg(row_to_json(x) order by l.position), '[]') from plain.articles_categories l
     join plain.categories c on c.id = l.category_id cross join lateral (select ${category("c")}) x
     where l.article_id = a.id) as categories,
    case when s.id is not null then (select row_to_json(x) from (select ${SEO}) x) end as seo) r
  where a.document_id = $1 and ${SHOWN}`;

const graphql = `
  with ${page(25)}, ${authors(`u.document_id as "documentId", u.name, u.email, u.bio`)},
  ${categories(`c.document_id as "documentId", c.name, c.slug`)}, ${CATEGORY_LISTS}
  select coalesce(json_agg(row_to_json(r) order by a.id), '[]')::text as data
  from page a left join authors u on u.id = a.author_id left join category_lists cl on cl.article_id = a.id
  left join plain.seos s on s.article_id = a.id cross join lateral (
    select a.document_id as "documentId", a.title, a.slug, a.summary, a.body, a.views, a.rating, a.featured, a.kind,
      a.pub_date as "pubDate", ${time("a.event_at")} as "eventAt", ${stamps("a")}, u.json as author,
      coalesce(cl.json, '[]') as categories,
      case when s.id is not null then
        (select row_to_json(x) from (select s.meta_title as "metaTitle", s.meta_description as "metaDescription") x)
      end as seo) r`;

const graphqlTwoFields = `
  select coalesce(json_agg(json_build_object('title', a.title, 'slug', a.slug) order by a.id), '[]')::text as data
  from (select * from plain.articles a where ${SHOWN} order by id ${cut(25, "$1")}) a`;

/** $1 document id, $2 the article as JSON: its draft, its published version, and what belongs to each of them. */
const create = `
  with given as (
    select * from json_to_record($2::json) as g(title text, slug text, summary text, body text, views int, rating float8,
      featured boolean, kind text, "pubDate" date, "eventAt" timestamptz, author text, categories json, seo json, links json, sections json)
  ), rows as (
    insert into plain.articles (document_id, title, slug, summary, body, views, rating, featured, kind, pub_date, event_at,
      created_at, updated_at, published_at, locale, author_id)
    select $1::text, title, slug, summary, body, views, rating, featured, kind, "pubDate", "eventAt",
      now(), now(), version.published_at, 'en', (select id from plain.authors where document_id = g.author)
    from given g, (values (null::timestamptz), (now())) version(published_at)
    returning *
  ), categories as (
    insert into plain.articles_categories
    select a.id, c.id, n from rows a, given g, json_array_elements_text(g.categories) with ordinality e(document_id, n),
      plain.categories c where c.document_id = e.document_id
  ), seos as (
    insert into plain.seos (article_id, meta_title, meta_description)
    select a.id, g.seo ->> 'metaTitle', g.seo ->> 'metaDescription' from rows a, given g
  ), metas as (
    insert into plain.metas (article_id, position, property, content)
    select a.id, n, m ->> 'property', m ->> 'content'
    from rows a, given g, json_array_elements(g.seo -> 'meta') with ordinality e(m, n)
  ), links as (
    insert into plain.links (article_id, position, label, url, category_id)
    select a.id, n, l ->> 'label', l ->> 'url', (select id from plain.categories where document_id = l ->> 'category')
    from rows a, given g, json_array_elements(g.links) with ordinality e(l, n)
  ), items as (
    select a.id as article_id, n as position, s as item
    from rows a, given g, json_array_elements(g.sections) with ordinality e(s, n)
  ), heroes as (
    insert into plain.heroes (article_id, position, title, cta_id, cta_label, cta_url)
    select article_id, position, item ->> 'title', nextval('plain.heroes_id_seq'), item -> 'cta' ->> 'label',
      item -> 'cta' ->> 'url'
    from items where item ->> '__component' = 'sections.hero'
  ), quotes as (
    insert into plain.quotes (article_id, position, text, author_id)
    select article_id, position, item ->> 'text', (select id from plain.authors where document_id = item ->> 'author')
    from items where item ->> '__component' = 'sections.quote'
  ), galleries as (
    insert into plain.galleries (article_id, position, caption)
    select article_id, position, item ->> 'caption' from items where item ->> '__component' = 'sections.gallery'
  )
  select row_to_json(r)::text as data from rows a cross join lateral (select ${ARTICLE}) r
  where a.published_at is not null`;

const CONTENT = `title, slug, summary, body, content, rating, views, bigviews, score, featured, kind, extra, contact,
  pub_date, starts_at, event_at, stamp, author_id`;

/** What belongs to a version: what tells the rows of one version apart, and what else is in them. */
const PARTS = {
  articles_categories: { keys: ["category_id"], rest: ["position"] },
  seos: { keys: [], rest: ["meta_title", "meta_description"] },
  metas: { keys: ["position"], rest: ["property", "content"] },
  links: { keys: ["position"], rest: ["label", "url", "category_id"] },
  heroes: { keys: ["position"], rest: ["title", "cta_id", "cta_label", "cta_url"] },
  quotes: { keys: ["position"], rest: ["text", "author_id"] },
  galleries: { keys: ["position"], rest: ["caption"] },
};

/** Makes the published version's part like the draft's; writes only what differs. */
function publishPart([table, { keys, rest }]) {
  const columns = [...keys, ...rest];
  const same = (names) => names.map((name) => ` and x.${name} is not distinct from y.${name}`).join("");
  const values = (row) => columns.map((name) => `, ${row}.${name}`).join("");
  return `
  ${table}_gone as (
    delete from plain.${table} x using ids where x.article_id = ids.published and not exists (
      select from plain.${table} y where y.article_id = ids.draft${same(keys)})
  ), ${table}_changed as (
    insert into plain.${table} as old (article_id, ${columns})
    select ids.published${values("y")} from ids join plain.${table} y on y.article_id = ids.draft
    where not exists (select from plain.${table} x where x.article_id = ids.published${same(columns)})
    on conflict (${["article_id", ...keys]}) do update set ${rest.map((name) => `${name} = excluded.${name}`)}
  )`;
}

/**
 * $1 document id, $2 title, $3 views: written to the draft, which is published then: all that is in it, since it may have
 * differed before. Every document here has both versions.
 */
const update = `
  with draft as (
    update plain.articles a set title = $2::text, views = $3::int, updated_at = now()
    where document_id = $1::text and locale = 'en' and published_at is null returning *
  ), rows as (
    update plain.articles a set (${CONTENT}, updated_at, published_at) = (select ${CONTENT}, now(), now() from draft)
    where document_id = $1::text and ${SHOWN} returning *
  ), ids as (
    select draft.id as draft, rows.id as published from draft, rows
  ), ${Object.entries(PARTS).map(publishPart)}
  select row_to_json(r)::text as data from rows a cross join lateral (select ${ARTICLE}) r`;

/** The statement of each row of the benchmark, by its name. @type {Record<string, string | undefined>} */
export const statements = {
  "list 25": simple(ARTICLE),
  "list 25, two fields": simple('a.id, a.document_id as "documentId", a.title, a.slug'),
  "list 25, author+categories+seo": populated(25),
  "list 100, author+categories+seo": populated(100),
  "list 25, deep with zone": deep,
  "filter on relations, sort views": filtered,
  "one, author+categories+seo": one,
  "graphql 25, author+categories+seo": graphql,
  "graphql 25, two fields": graphqlTwoFields,
  create,
  "update two fields": update,
};
