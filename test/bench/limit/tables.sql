-- The content as tables that one would make for this app alone: row ids as keys, a link table, components as rows.
-- A published version and its draft are two rows with one document id, as the API wants it.

create schema plain;

create table plain.authors (
  id bigserial primary key,
  document_id text not null unique,
  name text, email text, bio text,
  created_at timestamptz(3), updated_at timestamptz(3), published_at timestamptz(3)
);
create index on plain.authors (name);

create table plain.categories (
  id bigserial primary key,
  document_id text not null unique,
  name text, slug text,
  parent_id bigint references plain.categories,
  created_at timestamptz(3), updated_at timestamptz(3), published_at timestamptz(3)
);
create index on plain.categories (slug);

create table plain.articles (
  id bigserial primary key,
  document_id text not null,
  title text, slug text, summary text, body text, content jsonb, rating float8, views int, bigviews bigint, score float8,
  featured boolean, kind text, extra jsonb, contact text, pub_date date, starts_at time, event_at timestamptz(3),
  stamp timestamptz(3),
  created_at timestamptz(3), updated_at timestamptz(3), published_at timestamptz(3),
  locale text,
  author_id bigint references plain.authors
);
create index on plain.articles (document_id, locale);
create index on plain.articles (locale, id) where published_at is not null;
create index on plain.articles (locale, views, id) where published_at is not null;
create index on plain.articles (author_id);
create index on plain.articles (slug);

create table plain.articles_categories (
  article_id bigint not null references plain.articles on delete cascade,
  category_id bigint not null references plain.categories on delete cascade,
  position int not null,
  primary key (article_id, category_id)
);
create index on plain.articles_categories (category_id, article_id);

create table plain.seos (
  id bigserial primary key,
  article_id bigint not null unique references plain.articles on delete cascade,
  meta_title text, meta_description text
);

create table plain.metas (
  id bigserial primary key,
  article_id bigint not null references plain.articles on delete cascade,
  position int not null,
  property text, content text
);
create unique index on plain.metas (article_id, position);

create table plain.links (
  id bigserial primary key,
  article_id bigint not null references plain.articles on delete cascade,
  position int not null,
  label text, url text,
  category_id bigint references plain.categories
);
create unique index on plain.links (article_id, position);

create table plain.heroes (
  id bigserial primary key,
  article_id bigint not null references plain.articles on delete cascade,
  position int not null,
  title text, cta_id bigint, cta_label text, cta_url text
);
create unique index on plain.heroes (article_id, position);

create table plain.quotes (
  id bigserial primary key,
  article_id bigint not null references plain.articles on delete cascade,
  position int not null,
  text text,
  author_id bigint references plain.authors
);
create unique index on plain.quotes (article_id, position);

create table plain.galleries (
  id bigserial primary key,
  article_id bigint not null references plain.articles on delete cascade,
  position int not null,
  caption text
);
create unique index on plain.galleries (article_id, position);
