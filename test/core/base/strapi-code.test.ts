import { isPlinthError, loadProject } from "@plinth/core";
import { expect } from "chai";
import { loadForTest, type ProjectFiles, startForTest, writeProject } from "../../projects.js";

const SCHEMA = JSON.stringify({
  kind: "collectionType",
  info: { singularName: "note", pluralName: "notes" },
  attributes: { title: { type: "string" } },
});

const files = (more: ProjectFiles): ProjectFiles => ({
  "src/api/note/content-types/note/schema.json": SCHEMA,
  "config/plugins.ts": "export default {};",
  ...more,
});

/** The error with the code, wherever it stands in the chain of causes; all messages of it. */
async function failureOf(more: ProjectFiles, doStart = false): Promise<{ code: string; message: string }> {
  const root = writeProject(files(more));
  try {
    if (!doStart) await loadProject({ root, code: root }, { environment: "development", variables: {} });
    else await (await startForTest(await loadForTest(root))).plinth.stop();
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      if (isPlinthError(cause) && cause.code === "PLINTH_STRAPI_CODE")
        return { code: cause.code, message: cause.message };
    throw error;
  }
  throw new Error("It was accepted.");
}

describe("code that was written for Strapi", () => {
  it("is told where `strapi` is taken when it runs, and to take `app`", async () => {
    const register = await failureOf(
      { "src/index.ts": "export default {\n  register(tools) {\n    tools['strapi'].plugin('graphql');\n  },\n};" },
      true,
    );
    expect(register.message)
      .to.match(/src\/index\.ts:\d+ uses `\{ strapi \}`/)
      .and.include("register({ app })");
    const bootstrap = await failureOf(
      { "src/index.ts": "export default { bootstrap: (tools) => tools['strapi'].db };" },
      true,
    );
    expect(bootstrap.message).to.include("`{ strapi }`");
    const service = await failureOf(
      {
        "src/api/note/services/note.ts":
          "export default (tools) => { const db = tools['strapi'].db; return { all: () => db }; };",
        "src/index.ts": "export default { bootstrap: ({ app }) => void app.service('api::note.note') };",
      },
      true,
    );
    expect(service.message).to.include("services/note.ts");
    const controller = await failureOf(
      {
        "src/api/note/controllers/note.ts":
          "export default (tools) => { const db = tools['strapi'].db; return { find: () => db }; };",
        "src/api/note/routes/note.ts": 'export default [{ method: "GET", path: "/x", handler: "note.find" }];',
      },
      true,
    );
    expect(controller.message).to.include("controllers/note.ts");
  });

  it("is told that there is no global `strapi`, when it is loaded and when it runs", async () => {
    const loaded = await failureOf({ "src/policies/open.ts": "void strapi;\nexport default () => true;" });
    expect(loaded.message)
      .to.match(/policies\/open\.ts/)
      .and.include("the global `strapi`");
    const run = await failureOf(
      { "src/index.ts": "export default { bootstrap: async () => void (await strapi) };" },
      true,
    );
    expect(run.message).to.include("the global `strapi`");
  });

  it("is told what to import in place of Strapi's factories", async () => {
    const { message } = await failureOf({
      "src/api/note/controllers/note.ts":
        'import { factories } from "@strapi/strapi";\nexport default factories.createCoreController("api::note.note");',
    });
    expect(message)
      .to.match(/controllers\/note\.ts/)
      .and.include("createCoreController")
      .and.include("plugin-content-api");
  });

  it("is told to export with `export default`", async () => {
    const { message } = await failureOf({ "config/server.js": "module.exports = ({ env }) => ({ port: 1 });" });
    expect(message)
      .to.match(/config\/server\.js/)
      .and.include("export default");
  });

  it("is told that a lifecycles file would never run", async () => {
    const { message } = await failureOf({
      "src/api/note/content-types/note/lifecycles.ts": "export default { beforeCreate(event) {} };",
    });
    expect(message)
      .to.match(/note\/lifecycles\.ts/)
      .and.include("writeHooks.create.before");
  });
});
