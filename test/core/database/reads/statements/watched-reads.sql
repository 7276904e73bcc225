-- a list shows no more entries than it may
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
        select coalesce(json_agg(row_to_json(r)), '[]'::json)
        from (
          select t2."title" as "title"
          from "books" t2
          where (t2."writer" = t1.document_id and t2.published_at is not null)
          order by t2."writer_position",
          t2.id
          limit 1
        ) r
      ) as "books"
    ) r
  ) a
) as data;

-- on a long page too, where it is read again by itself
-- slots: 0, 2, 1, -3
with "page.rows" as materialized (
  select p.*,
  row_number() over () as "row.number"
  from (
    select t1.*
    from "books" t1
    where (t1.published_at is not null and t1.locale = $1::text)
    order by t1.id asc
    limit $2::int8 offset $3::int8
  ) p
),
"t2.links" as materialized (
  select t3.source,
  t3.target,
  t3.position
  from "books_links" t3
  where t3.source = any(
    array(
      select id from "page.rows"
    )
  )
  and t3.attribute = 6
),
"t2.targets" as materialized (
  select t2.id,
  t2.document_id,
  row_to_json(r) as json
  from "shelves" t2
  cross join lateral (
    select t2."code" as "code"
  ) r
  where t2.document_id = any(
    array(
      select target from "t2.links"
    )
  )
),
"t2.lists" as materialized (
  select "t2.links".source,
  json_agg("t2.targets".json order by "t2.links".position, "t2.targets".id) as json,
  count(*) as entries
  from "t2.links"
  join "t2.targets" on "t2.targets".document_id = "t2.links".target
  group by "t2.links".source
) select (
  select case
  when octet_length(a.data) > $4::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r) order by t1."row.number"), '[]'::json)::text as data
    from "page.rows" t1
    left join "t2.lists" on "t2.lists".source = t1.id
    cross join lateral (
      select t1."title" as "title",
      case
      when "t2.lists".entries > 1
      then (
        select coalesce(json_agg(row_to_json(r)), '[]'::json)
        from (
          select t4."code" as "code"
          from "books_links" t5
          join "shelves" t4 on t4.document_id = t5.target
          where t5.source = t1.id
          and t5.attribute = 6
          order by t5.position,
          t4.id
          limit 1
        ) r
      )
      else coalesce("t2.lists".json, '[]'::json) end as "shelves"
    ) r
  ) a
) as data;

-- a read of lists in lists adds up what they hold
-- slots: -3
select (
  select case
  when octet_length(a.data) > $1::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select case
    when set_config('plinth.bytes', '0', true) = '0'
    then (
      select coalesce(
        json_agg(
          case
          when set_config(
            'plinth.bytes',
            (current_setting('plinth.bytes')::int8 + pg_column_size(e.item) - e.inside + 100)::text,
            true
          )::int8 > $1::int8
          then to_json(('plinth: answer too large: data ' || current_setting('plinth.bytes'))::int4)
          else e.item end
        ),
        '[]'::json
      )
      from (
        select row_to_json(r) as item,
        coalesce(pg_column_size(r."books"), 0) as inside
        from (
          select r.*
          from (
            select r.*
            from (
              select t1.* from "shelves" t1 where true order by t1.id asc
            ) t1
            cross join lateral (
              select t1."code" as "code",
              (
                select coalesce(
                  json_agg(
                    case
                    when set_config(
                      'plinth.bytes',
                      (
                        current_setting('plinth.bytes')::int8 + pg_column_size(e.item) - e.inside + 100
                      )::text,
                      true
                    )::int8 > $1::int8
                    then to_json(
                      ('plinth: answer too large: books ' || current_setting('plinth.bytes'))::int4
                    )
                    else e.item end
                  ),
                  '[]'::json
                )
                from (
                  select row_to_json(r) as item,
                  coalesce(pg_column_size(r."shelves"), 0) + coalesce(pg_column_size(r."notes"), 0) + coalesce(
                    pg_column_size(r."writer"), 0
                  ) as inside
                  from (
                    select r.*
                    from (
                      select t2."title" as "title",
                      (
                        select coalesce(
                          json_agg(
                            case
                            when set_config(
                              'plinth.bytes',
                              (
                                current_setting('plinth.bytes')::int8 + pg_column_size(e.item) - e.inside + 100
                              )::text,
                              true
                            )::int8 > $1::int8
                            then to_json(
                              (
                                'plinth: answer too large: books.shelves ' || current_setting(
                                  'plinth.bytes'
                                )
                              )::int4
                            )
                            else e.item end
                          ),
                          '[]'::json
                        )
                        from (
                          select row_to_json(r) as item,
                          0 as inside
                          from (
                            select r.*
                            from (
                              select t3."code" as "code"
                              from "books_links" t4
                              join "shelves" t3 on t3.document_id = t4.target
                              where t4.source = t2.id
                              and t4.attribute = 6
                              order by t4.position,
                              t3.id
                              limit 1
                            ) r offset 0
                          ) r offset 0
                        ) e
                      ) as "shelves",
                      (
                        select coalesce(
                          json_agg(
                            case
                            when set_config(
                              'plinth.bytes',
                              (
                                current_setting('plinth.bytes')::int8 + pg_column_size(e.item) - e.inside + 100
                              )::text,
                              true
                            )::int8 > $1::int8
                            then to_json(
                              (
                                'plinth: answer too large: books.notes ' || current_setting(
                                  'plinth.bytes'
                                )
                              )::int4
                            )
                            else e.item end
                          ),
                          '[]'::json
                        )
                        from (
                          select row_to_json(r) as item,
                          0 as inside
                          from (
                            select r.*
                            from (
                              select t5.item -> 'label' as "label"
                              from jsonb_array_elements(
                                case
                                when jsonb_typeof(t2."notes") = 'array'
                                then t2."notes"
                                else '[]'::jsonb end
                              ) with ordinality t5(item, position)
                              order by t5.position
                            ) r offset 0
                          ) r offset 0
                        ) e
                      ) as "notes",
                      (
                        select row_to_json(r)
                        from (
                          select t6."name" as "name",
                          (
                            select coalesce(
                              json_agg(
                                case
                                when set_config(
                                  'plinth.bytes',
                                  (
                                    current_setting('plinth.bytes')::int8 + pg_column_size(e.item) - e.inside + 100
                                  )::text,
                                  true
                                )::int8 > $1::int8
                                then to_json(
                                  (
                                    'plinth: answer too large: books.writer.books ' || current_setting(
                                      'plinth.bytes'
                                    )
                                  )::int4
                                )
                                else e.item end
                              ),
                              '[]'::json
                            )
                            from (
                              select row_to_json(r) as item,
                              0 as inside
                              from (
                                select r.*
                                from (
                                  select t7."title" as "title"
                                  from "books" t7
                                  where (t7."writer" = t6.document_id and t7.published_at is not null)
                                  order by t7."writer_position",
                                  t7.id
                                  limit 3
                                ) r offset 0
                              ) r offset 0
                            ) e
                          ) as "books"
                          from "writers" t6
                          where t6.document_id = t2."writer"
                          limit 1
                        ) r
                      ) as "writer"
                      from "books_links" t8
                      join "books" t2 on t2.id = t8.source
                      where (
                        (t8.target = t1.document_id and t8.attribute = 6)
                        and t2.published_at is not null
                      )
                      order by t8.inverse_position,
                      t2.id
                      limit 2
                    ) r offset 0
                  ) r offset 0
                ) e
              ) as "books"
            ) r
          ) r offset 0
        ) r offset 0
      ) e
    )::text end as data
  ) a
) as data;
