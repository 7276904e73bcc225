import { PGlite } from "@electric-sql/pglite";
import { expect } from "chai";
import pg from "pg";
import { isScalarKind, SCALAR_TRAITS, toSqlParameter, traitsOf } from "#core/schema/attribute.js";
import { parseValue } from "#core/schema/parse-value.js";

/** A wire value of each kind, with digits and zeros that a careless conversion would lose. */
const WIRE_VALUES: Readonly<Record<keyof typeof SCALAR_TRAITS, unknown>> = {
  string: 'a "quoted" \\ text',
  text: "a",
  richtext: "# a",
  enumeration: "news",
  email: "a@b.co",
  password: "a",
  uid: "a-b",
  date: "2024-03-01",
  time: "08:09:10.1",
  datetime: "2024-05-05T10:20:30.400Z",
  timestamp: "0099-05-05T10:20:30.000Z",
  integer: -12,
  biginteger: "9007199254740993",
  float: 0.1,
  decimal: 12.5,
  boolean: false,
  json: { a: [1, null] },
  blocks: [{ type: "paragraph", children: [{ type: "text", text: "a" }] }],
  id: 7,
};

interface Client {
  query(text: string, values: unknown[]): Promise<{ rows: { output: string; same: boolean }[] }>;
}

function describeTraits(name: string, open: () => Promise<{ client: Client; close: () => Promise<void> }>): void {
  describe(`the SQL of each kind of attribute on ${name}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    before(async () => {
      opened = await open();
    });
    after(() => opened.close());

    for (const kind of Object.keys(SCALAR_TRAITS) as (keyof typeof SCALAR_TRAITS)[]) {
      it(`answers a ${kind} as it was written, from a column and out of a component`, async () => {
        const traits = traitsOf({ kind });
        const parsed = parseValue({ kind }, WIRE_VALUES[kind], { path: [kind], use: "body" });
        const parameter = String(toSqlParameter({ kind }, parsed.problems ? undefined : parsed.value));
        const sql = `select json_build_object('v', ${traits.output("c")})::text as output,
          ${traits.fromJson("j", "'v'")} = $1::text::${traits.cast} as same
          from (select $1::text::${traits.columnType} as c, $2::text::jsonb as j) as stored`;
        const { rows } = await opened.client.query(sql, [parameter, JSON.stringify({ v: WIRE_VALUES[kind] })]);
        expect(JSON.parse(rows[0]?.output ?? "")).to.deep.equal({ v: WIRE_VALUES[kind] });
        expect(rows[0]?.same).to.equal(true);
      });
    }
  });
}

describeTraits("PGlite", async () => {
  const client = await PGlite.create();
  return { client: client as Client, close: () => client.close() };
});

const url = process.env["TEST_DATABASE_URL"];
if (url !== undefined) {
  describeTraits("PostgreSQL", async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return { client, close: () => client.end() };
  });
}

describe("the traits of the kinds", () => {
  const kindsWhere = (test: (kind: keyof typeof SCALAR_TRAITS) => boolean) =>
    (Object.keys(SCALAR_TRAITS) as (keyof typeof SCALAR_TRAITS)[]).filter(test);

  it("let texts alone be compared by their parts", () => {
    expect(kindsWhere((kind) => traitsOf({ kind }).operators.includes("$containsi"))).to.deep.equal([
      ...["string", "text", "richtext", "email", "uid", "enumeration"],
    ]);
  });

  it("search texts by part and numbers by equality", () => {
    expect(kindsWhere((kind) => traitsOf({ kind }).search === "text")).to.have.members([
      ...["string", "text", "richtext", "email", "uid", "enumeration"],
    ]);
    expect(kindsWhere((kind) => traitsOf({ kind }).search === "digits")).to.have.members([
      ...["integer", "biginteger", "float", "decimal"],
    ]);
  });

  it("sort neither JSON nor passwords, and show no password", () => {
    expect(kindsWhere((kind) => !traitsOf({ kind }).isSortable)).to.have.members(["json", "blocks", "password"]);
    expect(kindsWhere((kind) => !traitsOf({ kind }).isReadable)).to.deep.equal(["password"]);
  });

  it("know kinds by name, and neither the id nor names of JavaScript's objects among them", () => {
    expect(["string", "id", "relation", "constructor", "toString"].filter(isScalarKind)).to.deep.equal(["string"]);
  });
});
