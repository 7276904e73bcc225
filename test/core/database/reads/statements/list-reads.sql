-- a condition on none or every one of a list is about those that are there
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
          not exists (
            select
            from "books_links" t2
            join "shelves" t3 on t3.document_id = t2.target
            where (t2.source = t1.id and t2.attribute = 6 and t3."code" = $3::text)
          )
          and not exists (
            select
            from "books_links" t4
            join "shelves" t5 on t5.document_id = t4.target
            where (t4.source = t1.id and t4.attribute = 6 and t5."code" = $3::text)
          )
          and not exists (
            select
            from jsonb_array_elements(
              case when jsonb_typeof(t1."notes") = 'array' then t1."notes" else '[]'::jsonb end
            ) t6(item)
            where ((t6.item ->> 'weight')::int4 > $4::int4) is not true
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
