import { camelCase } from "../../../base/case.js";

/** The tests of a new plugin: an app that has nothing else, its route, its configuration, its service. */
export const pluginTest = (name: string): string => `import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { greetings, ${camelCase(name)}Plugin } from "./index.js";

describe("the plugin ${name}", () => {
  let test: TestApp;

  before(async () => {
    test = await createTestApp({
      plugins: [${camelCase(name)}Plugin],
      pluginConfigs: { "${name}": { greeting: "Good day" } },
    });
  });

  after(() => test?.stop());

  it("greets whom the path names, as it is configured", async () => {
    const { status, body } = await test.public.get("/api/${name}/greetings/Ada");
    expect([status, body.data]).to.deep.equal([200, { text: "Good day, Ada!" }]);
  });

  it("refuses to greet nobody", async () => {
    const { status, body } = await test.public.get("/api/${name}/greetings/%20");
    expect([status, body.error.message]).to.deep.equal([400, '" " names nobody; write a name.']);
  });

  it("greets for other code", () => {
    expect(test.app.service(greetings).greet("Grace")).to.equal("Good day, Grace!");
  });

  it("does not start with an option that it does not know", async () => {
    const failure = await createTestApp({
      plugins: [${camelCase(name)}Plugin],
      pluginConfigs: { "${name}": { greting: "Hi" } },
    }).catch((error: unknown) => error);
    expect(String(failure)).to.include("unknown options: greting");
  });
});
`;
