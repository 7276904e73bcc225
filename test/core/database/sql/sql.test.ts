import { expect } from "chai";
import { identifier, literal, newAlias, parameter, readTable, toSqlText } from "#core/database/sql/sql.js";

describe("fragments of SQL", () => {
  it("number their parameters in the order in which they are written out, each once", () => {
    const [a, b] = [parameter(7, "text"), parameter(2, "int4")];
    const { text, slots } = toSqlText(`${b} = ${a} and ${b} < ${parameter(2, "int8")}`);
    expect(text).to.equal("$1::int4 = $2::text and $1::int4 < $3::int8");
    expect(slots).to.deep.equal([2, 7, 2]);
  });

  it("leave no trace where they are built and not used", () => {
    parameter(1, "text");
    newAlias();
    expect(toSqlText("select 1")).to.deep.equal({ text: "select 1", slots: [], tables: new Set() });
  });

  it("may be part of several statements, which are numbered by themselves", () => {
    const alias = newAlias();
    const rows = `from ${readTable("books")} ${alias} where ${alias}.id = ${parameter(5, "int8")}`;
    const other = newAlias();
    expect(toSqlText(`select ${rows}`).text).to.equal('select from "books" t1 where t1.id = $1::int8');
    const text = `select ${parameter(0, "text")} from a ${other}, (select ${rows}) b`;
    expect(toSqlText(text).text).to.equal(
      'select $1::text from a t1, (select from "books" t2 where t2.id = $2::int8) b',
    );
  });

  it("give equal texts for equal statements, whatever was compiled before", () => {
    const compile = () => {
      const alias = newAlias();
      return toSqlText(`select from ${readTable("books")} ${alias} where ${alias}.id = ${parameter(1, "int8")}`);
    };
    expect(compile()).to.deep.equal(compile());
  });

  it("name the tables that they read", () => {
    const { tables } = toSqlText(`${readTable("books")}, ${readTable('odd"name')}, ${readTable("books")}`);
    expect([...tables]).to.deep.equal(["books", 'odd"name']);
  });

  it("cannot be forged by a name or a constant", () => {
    for (const quoted of [identifier("\0p9::text\0"), literal("\0a1\0")])
      expect(toSqlText(quoted)).to.deep.include({ slots: [], text: quoted });
    expect(identifier('a"b')).to.equal('"a""b"');
    expect(literal("it's")).to.equal("'it''s'");
  });
});
