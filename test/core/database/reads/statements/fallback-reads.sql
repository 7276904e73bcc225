-- a document that is not in the locale comes in the next
-- total kept by slots: 1, 0
-- slots: -1, -2, 1, 0, -3, 3, 2
with counted as materialized (
  select s.stamp,
  case
  when s.stamp = $1::int8
  then $2::int8
  else (
    select count(*)::int8
    from "books" t1
    where (
      t1.published_at is not null
      and (
        t1.locale = $3::text
        or (
          t1.locale = $4::text
          and not exists (
            select
            from "books" t2
            where (
              t2.document_id = t1.document_id
              and t2.locale in ($3::text)
              and t2.published_at is not null
            )
          )
        )
      )
    )
  ) end as total
  from (
    select plinth_stamp(array['books']) as stamp
  ) s
) select (
  select case
  when octet_length(a.data) > $5::int8
  then ('plinth: answer too large: data ' || octet_length(a.data))::int4::text
  else a.data end
  from (
    select coalesce(json_agg(row_to_json(r)), '[]'::json)::text as data
    from (
      select t1.*
      from "books" t1
      where (
        t1.published_at is not null
        and (
          t1.locale = $3::text
          or (
            t1.locale = $4::text
            and not exists (
              select
              from "books" t3
              where (
                t3.document_id = t1.document_id
                and t3.locale in ($3::text)
                and t3.published_at is not null
              )
            )
          )
        )
      )
      order by t1.id asc
      limit $6::int8 offset $7::int8
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data,
(
  select total from counted
) as total,
(
  select stamp from counted
) as stamp;
-- without the total:
-- slots: -3, 1, 0, 3, 2
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
        t1.published_at is not null
        and (
          t1.locale = $2::text
          or (
            t1.locale = $3::text
            and not exists (
              select
              from "books" t2
              where (
                t2.document_id = t1.document_id
                and t2.locale in ($2::text)
                and t2.published_at is not null
              )
            )
          )
        )
      )
      order by t1.id asc
      limit $4::int8 offset $5::int8
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data,
(
  select plinth_stamp(array['books']) as stamp
) as stamp;

-- without an index for the order, what stands in is a condition like any other
-- slots: -3, 1, 0, 2, 4, 3
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
        (
          t1.published_at is not null
          and (
            t1.locale = $2::text
            or (
              t1.locale = $3::text
              and not exists (
                select
                from "books" t2
                where (
                  t2.document_id = t1.document_id
                  and t2.locale in ($2::text)
                  and t2.published_at is not null
                  and t2."title" <> $4::text
                )
              )
            )
          )
        )
        and t1."title" <> $4::text
      )
      order by t1."title" desc,
      t1.id desc
      limit $5::int8 offset $6::int8
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- related documents are shown, tested and counted in the first of the locales that they have
-- slots: -3, 1, 0, 2
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
        (
          t1.published_at is not null
          and (
            t1.locale = $2::text
            or (
              t1.locale = $3::text
              and not exists (
                select
                from "books" t2
                where (
                  t2.document_id = t1.document_id
                  and t2.locale in ($2::text)
                  and t2.published_at is not null
                )
              )
            )
          )
        )
        and exists (
          select
          from "books_links" t3
          join "books" t4 on t4.document_id = t3.target
          where (
            (
              t3.source = t1.id
              and t3.attribute = 7
              and (
                t4.published_at is not null
                and (
                  t4.locale = $2::text
                  or (
                    t4.locale = $3::text
                    and not exists (
                      select
                      from "books" t5
                      where (
                        t5.document_id = t4.document_id
                        and t5.locale in ($2::text)
                        and t5.published_at is not null
                      )
                    )
                  )
                )
              )
            )
            and t4."title" = $4::text
          )
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id",
      t1."locale" as "locale",
      (
        select coalesce(json_agg(row_to_json(r) order by t6.position, t7.id), '[]'::json)
        from "books_links" t6
        join "books" t7 on t7.document_id = t6.target
        cross join lateral (
          select t7."title" as "title", t7."locale" as "locale"
        ) r
        where (
          t6.source = t1.id
          and t6.attribute = 7
          and (
            t7.published_at is not null
            and (
              t7.locale = $2::text
              or (
                t7.locale = $3::text
                and not exists (
                  select
                  from "books" t8
                  where (
                    t8.document_id = t7.document_id
                    and t8.locale in ($2::text)
                    and t8.published_at is not null
                  )
                )
              )
            )
          )
        )
      ) as "sequels",
      (
        select coalesce(json_agg(row_to_json(r) order by t9.locale), '[]'::json)
        from "books" t9
        cross join lateral (
          select t9."id" as "id"
        ) r
        where (
          t9.document_id = t1.document_id and t9.locale <> t1.locale and t9.published_at is not null
        )
      ) as "localizations"
    ) r
  ) a
) as data;

-- from a type without locales, related documents come in the default locale, then in those that stand in
-- slots: -3, 0, 1, 2
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
          select t2."title" as "title", t2."locale" as "locale"
        ) r
        where (
          (
            t2."writer" = t1.document_id
            and (
              t2.published_at is not null
              and (
                t2.locale = $2::text
                or (
                  t2.locale = $3::text
                  and not exists (
                    select
                    from "books" t3
                    where (
                      t3.document_id = t2.document_id
                      and t3.locale in ($2::text)
                      and t3.published_at is not null
                      and t3."title" <> $4::text
                    )
                  )
                )
              )
            )
          )
          and t2."title" <> $4::text
        )
      ) as "books"
    ) r
  ) a
) as data;
