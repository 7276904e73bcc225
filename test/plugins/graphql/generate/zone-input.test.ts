import { expect } from "chai";
import { type ExecutionResult, type GraphQLSchema, graphql } from "graphql";
import { component, type } from "../../../core/schema/raw-schemas.js";
import { schemaOf } from "./schema-of.js";

const hero = component("parts.hero", {
  title: { type: "string" },
  views: { type: "biginteger" },
  kind: { type: "enumeration", enum: ["big", "small"] },
  link: { type: "component", component: "parts.link" },
});
const link = component("parts.link", { url: { type: "string" } });
const page = type("page", {
  parts: { type: "dynamiczone", components: ["parts.hero", "parts.link"] },
  about: { type: "relation", relation: "morphToOne" },
});

/** The data that createPage gets, or the messages of the errors. */
async function write(data: string, variables: Readonly<Record<string, unknown>> = {}, declared = ""): Promise<unknown> {
  const schema: GraphQLSchema = schemaOf([page], [hero, link]);
  const field = schema.getMutationType()?.getFields()["createPage"];
  if (!field) throw new TypeError("There is no createPage.");
  let given: unknown;
  field.resolve = (_parent, args) => {
    given = args["data"];
    return null;
  };
  const source = `mutation ${declared} { createPage(data: ${data}) { documentId } }`;
  const { errors }: ExecutionResult = await graphql({ schema, source, variableValues: variables });
  return errors ? errors.map(({ message }) => message) : JSON.parse(JSON.stringify(given));
}

describe("Items of a dynamic zone", () => {
  it("say by __typename which component they are, in literals", async () => {
    const data = '{ parts: [{ __typename: "ComponentPartsHero", title: "T", kind: big, link: { url: "u" } }] }';
    expect(await write(data)).to.deep.equal({
      parts: [{ __component: "parts.hero", title: "T", kind: "big", link: { url: "u" } }],
    });
  });

  it("say so in variables, of a whole input or of one value", async () => {
    const item = { __typename: "ComponentPartsLink", url: "u" };
    const whole = await write("$data", { data: { parts: [item] } }, "($data: PageInput!)");
    expect(whole).to.deep.equal({ parts: [{ __component: "parts.link", url: "u" }] });
    const items = await write("{ parts: $items }", { items: [item] }, "($items: [PagePartsDynamicZoneInput!])");
    expect(items).to.deep.equal(whole);
    const value = await write(
      '{ parts: [{ __typename: "ComponentPartsLink", url: $url }] }',
      { url: "u" },
      "($url: String)",
    );
    expect(value).to.deep.equal(whole);
  });

  it("keep every digit of long numbers", async () => {
    const data = '{ parts: [{ __typename: "ComponentPartsHero", views: "9007199254740993" }] }';
    expect(await write(data)).to.deep.equal({ parts: [{ __component: "parts.hero", views: "9007199254740993" }] });
  });

  it("are refused with the known names when they do not say which component they are", async () => {
    const [message] = (await write('{ parts: [{ title: "T" }] }')) as string[];
    expect(message).to.include("write one of ComponentPartsHero, ComponentPartsLink");
    const [unknown] = (await write('{ parts: [{ __typename: "Page" }] }')) as string[];
    expect(unknown).to.include('__typename cannot be "Page"');
    expect(await write("{ parts: [5] }")).to.have.length(1);
  });

  it("are checked by the input of their component", async () => {
    const refused = async (fields: string) =>
      ((await write(`{ parts: [{ __typename: "ComponentPartsHero", ${fields} }] }`)) as string[])[0];
    expect(await refused("nope: 1")).to.include('"nope" is not defined');
    expect(await refused("title: 5")).to.include("ComponentPartsHero.title: String cannot represent");
    expect(await refused("kind: huge")).to.include("ComponentPartsHero.kind");
    expect(await refused("link: { nope: 1 }")).to.include("ComponentPartsHero.link");
  });
});

describe("A target of a relation without a type", () => {
  it("says by __typename what it is", async () => {
    const target = { __type: "api::page.page", documentId: "abc" };
    expect(await write('{ about: { __typename: "Page", documentId: "abc" } }')).to.deep.equal({ about: target });
    const declared = "($id: String)";
    expect(await write('{ about: { __typename: "Page", documentId: $id } }', { id: "abc" }, declared)).to.deep.equal({
      about: target,
    });
  });

  it("is refused when it names no type or no document", async () => {
    expect((await write('{ about: { documentId: "abc" } }')) as string[]).to.match(/__typename cannot be this/);
    expect((await write('{ about: { __typename: "Page" } }')) as string[]).to.match(/documentId cannot be this/);
  });
});
