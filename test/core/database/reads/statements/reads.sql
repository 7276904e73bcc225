-- a page with its total cuts the rows before they become JSON
-- slots: -3, 0, 2, 1
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (t1.published_at is not null and t1.locale = $2::text)
      order by t1."title" desc,
      t1.id desc
      limit $3::int8 offset $4::int8
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data,
(
  select plinth_total('books', false, $2::text)
) as total;

-- one document is found by its id, in its version
-- slots: 1, 2
select row_to_json(r)::text as data,
(
  select string_agg(v.id::text || ':' || v.xmin::text, ',' order by v.id)
  from "books" v
  where v.document_id = t1.document_id
  and v.locale = t1.locale
) as stamps
from "books" t1
cross join lateral (
  select t1."id" as "id"
) r
where (t1.document_id = $1::text and (t1.published_at is null and t1.locale = $2::text))
limit 1;

-- all locales are read where the locale is a star
-- slots: -3
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.* from "books" t1 where t1.published_at is not null order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- a date is printed with milliseconds and Z
-- slots: -3, 0
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (t1.published_at is not null and t1.locale = $2::text)
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id",
      t1."document_id" as "documentId",
      to_char(t1."printed_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "printedAt"
    ) r
  ) a
) as data;

-- text is compared by position, so no character of a value is special
-- slots: -3, 0, 1
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (
        (t1.published_at is not null and t1.locale = $2::text)
        and (
          strpos(lower((t1."title") collate plinth_fold), lower(($3::text) collate plinth_fold)) > 0
          or right(t1."title", length($3::text)) = $3::text
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- a list of values is one parameter
-- slots: -3, 0, 1, 2
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (
        (t1.published_at is not null and t1.locale = $2::text)
        and (t1."pages" = any($3::int4[]) and t1."pages" <> all($4::int4[]))
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- a negated relation asks for some related document that differs
-- slots: -3, 0, 1
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (
        (t1.published_at is not null and t1.locale = $2::text)
        and exists (
          select
          from "books_links" t2
          join "shelves" t3 on t3.document_id = t2.target
          where (t2.source = t1.id and t2.attribute = 6 and not (t3."code" = $3::text))
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- a row without related documents counts as one whose fields are null
-- slots: -3, 0
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (
        (t1.published_at is null and t1.locale = $2::text)
        and (
          exists (
            select from "writers" t2 where (t2.document_id = t1."writer" and t2."id" is null)
          )
          or not exists (
            select from "writers" t3 where t3.document_id = t1."writer"
          )
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- a relation is empty when nothing visible is linked
-- slots: -3
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "writers" t1
      where not exists (
        select from "books" t2 where t2."writer" = t1.document_id
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- a condition from a type without drafts looks at drafts and all locales, too
-- slots: -3, 1
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "writers" t1
      where exists (
        select from "books" t2 where (t2."writer" = t1.document_id and t2."title" = any($2::text[]))
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- a condition that came through such a type stays in the version it found
-- slots: -3, 1
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "writers" t1
      where exists (
        select
        from "books" t2
        where (
          t2."writer" = t1.document_id
          and exists (
            select
            from "books_links" t3
            join "books" t4 on t4.document_id = t3.target
            where (
              (
                t3.source = t2.id
                and t3.attribute = 7
                and ((t4.published_at is null) = (t2.published_at is null) and t4.locale = t2.locale)
              )
              and t4."title" = $2::text
            )
          )
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- fields of components are typed from the schema
-- slots: -3, 0, 1, 2
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (
        (t1.published_at is not null and t1.locale = $2::text)
        and (
          exists (
            select
            from "writers" t2
            where (t2.document_id = (t1."blurb" -> 'by') #>> '{}' and t2."name" = $3::text)
          )
          and exists (
            select
            from jsonb_array_elements(
              case when jsonb_typeof(t1."notes") = 'array' then t1."notes" else '[]'::jsonb end
            ) t3(item)
            where (t3.item ->> 'weight')::int4 > $4::int4
          )
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- a sort through several rows takes the smallest or the greatest value
-- slots: -3, 0
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (t1.published_at is not null and t1.locale = $2::text)
      order by (
        select t2."code"
        from "books_links" t3
        join "shelves" t2 on t2.document_id = t3.target
        where t3.source = t1.id
        and t3.attribute = 6
        order by 1 desc nulls last
        limit 1
      ) desc,
      (
        select t4."name" from "writers" t4 where t4.document_id = t1."writer"
      ) asc,
      t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- a search looks into texts and numbers that are not private
-- slots: -3, 0, 1
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (
        (t1.published_at is not null and t1.locale = $2::text)
        and (
          strpos(lower((t1."document_id") collate plinth_fold), lower(($3::text) collate plinth_fold)) > 0
          or strpos(lower((t1."title") collate plinth_fold), lower(($3::text) collate plinth_fold)) > 0
          or (
            $3::text ~ '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)$'
            and strpos(t1."pages"::text, $3::text) > 0
          )
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- a modified draft is one that is newer than what is published
-- slots: -3, 0
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (
        (t1.published_at is null and t1.locale = $2::text)
        and exists (
          select
          from "books" o
          where o.document_id = t1.document_id
          and o.published_at is not null
          and o.locale = t1.locale
          and o.updated_at < t1.updated_at
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- an owned relation is read in the row's own locale
-- slots: -3, 0
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (t1.published_at is not null and t1.locale = $2::text)
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id",
      (
        select row_to_json(r)
        from (
          select t2."name" as "name" from "writers" t2 where t2.document_id = t1."writer" limit 1
        ) r
      ) as "writer",
      (
        select coalesce(json_agg(row_to_json(r) order by t3.position, t4.id), '[]'::json)
        from "books_links" t3
        join "books" t4 on t4.document_id = t3.target
        cross join lateral (
          select t4."title" as "title"
        ) r
        where (
          t3.source = t1.id
          and t3.attribute = 7
          and (t4.published_at is not null and t4.locale = t1.locale)
        )
      ) as "sequels"
    ) r
  ) a
) as data;

-- an inverse relation of a type without locales is read in all of them
-- slots: -3
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.* from "writers" t1 where true order by t1.id asc
    ) t1
    cross join lateral (
      select t1."name" as "name",
      (
        select coalesce(json_agg(row_to_json(r) order by t2."writer_position", t2.id), '[]'::json)
        from "books" t2
        cross join lateral (
          select t2."title" as "title"
        ) r
        where (t2."writer" = t1.document_id and t2.published_at is not null)
      ) as "books"
    ) r
  ) a
) as data;

-- a populated list has its own filter, order and page
-- slots: -3, 1, 3, 2
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.* from "shelves" t1 where true order by t1.id asc
    ) t1
    cross join lateral (
      select t1."code" as "code",
      (
        select coalesce(json_agg(row_to_json(r)), '[]'::json)
        from (
          select t2."title" as "title"
          from "books_links" t3
          join "books" t2 on t2.id = t3.source
          where (
            ((t3.target = t1.document_id and t3.attribute = 6) and t2.published_at is not null)
            and t2."pages" >= $2::int4
          )
          order by t2."title" asc,
          t2.id asc
          limit $3::int8 offset $4::int8
        ) r
      ) as "books"
    ) r
  ) a
) as data;

-- a count stands in for the entries
-- slots: -3
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.* from "shelves" t1 where true order by t1.id asc
    ) t1
    cross join lateral (
      select t1."code" as "code",
      json_build_object(
        'count',
        (
          select count(*)
          from "books_links" t2
          join "books" t3 on t3.id = t2.source
          where ((t2.target = t1.document_id and t2.attribute = 6) and t3.published_at is not null)
        )
      ) as "books"
    ) r
  ) a
) as data;

-- components come out of the row's own JSON, by the schema
-- slots: -3, 0
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (t1.published_at is not null and t1.locale = $2::text)
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id",
      (
        select row_to_json(r)
        from (
          select t1."blurb" -> 'id' as "id",
          t1."blurb" -> 'text' as "text",
          (
            select row_to_json(r)
            from (
              select t2."name" as "name"
              from "writers" t2
              where t2.document_id = (t1."blurb" -> 'by') #>> '{}'
              limit 1
            ) r
          ) as "by"
        ) r
        where jsonb_typeof(t1."blurb") = 'object'
      ) as "blurb",
      (
        select coalesce(
          json_agg(row_to_json(r) order by (t3.item ->> 'weight')::int4 desc, t3.position),
          '[]'::json
        )
        from jsonb_array_elements(
          case when jsonb_typeof(t1."notes") = 'array' then t1."notes" else '[]'::jsonb end
        ) with ordinality t3(item, position)
        cross join lateral (
          select t3.item -> 'label' as "label"
        ) r
      ) as "notes"
    ) r
  ) a
) as data;

-- a zone gives the items of the components that are listed
-- slots: -3, 0
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (t1.published_at is not null and t1.locale = $2::text)
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id",
      (
        select coalesce(
          json_agg(
            case t2.item ->> '__component'
            when 'shared.note'
            then (
              select row_to_json(r)
              from (
                select 'shared.note' as "__component",
                t2.item -> 'id' as "id",
                t2.item -> 'label' as "label"
              ) r
            ) end
            order by t2.position
          ),
          '[]'::json
        )
        from jsonb_array_elements(
          case when jsonb_typeof(t1."parts") = 'array' then t1."parts" else '[]'::jsonb end
        ) with ordinality t2(item, position)
        where t2.item ->> '__component' in ('shared.note')
      ) as "parts"
    ) r
  ) a
) as data;

