-- on a long page related documents are read once for all rows, where they do not differ from row to row
-- slots: 0, 2, 1, -3
with "page.rows" as materialized (
  select p.*,
  row_number() over () as "row.number"
  from (
    select t1.*
    from "books" t1
    where (t1.published_at is not null and t1.locale = $1::text)
    order by t1."title" desc,
    t1.id desc
    limit $2::int8 offset $3::int8
  ) p
),
"t2.targets" as materialized (
  select t2.id,
  t2.document_id,
  row_to_json(r) as json
  from "writers" t2
  cross join lateral (
    select t2."id" as "id", t2."document_id" as "documentId"
  ) r
  where t2.document_id = any(
    array(
      select "page.rows"."writer" from "page.rows"
    )
  )
),
"t3.links" as materialized (
  select t4.source,
  t4.target,
  t4.position
  from "books_links" t4
  where t4.source = any(
    array(
      select id from "page.rows"
    )
  )
  and t4.attribute = 6
),
"t3.targets" as materialized (
  select t3.id,
  t3.document_id,
  row_to_json(r) as json
  from "shelves" t3
  cross join lateral (
    select t3."id" as "id", t3."document_id" as "documentId"
  ) r
  where t3.document_id = any(
    array(
      select target from "t3.links"
    )
  )
),
"t3.lists" as materialized (
  select "t3.links".source,
  json_agg("t3.targets".json order by "t3.links".position, "t3.targets".id) as json
  from "t3.links"
  join "t3.targets" on "t3.targets".document_id = "t3.links".target
  group by "t3.links".source
),
"t5.links" as materialized (
  select t6.source,
  t6.target,
  t6.position
  from "books_links" t6
  where t6.source = any(
    array(
      select id from "page.rows"
    )
  )
  and t6.attribute = 7
),
"t5.targets" as materialized (
  select t5.id,
  t5.document_id,
  row_to_json(r) as json
  from "books" t5
  cross join lateral (
    select t5."id" as "id", t5."document_id" as "documentId"
  ) r
  where (
    t5.document_id = any(
      array(
        select target from "t5.links"
      )
    )
    and (t5.published_at is not null and t5.locale = $1::text)
  )
),
"t5.lists" as materialized (
  select "t5.links".source,
  json_agg("t5.targets".json order by "t5.links".position, "t5.targets".id) as json
  from "t5.links"
  join "t5.targets" on "t5.targets".document_id = "t5.links".target
  group by "t5.links".source
) select (
  select case
  when octet_length(a.data) > $4::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r) order by t1."row.number"), '[]'::json)::text as data
    from "page.rows" t1
    left join "t2.targets" on "t2.targets".document_id = t1."writer"
    left join "t3.lists" on "t3.lists".source = t1.id
    left join "t5.lists" on "t5.lists".source = t1.id
    cross join lateral (
      select t1."title" as "title",
      "t2.targets".json as "writer",
      coalesce("t3.lists".json, '[]'::json) as "shelves",
      coalesce("t5.lists".json, '[]'::json) as "sequels"
    ) r
  ) a
) as data;

-- a long page after a cursor too
-- slots: 0, 1, -3
with page as materialized (
  (
    select t1.*,
    t1.id as "place.0"
    from "books" t1
    where (t1.published_at is not null and t1.locale = $1::text)
    order by "place.0" asc
    limit $2::int8 + 1
  )
),
"page.rows" as materialized (
  select p.*,
  row_number() over () as "row.number"
  from (
    select * from page limit $2::int8
  ) p
),
"t2.targets" as materialized (
  select t2.id,
  t2.document_id,
  row_to_json(r) as json
  from "writers" t2
  cross join lateral (
    select t2."id" as "id", t2."document_id" as "documentId"
  ) r
  where t2.document_id = any(
    array(
      select "page.rows"."writer" from "page.rows"
    )
  )
),
"t3.links" as materialized (
  select t4.source,
  t4.target,
  t4.position
  from "books_links" t4
  where t4.source = any(
    array(
      select id from "page.rows"
    )
  )
  and t4.attribute = 6
),
"t3.targets" as materialized (
  select t3.id,
  t3.document_id,
  row_to_json(r) as json
  from "shelves" t3
  cross join lateral (
    select t3."id" as "id", t3."document_id" as "documentId"
  ) r
  where t3.document_id = any(
    array(
      select target from "t3.links"
    )
  )
),
"t3.lists" as materialized (
  select "t3.links".source,
  json_agg("t3.targets".json order by "t3.links".position, "t3.targets".id) as json
  from "t3.links"
  join "t3.targets" on "t3.targets".document_id = "t3.links".target
  group by "t3.links".source
),
"t5.links" as materialized (
  select t6.source,
  t6.target,
  t6.position
  from "books_links" t6
  where t6.source = any(
    array(
      select id from "page.rows"
    )
  )
  and t6.attribute = 7
),
"t5.targets" as materialized (
  select t5.id,
  t5.document_id,
  row_to_json(r) as json
  from "books" t5
  cross join lateral (
    select t5."id" as "id", t5."document_id" as "documentId"
  ) r
  where (
    t5.document_id = any(
      array(
        select target from "t5.links"
      )
    )
    and (t5.published_at is not null and t5.locale = $1::text)
  )
),
"t5.lists" as materialized (
  select "t5.links".source,
  json_agg("t5.targets".json order by "t5.links".position, "t5.targets".id) as json
  from "t5.links"
  join "t5.targets" on "t5.targets".document_id = "t5.links".target
  group by "t5.links".source
) select (
  select case
  when octet_length(a.data) > $3::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r) order by t1."row.number"), '[]'::json)::text as data
    from "page.rows" t1
    left join "t2.targets" on "t2.targets".document_id = t1."writer"
    left join "t3.lists" on "t3.lists".source = t1.id
    left join "t5.lists" on "t5.lists".source = t1.id
    cross join lateral (
      select t1."title" as "title",
      "t2.targets".json as "writer",
      coalesce("t3.lists".json, '[]'::json) as "shelves",
      coalesce("t5.lists".json, '[]'::json) as "sequels"
    ) r
  ) a
) as data,
(
  select json_build_array(page."place.0")::text
  from page
  where (
    select count(*) from page
  ) > $2::int8 offset $2::int8 - 1
  limit 1
) as place;

-- a long page of documents without locales names none
-- slots: 2, 1, -3
with "page.rows" as materialized (
  select p.*,
  row_number() over () as "row.number"
  from (
    select t1.* from "writers" t1 where true order by t1.id asc limit $1::int8 offset $2::int8
  ) p
),
"t2.targets" as materialized (
  select t2.id,
  t2.document_id,
  row_to_json(r) as json
  from "writers" t2
  cross join lateral (
    select t2."name" as "name"
  ) r
  where t2.document_id = any(
    array(
      select "page.rows"."teacher" from "page.rows"
    )
  )
) select (
  select case
  when octet_length(a.data) > $3::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r) order by t1."row.number"), '[]'::json)::text as data
    from "page.rows" t1
    left join "t2.targets" on "t2.targets".document_id = t1."teacher"
    cross join lateral (
      select t1."name" as "name", "t2.targets".json as "teacher"
    ) r
  ) a
) as data;
