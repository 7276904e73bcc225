-- a document that is not in the locale comes in the next
-- total kept by slots: 1, 0
-- slots: 1, 0, -1, -2, 3, 2, -3
with counted as materialized (
  select s.stamp,
  case
  when s.stamp = $3::int8
  then $4::int8
  else (
    select count(*)::int8
    from "books" t1
    where (
      t1.published_at is not null
      and (
        t1.locale = $1::text
        or (
          t1.locale = $2::text
          and not exists (
            select
            from "books" t2
            where (
              t2.document_id = t1.document_id
              and t2.locale in ($1::text)
              and t2.published_at is not null
            )
          )
        )
      )
    )
  ) end as total
  from (
    select coalesce(sum(changes), 0)::int8 as stamp from plinth_counts where "table" in ('books')
  ) s
) select (
  select case
  when octet_length(a.data) > $7::int8
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
          t1.locale = $1::text
          or (
            t1.locale = $2::text
            and not exists (
              select
              from "books" t3
              where (
                t3.document_id = t1.document_id
                and t3.locale in ($1::text)
                and t3.published_at is not null
              )
            )
          )
        )
      )
      order by t1.id asc
      limit $5::int8 offset $6::int8
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
-- slots: 1, 0, 3, 2, -3
select (
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
          t1.locale = $1::text
          or (
            t1.locale = $2::text
            and not exists (
              select
              from "books" t2
              where (
                t2.document_id = t1.document_id
                and t2.locale in ($1::text)
                and t2.published_at is not null
              )
            )
          )
        )
      )
      order by t1.id asc
      limit $3::int8 offset $4::int8
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data,
(
  select coalesce(sum(changes), 0)::int8 as stamp from plinth_counts where "table" in ('books')
) as stamp;

-- without an index for the order, what stands in is a condition like any other
-- slots: 1, 0, 2, 4, 3, -3
select (
  select case
  when octet_length(a.data) > $6::int8
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
            t1.locale = $1::text
            or (
              t1.locale = $2::text
              and not exists (
                select
                from "books" t2
                where (
                  t2.document_id = t1.document_id
                  and t2.locale in ($1::text)
                  and t2.published_at is not null
                  and t2."title" <> $3::text
                )
              )
            )
          )
        )
        and t1."title" <> $3::text
      )
      order by t1."title" desc,
      t1.id desc
      limit $4::int8 offset $5::int8
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- related documents are shown, tested and counted in the first of the locales that they have
-- slots: 1, 0, 2, -3
select (
  select case
  when octet_length(a.data) > $4::int8
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
            t1.locale = $1::text
            or (
              t1.locale = $2::text
              and not exists (
                select
                from "books" t2
                where (
                  t2.document_id = t1.document_id
                  and t2.locale in ($1::text)
                  and t2.published_at is not null
                )
              )
            )
          )
        )
        and exists (
          select
          from "books_links" t4
          join "books" t3 on t3.document_id = t4.target
          where (
            (
              t4.source = t1.id
              and t4.attribute = 7
              and (
                t3.published_at is not null
                and (
                  t3.locale = $1::text
                  or (
                    t3.locale = $2::text
                    and not exists (
                      select
                      from "books" t5
                      where (
                        t5.document_id = t3.document_id
                        and t5.locale in ($1::text)
                        and t5.published_at is not null
                      )
                    )
                  )
                )
              )
            )
            and t3."title" = $3::text
          )
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id",
      t1."locale" as "locale",
      (
        select coalesce(json_agg(row_to_json(r) order by t7.position, t6.id), '[]'::json)
        from "books_links" t7
        join "books" t6 on t6.document_id = t7.target
        cross join lateral (
          select t6."title" as "title", t6."locale" as "locale"
        ) r
        where (
          t7.source = t1.id
          and t7.attribute = 7
          and (
            t6.published_at is not null
            and (
              t6.locale = $1::text
              or (
                t6.locale = $2::text
                and not exists (
                  select
                  from "books" t8
                  where (
                    t8.document_id = t6.document_id
                    and t8.locale in ($1::text)
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
-- slots: 0, 1, 2, -3
select (
  select case
  when octet_length(a.data) > $4::int8
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
                t2.locale = $1::text
                or (
                  t2.locale = $2::text
                  and not exists (
                    select
                    from "books" t3
                    where (
                      t3.document_id = t2.document_id
                      and t3.locale in ($1::text)
                      and t3.published_at is not null
                      and t3."title" <> $3::text
                    )
                  )
                )
              )
            )
          )
          and t2."title" <> $3::text
        )
      ) as "books"
    ) r
  ) a
) as data;
