import { expect } from "chai";
import { parseGraphqlConfig } from "#plugins/graphql/src/config.js";

describe("the configuration of graphql", () => {
  it("is the documented one where nothing is said", () => {
    const { endpoint, shadowCRUD, depthLimit, amountLimit, defaultLimit, maxLimit } = parseGraphqlConfig(undefined);
    expect({ endpoint, shadowCRUD, depthLimit, amountLimit, defaultLimit, maxLimit }).to.deep.equal({
      endpoint: "/graphql",
      shadowCRUD: true,
      depthLimit: 10,
      amountLimit: 100,
      defaultLimit: 10,
      maxLimit: -1,
    });
  });

  it("takes what is said in place of it", () => {
    const landingPage = () => false;
    const config = parseGraphqlConfig({ endpoint: "/api/graphql", depthLimit: 5, landingPage, maxLimit: undefined });
    expect(config).to.include({ endpoint: "/api/graphql", depthLimit: 5, landingPage, maxLimit: -1 });
  });

  it("refuses options that do not exist or cannot be, all at once", () => {
    const raw = {
      endpont: "/g",
      depthLimit: 0,
      maxLimit: -2,
      landingPage: "yes",
      endpoint: "graphql",
      apolloServer: [],
    };
    const refused = () => parseGraphqlConfig(raw);
    expect(refused).to.throw().with.property("code", "PLINTH_GRAPHQL_CONFIG_INVALID");
    expect(refused).to.throw('endpont is not known. Did you mean "endpoint"? Known: endpoint, shadowCRUD');
    expect(refused).to.throw("depthLimit must be a whole number from 1, and is 0");
    expect(refused).to.throw("maxLimit must be -1 or a whole number from 1, and is -2");
    expect(refused).to.throw('landingPage must be true, false or a function, and is "yes"');
    expect(refused).to.throw('endpoint must be a path such as /graphql, and is "graphql"');
    expect(refused).to.throw("apolloServer must be an object");
    expect(() => parseGraphqlConfig([])).to.throw("it must be an object");
  });
});
