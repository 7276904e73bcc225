-- state, authors and locales come with each row, by its document id
-- slots: -3, 2, 1
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
      where t1.published_at is null
      order by t1.id asc
      limit $2::int8 offset $3::int8
    ) t1
    cross join lateral (
      select t1."title" as "title",
      (
        select row_to_json(r)
        from (
          select (
            select case
            when max(t2.published_at) is null
            then 'draft'
            when max(t2.updated_at) filter (where t2.published_at is null) > max(t2.updated_at) filter (
              where t2.published_at is not null
            )
            then 'modified'
            else 'published' end
            from "books" t2
            where t2.document_id = t1.document_id
            and t2.locale = t1.locale
          ) as "state",
          (
            select row_to_json(r)
            from (
              select t3."id" as "id",
              t3."document_id" as "documentId",
              t3."name" as "name"
              from "writers" t3
              where t3.id = t1."created_by_id"
              limit 1
            ) r
          ) as "createdBy",
          null as "updatedBy",
          (
            select coalesce(json_agg(row_to_json(l) order by l.locale), '[]'::json)
            from (
              select t4.locale,
              case
              when max(t4.published_at) is null
              then 'draft'
              when max(t4.updated_at) filter (where t4.published_at is null) > max(t4.updated_at) filter (
                where t4.published_at is not null
              )
              then 'modified'
              else 'published' end as state
              from "books" t4
              where t4.document_id = t1.document_id
              group by t4.locale
            ) l
          ) as "locales"
        ) r
      ) as "_facts"
    ) r
  ) a
) as data;

-- versions that the caller does not see are no facts to them
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
      where (t1.published_at is not null and t1.locale = $2::text)
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."title" as "title",
      (
        select row_to_json(r)
        from (
          select (
            select case
            when max(t2.published_at) is null
            then 'draft'
            when max(t2.updated_at) filter (where t2.published_at is null) > max(t2.updated_at) filter (
              where t2.published_at is not null
            )
            then 'modified'
            else 'published' end
            from "books" t2
            where t2.document_id = t1.document_id
            and t2."locale" = $3::text
            and t2.locale = t1.locale
          ) as "state",
          (
            select row_to_json(r)
            from (
              select t3."id" as "id",
              t3."document_id" as "documentId",
              t3."name" as "name"
              from "writers" t3
              where t3.id = t1."created_by_id"
              limit 1
            ) r
          ) as "createdBy",
          null as "updatedBy",
          (
            select coalesce(json_agg(row_to_json(l) order by l.locale), '[]'::json)
            from (
              select t4.locale,
              case
              when max(t4.published_at) is null
              then 'draft'
              when max(t4.updated_at) filter (where t4.published_at is null) > max(t4.updated_at) filter (
                where t4.published_at is not null
              )
              then 'modified'
              else 'published' end as state
              from "books" t4
              where t4.document_id = t1.document_id
              and t4."locale" = $3::text
              group by t4.locale
            ) l
          ) as "locales"
        ) r
      ) as "_facts"
    ) r
  ) a
) as data;

-- a type without drafts is always published, one without locales lists none
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
        select row_to_json(r)
        from (
          select 'published'::text as "state",
          (
            select row_to_json(r)
            from (
              select t2."id" as "id",
              t2."document_id" as "documentId",
              t2."name" as "name"
              from "writers" t2
              where t2.id = t1."created_by_id"
              limit 1
            ) r
          ) as "createdBy",
          null as "updatedBy",
          '[]'::json as "locales"
        ) r
      ) as "_facts"
    ) r
  ) a
) as data;

-- rows are found by who made them
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
      from "books" t1
      where (
        t1.published_at is null
        and exists (
          select from "writers" t2 where (t2.id = t1."created_by_id" and t2."id" = $2::int8)
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;

-- rows are found by that nobody is known to have made them
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
      from "books" t1
      where (
        t1.published_at is null
        and not exists (
          select from "writers" t2 where t2.id = t1."created_by_id"
        )
      )
      order by t1.id asc
    ) t1
    cross join lateral (
      select t1."id" as "id"
    ) r
  ) a
) as data;
