import { createPlinth } from "@plinth/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import { pino } from "pino";
import { SchemaSet } from "#plugins/openapi/src/schemas/schema-set.js";

const uidOf = (index: number) => `api::thing${index}.thing${index}`;

/** A content-type that leads to the next; the last leads to the first. */
const typeOf = (index: number, count: number) => ({
  kind: "collectionType" as const,
  info: { singularName: `thing${index}`, pluralName: `things${index}`, displayName: `Thing ${index}` },
  attributes: { next: { type: "relation", relation: "manyToOne", target: uidOf((index + 1) % count) } },
});

function setOf(count: number): SchemaSet {
  const types = Array.from({ length: count }, (_, index) => [uidOf(index), typeOf(index, count)] as const);
  const app = { contentTypes: Object.fromEntries(types) };
  const plinth = createPlinth({ root: import.meta.dirname, plugins: [], app, log: pino({ level: "silent" }) });
  return new SchemaSet(plinth.declareModel());
}

describe("the schemas of an OpenAPI document", () => {
  it("are those that something names, and those that these name", () => {
    const schemas = setOf(3);
    expect(schemas.all()).to.deep.equal({});
    expect(schemas.resolve({ type: "array", items: { $ref: uidOf(1) } })).to.deep.equal({
      type: "array",
      items: { $ref: "#/components/schemas/Thing1" },
    });
    expect(Object.keys(schemas.all())).to.deep.equal(["Thing0", "Thing1", "Thing2"]);
  });

  it("may name each other in long chains", () => {
    const schemas = setOf(1500);
    schemas.resolve({ $ref: uidOf(0) });
    expect(Object.keys(schemas.all())).to.have.length(1500);
  });

  it("allow everything where the content model has nothing of that name", () => {
    const schemas = setOf(1);
    schemas.resolve({ $ref: "plugin::upload.file" });
    expect(schemas.all()).to.deep.equal({ UploadFile: {} });
  });

  it("let a list be asked what some, none or every entry of it fulfils, and what one fulfils", () => {
    const size = { attributes: { width: { type: "integer" } } };
    const attributes = {
      others: { type: "relation", relation: "manyToMany", target: "api::shop.shop" },
      owner: { type: "relation", relation: "manyToOne", target: "api::shop.shop" },
      sizes: { type: "component", component: "parts.size", repeatable: true },
    };
    const shop = { info: { singularName: "shop", pluralName: "shops", displayName: "Shop" }, attributes };
    const app = { contentTypes: { "api::shop.shop": shop }, components: { "parts.size": size } };
    const plinth = createPlinth({ root: import.meta.dirname, plugins: [], app, log: pino({ level: "silent" }) });
    const schemas = new SchemaSet(plinth.declareModel());
    const root = schemas.resolve({ $ref: "api::shop.shop#filters" });
    const ajv = new Ajv2020({ strict: false });
    const accepts = ajv.compile({ ...Object(root), components: { schemas: schemas.all() } });
    const valid = [
      ...[{ others: { $none: { id: { $gt: 1 } }, documentId: "a" } }, { others: { $every: ["a", "b"] } }],
      ...[{ sizes: { $some: { width: 3 } } }, { owner: { others: { $none: "a" } } }],
    ];
    const invalid = [
      ...[{ $none: { id: 1 } }, { owner: { $none: { id: 1 } } }, { sizes: { $some: "a" } }],
      ...[{ others: { $none: { nope: 1 } } }, { others: { $and: [{ $none: { id: 1 } }] } }],
    ];
    for (const filters of valid) expect(accepts(filters), JSON.stringify(filters)).to.equal(true);
    for (const filters of invalid) expect(accepts(filters), JSON.stringify(filters)).to.equal(false);
  });

  it("have different names even for uids that look alike", () => {
    const schemas = setOf(1);
    for (const $ref of ["shop.thing", "api::shop.thing-component"]) schemas.resolve({ $ref });
    expect(Object.keys(schemas.all())).to.deep.equal(["ShopThingComponent", "ShopThingComponent2"]);
  });
});
