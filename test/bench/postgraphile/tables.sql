-- The published content as tables that one would make for this app and serve with PostGraphile: no drafts, keys that
-- the database checks, and an index for each of them.

create schema "natural";

create table "natural".authors as select id, document_id, name, email, bio, created_at, updated_at from plain.authors;
alter table "natural".authors add primary key (id);

create table "natural".categories as select id, document_id, name, slug, parent_id from plain.categories;
alter table "natural".categories add primary key (id), add foreign key (parent_id) references "natural".categories;

create table "natural".articles as
  select id, document_id, title, slug, summary, body, rating, views, featured, kind, pub_date, event_at, created_at,
    updated_at, published_at, author_id
  from plain.articles where published_at is not null and locale = 'en';
alter table "natural".articles add primary key (id), add unique (slug),
  add foreign key (author_id) references "natural".authors;
create sequence "natural".articles_id_seq owned by "natural".articles.id;
select setval('"natural".articles_id_seq', (select max(id) from "natural".articles));
alter table "natural".articles alter id set default nextval('"natural".articles_id_seq'),
  alter document_id set default gen_random_uuid()::text, alter created_at set default now(),
  alter updated_at set default now(), alter published_at set default now();
create index on "natural".articles (author_id);

create table "natural".articles_categories as
  select l.* from plain.articles_categories l join "natural".articles a on a.id = l.article_id;
alter table "natural".articles_categories add primary key (article_id, category_id),
  add foreign key (article_id) references "natural".articles, add foreign key (category_id) references "natural".categories;
create index on "natural".articles_categories (article_id, position);
create index on "natural".articles_categories (category_id);

create table "natural".seos as
  select s.id, s.article_id, s.meta_title, s.meta_description from plain.seos s join "natural".articles a on a.id = s.article_id;
alter table "natural".seos add primary key (id), add unique (article_id),
  add foreign key (article_id) references "natural".articles;

analyze "natural".authors, "natural".categories, "natural".articles, "natural".articles_categories, "natural".seos;
