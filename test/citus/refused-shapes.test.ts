import { expect } from "chai";
import { loadParser, refusedShapes } from "./refused-shapes.js";

/** What Citus 13.2 refused, by the first words of what it said. */
const REFUSED: Readonly<Record<string, string>> = {
  "with gone as (delete from l where source = 2) insert into l select 2, target from l where source = 1":
    "cannot execute a distributed query",
  "with recursive r as (select 1 as n union all select n + 1 from r), a as (insert into l select n, '' from r) select 1":
    "recursive CTEs",
  "insert into t values ('x', now()) on conflict (key) do update set at = now()": "functions used in the DO UPDATE SET",
  "with w as (insert into t values ('x') on conflict (key) do update set at = current_timestamp) select from w":
    "functions used in the DO UPDATE SET",
  "delete from t where seen < clock_timestamp()": "functions used in UPDATE queries, and",
  "with w as (update t set at = clock_timestamp() where id = 1 returning id) select from w":
    "functions used in UPDATE queries, and",
  "update t set state = 'x' returning extract(epoch from now() - at)": "non-IMMUTABLE functions",
  "insert into t as a select key, $2 from unnest($1::text[]) g(key) on conflict (key) do update set value = $2":
    "could not determine data type",
  "update t set at = at - interval '25 hours'": "STABLE functions used in UPDATE",
  "update t set c = jsonb_build_array(c)": "STABLE functions used in UPDATE",
  "insert into h (c) select to_jsonb((select o from (select t.a as a) o)) from t where t.id = $1":
    "correlated subqueries are not supported",
  "insert into t values (1, (select count(*) from u))": "subqueries are not supported",
  "create unlogged table t (id int)": "cannot add relation to publication",
  "create table t (primary key (id)) inherits (u)": "tables in a distributed schema",
  "create trigger t after insert on u for each statement execute function f()": "triggers are not supported",
};

/** What it ran. */
const TAKEN: readonly string[] = [
  "with gone as (delete from l where source = 2), added as (insert into l select 2, target from l where source = 1) select 1",
  "with done as (delete from l where source = 2 returning *) insert into l select * from done",
  "with gone as (delete from l), h as (select 1) insert into l select v.* from jsonb_to_recordset($1::jsonb) as v(id int8)",
  "insert into l with recursive r as (select 1 as n union all select n + 1 from r) select n, '' from r",
  "with h as (with recursive r as (select 1 as n) select * from r), a as (insert into l select n from h) select 1",
  "insert into t values ('x', clock_timestamp()) on conflict (key) do update set at = excluded.at",
  "with w as (insert into t as a select key, $2 from unnest($1::text[]) g(key) on conflict (key) do update set value = $2 returning *) select from w",
  "delete from t where seen < now() - interval '1 day'",
  "update t set c = '[]'::jsonb || c",
  "update t set c = $1 returning (select row_to_json(v) from (select t.id, to_char(t.at, 'YYYY') as year) v)",
  "insert into h (c) select v.* from (select to_jsonb((select o from (select t.a as a) o)) from t where t.id = $1 offset 0) v",
  "update t set at = now() + $2 * interval '1 ms' where id = $1",
  "select count(*) from t where at < clock_timestamp()",
  "create table t partition of u for values from ('2000-01-01') to ('2000-01-02')",
];

describe("statements that Citus refuses", () => {
  before(loadParser);

  for (const [text, refusal] of Object.entries(REFUSED))
    it(`are found: ${text}`, () => {
      const [first, ...others] = refusedShapes(text);
      expect(first).to.match(new RegExp(`^${refusal}`));
      expect(others).to.deep.equal([]);
    });

  for (const text of TAKEN)
    it(`are told from those that it takes: ${text}`, () => {
      expect(refusedShapes(text)).to.deep.equal([]);
    });

  it("are looked for in each statement of a text, and not in what is no SQL", () => {
    expect(refusedShapes("select 1; create unlogged table t (id int)")).to.have.lengthOf(1);
    expect(() => refusedShapes("not SQL")).to.throw("syntax error");
  });
});