-- media are empty as long as there is no file type
-- slots: -3, 0
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (t1.published_at is not null and t1.locale = $2::text)
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id", null::json as "cover"
    ) r
  ) a
) as data;

-- polymorphic targets are first read as references
-- slots: -3, 0
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.* from "shelves" t1 where true order by t1.id asc
    ) t1
    cross join lateral (
      select t1."code" as "code",
      (
        select coalesce(
          json_agg(
            json_build_object('__type', t2.target_type, 'documentId', t2.target, 'locale', $2::text)
            order by t2.position
          ),
          '[]'::json
        )
        from "shelves_links" t2
        where t2.source = t1.id
        and t2.attribute = 3
      ) as "holds",
      case
      when t1."highlight" is not null
      then json_build_object(
        '__type', t1."highlight_type", 'documentId', t1."highlight", 'locale', $2::text
      ) end as "highlight"
    ) r
  ) a
) as data;

-- a related row that is not visible counts as none
-- slots: -3, 0, 1, 2
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (
        (t1.published_at is not null and t1.locale = $2::text)
        and t1."title" <> $3::text
        and (
          not exists (
            select from "writers" t2 where (t2.document_id = t1."writer" and t2."name" <> $4::text)
          )
          or (
            exists (
              select
              from "writers" t3
              where (t3.document_id = t1."writer" and (t3."name" <> $4::text and t3."id" is null))
            )
            or not exists (
              select
              from "writers" t4
              where (t4.document_id = t1."writer" and t4."name" <> $4::text)
            )
          )
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- an order passes over rows that are not visible
-- slots: -3, 1
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "shelves" t1
      where true
      order by (
        select (
          select t2."name"
          from "writers" t2
          where (t2.document_id = t3."writer" and t2."name" <> $2::text)
        )
        from "books_links" t4
        join "books" t3 on t3.id = t4.source
        where (t4.target = t1.document_id and t4.attribute = 6)
        order by 1 asc nulls last
        limit 1
      ) asc,
      t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- a version that is not visible is no other version
-- slots: -3, 0, 1
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (
        (t1.published_at is null and t1.locale = $2::text)
        and t1."title" <> $3::text
        and exists (
          select
          from "books" o
          where o.document_id = t1.document_id
          and o.published_at is not null
          and o.locale = t1.locale
          and o."title" <> $3::text
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- a search looks into the attributes that are named
-- slots: -3, 0, 1
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (
        (t1.published_at is not null and t1.locale = $2::text)
        and (
          strpos(lower((t1."document_id") collate plinth_fold), lower(($3::text) collate plinth_fold)) > 0
          or (
            $3::text ~ '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)$'
            and strpos(t1."pages"::text, $3::text) > 0
          )
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- polymorphic targets that are not visible are left out, and questions inside of them keep their values
-- slots: -3, 0
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.* from "shelves" t1 where true order by t1.id asc
    ) t1
    cross join lateral (
      select t1."code" as "code",
      (
        select coalesce(
          json_agg(
            json_build_object('__type', t2.target_type, 'documentId', t2.target, 'locale', $2::text)
            order by t2.position
          ),
          '[]'::json
        )
        from "shelves_links" t2
        where t2.source = t1.id
        and t2.attribute = 3
      ) as "holds"
    ) r
  ) a
) as data;

-- a deep page looks for row ids, and with its total also from the other end
-- slots: -3, 0, 1, 2
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where t1.id = any(
        array(
          (
            select t1.id
            from "books" t1
            where (t1.published_at is not null and t1.locale = $2::text)
            order by t1."title" desc,
            t1.id desc
            limit case
            when $3::int8 > (
              select plinth_total('books', false, $2::text)
            ) / 2
            then 0
            else $4::int8 end offset $3::int8
          )
          union all (
            select t1.id
            from "books" t1
            where (t1.published_at is not null and t1.locale = $2::text)
            order by t1."title" asc,
            t1.id asc
            limit case
            when $3::int8 > (
              select plinth_total('books', false, $2::text)
            ) / 2
            then least(
              $4::int8,
              greatest(
                (
                  select plinth_total('books', false, $2::text)
                ) - $3::int8,
                0
              )
            )
            else 0 end offset greatest(
              (
                select plinth_total('books', false, $2::text)
              ) - $3::int8 - $4::int8,
              0
            )
          )
        )
      )
      order by t1."title" desc,
      t1.id desc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data,
(
  select plinth_total('books', false, $2::text)
) as total;

-- a deep page past the middle is the same page
-- slots: -3, 0, 1, 2
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where t1.id = any(
        array(
          (
            select t1.id
            from "books" t1
            where (t1.published_at is not null and t1.locale = $2::text)
            order by t1."title" desc,
            t1.id desc
            limit case
            when $3::int8 > (
              select plinth_total('books', false, $2::text)
            ) / 2
            then 0
            else $4::int8 end offset $3::int8
          )
          union all (
            select t1.id
            from "books" t1
            where (t1.published_at is not null and t1.locale = $2::text)
            order by t1."title" asc,
            t1.id asc
            limit case
            when $3::int8 > (
              select plinth_total('books', false, $2::text)
            ) / 2
            then least(
              $4::int8,
              greatest(
                (
                  select plinth_total('books', false, $2::text)
                ) - $3::int8,
                0
              )
            )
            else 0 end offset greatest(
              (
                select plinth_total('books', false, $2::text)
              ) - $3::int8 - $4::int8,
              0
            )
          )
        )
      )
      order by t1."title" desc,
      t1.id desc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data,
(
  select plinth_total('books', false, $2::text)
) as total;

-- a page after a cursor is a union of ranges, nulls in one of their own
-- slots: 1, 4, 2, 3, -3
with page as materialized (
  select *
  from (
    (
      select t1.*,
      t1."pages" as "place.0",
      (
        select t2."name" from "writers" t2 where t2.document_id = t1."writer"
      ) as "place.1",
      t1.id as "place.2"
      from "books" t1
      where (t1.published_at is not null and t1."pages" > $1::int4)
      order by "place.0" asc,
      "place.1" desc,
      "place.2" desc
      limit $2::int8 + 1
    )
    union all (
      select t1.*,
      t1."pages" as "place.0",
      (
        select t2."name" from "writers" t2 where t2.document_id = t1."writer"
      ) as "place.1",
      t1.id as "place.2"
      from "books" t1
      where (t1.published_at is not null and t1."pages" is null)
      order by "place.0" asc,
      "place.1" desc,
      "place.2" desc
      limit $2::int8 + 1
    )
    union all (
      select t1.*,
      t1."pages" as "place.0",
      (
        select t2."name" from "writers" t2 where t2.document_id = t1."writer"
      ) as "place.1",
      t1.id as "place.2"
      from "books" t1
      where (
        t1.published_at is not null
        and t1."pages" = $1::int4
        and (
          select t2."name" from "writers" t2 where t2.document_id = t1."writer"
        ) < $3::text
      )
      order by "place.0" asc,
      "place.1" desc,
      "place.2" desc
      limit $2::int8 + 1
    )
    union all (
      select t1.*,
      t1."pages" as "place.0",
      (
        select t2."name" from "writers" t2 where t2.document_id = t1."writer"
      ) as "place.1",
      t1.id as "place.2"
      from "books" t1
      where (
        t1.published_at is not null
        and t1."pages" = $1::int4
        and (
          select t2."name" from "writers" t2 where t2.document_id = t1."writer"
        ) = $3::text
        and t1.id < $4::int8
      )
      order by "place.0" asc,
      "place.1" desc,
      "place.2" desc
      limit $2::int8 + 1
    )
  ) rows
  order by "place.0" asc,
  "place.1" desc,
  "place.2" desc
  limit $2::int8 + 1
) select (
  select case
  when octet_length(a.data) > $5::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select * from page limit $2::int8
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data,
(
  select json_build_array(page."place.0", page."place.1", page."place.2")::text
  from page
  where (
    select count(*) from page
  ) > $2::int8 offset $2::int8 - 1
  limit 1
) as place;
