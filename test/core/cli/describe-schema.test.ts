import { isPlinthError } from "@plinth/core";
import { buildModel } from "@plinth/core/schema";
import { expect } from "chai";
import { describeSchema, pickShapes, schemaAsJson } from "#core/cli/describe-schema.js";
import { shopModel } from "../../types/shop-model.js";

describe("the list of content-types and components", () => {
  const model = shopModel();

  it("says of each attribute what it holds", () => {
    const lines = describeSchema(pickShapes(model, "api::product.product")).split("\n");
    const whatOf = (name: string) =>
      lines.find((line) => new RegExp(`^api::product\\.product +${name} `).test(line))?.replace(/^\S+ +\S+ +/, "");
    expect(whatOf("title")).to.match(/^string +required$/);
    expect(whatOf("state")).to.match(/^enumeration +new \| used, required$/);
    expect(whatOf("maker")).to.match(/^relation +one of api::maker\.maker, localised$/);
    expect(whatOf("subject")).to.match(/^relation +one of any type, localised$/);
    expect(whatOf("sizes")).to.match(/^component +list of shop\.size$/);
    expect(whatOf("sections")).to.match(/^dynamiczone +shop\.quote \| shop\.size$/);
  });

  it("is empty but for its heads where there is nothing", () => {
    const none = buildModel({ contentTypes: [], components: [] });
    expect(describeSchema(pickShapes(none, undefined)).split("\n")).to.have.length(3);
  });

  it("is the same as JSON", () => {
    const shapes = JSON.parse(JSON.stringify(schemaAsJson(pickShapes(model, undefined)))) as { uid: string }[];
    expect(shapes.map(({ uid }) => uid)).to.include.members(["api::product.product", "shop.size"]);
  });

  it("says which was meant where there is none of a name", () => {
    let failure: unknown;
    try {
      pickShapes(model, "api::product.prodct");
    } catch (error) {
      failure = error;
    }
    expect(isPlinthError(failure) && failure.code).to.equal("PLINTH_CLI_TYPE_UNKNOWN");
    expect((failure as Error).message).to.include('Did you mean "api::product.product"?');
  });
});
