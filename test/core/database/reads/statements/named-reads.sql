-- values come under the names and in the order and form that are asked for
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
      select 'Book'::text as "type",
      (
        select row_to_json(r)
        from (
          select (
            select row_to_json(r)
            from (
              select t2."name" as "name"
              from "writers" t2
              where t2.document_id = t1."writer"
              limit 1
            ) r
          ) as "by"
        ) r
      ) as "box",
      (t1."pages")::text as "pages",
      t1."title" as "name"
    ) r
  ) a
) as data;

-- a list of components has its own page, and items of a zone need not say what they are
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
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id",
      (
        select coalesce(json_agg(row_to_json(r)), '[]'::json)
        from (
          select ((t2.item ->> 'id')::int8)::text as "id",
          t2.item -> 'label' as "label"
          from jsonb_array_elements(
            case when jsonb_typeof(t1."notes") = 'array' then t1."notes" else '[]'::jsonb end
          ) with ordinality t2(item, position)
          order by (t2.item ->> 'weight')::int4 desc,
          t2.position
          limit $3::int8 offset $4::int8
        ) r
      ) as "notes",
      (
        select coalesce(
          json_agg(
            case t3.item ->> '__component'
            when 'shared.note'
            then (
              select row_to_json(r)
              from (
                select t3.item -> 'label' as "label"
              ) r
            ) end
            order by t3.position
          ),
          '[]'::json
        )
        from jsonb_array_elements(
          case when jsonb_typeof(t1."parts") = 'array' then t1."parts" else '[]'::jsonb end
        ) with ordinality t3(item, position)
        where t3.item ->> '__component' in ('shared.note')
      ) as "parts"
    ) r
  ) a
) as data;
