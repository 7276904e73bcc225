import { camelCase } from "../../base/case.js";

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

  it("greets the name in the path, as configured", async () => {
    const { status, body } = await test.public.get("/api/${name}/greetings/Ada");
    expect([status, body.data]).to.deep.equal([200, { text: "Good day, Ada!" }]);
  });

  it("rejects an empty name", async () => {
    const { status, body } = await test.public.get("/api/${name}/greetings/%20");
    expect([status, body.error.message]).to.deep.equal([400, '" " is not a name; write one.']);
  });

  it("greets for other code", () => {
    expect(test.app.service(greetings).greet("Grace")).to.equal("Good day, Grace!");
  });

  it("does not start with an option that it does not know", async () => {
    const failure = await createTestApp({
      plugins: [${camelCase(name)}Plugin],
      pluginConfigs: { "${name}": { greting: "Hi" } },
    }).catch((error: unknown) => error);
    expect(String(failure)).to.include('greting is not known. Did you mean "greeting"?');
  });
});
`;

/** The page of documentation of a new plugin. @param more - what stands before the part on publishing */
export const pluginReadme = (name: string, more = ""): string => `# ${name}

A plugin for Plinth that greets by name. In this app it is found by its folder; \`config/plugins.ts\` configures it, or
switches it off with \`false\`:

    "${name}": { config: { greeting: "Good day" } },

Try it:

    curl http://127.0.0.1:1337/api/${name}/greetings/Ada

## Where things are

| file | what |
|---|---|
| src/index.ts | the plugin: all that it is |
| src/contract.ts | what others may use: types and refs |
| src/config.ts | its part of config/plugins: checks and defaults |
| src/errors.ts | what can go wrong, with cause and remedy |
| src/services/, src/controllers/, src/routes.ts | one thing a file |
| src/*.test.ts | its tests; \`npm test\` here, or in the app for all of them |

What else a plugin can do: extend content-types, wrap services, take part in hooks, grant permissions, add to GraphQL and to the
command line. Each is a field of \`definePlugin\` or a verb of its \`register\`.
${more}
## Publish it

The folder is a package. Give it a name and a version in package.json, then \`npm publish\`. An app that installs it names it in one
line of config/plugins:

    "${name}": { resolve: "plinth-plugin-${name}" },

To go on with it outside of this app, move the folder and run \`npm install\` in it.
`;
