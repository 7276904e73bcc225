import { join } from "node:path";
import { expect } from "chai";
import { createPlinth, definePlugin, isPlinthError, loadProject } from "@plinth/core";
import { type ProjectFiles, writeProject } from "../../../projects.js";

const schema = (name: string) =>
  JSON.stringify({
    kind: "collectionType",
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes: { title: { type: "string" } },
  });

const load = (files: ProjectFiles, { environment = "development", variables = {} } = {}) => {
  const root = writeProject(files);
  return loadProject({ root, code: root }, { environment, variables });
};

async function failureOf(files: ProjectFiles) {
  const error = await load(files).catch((failure: unknown) => failure);
  if (isPlinthError(error)) return error;
  throw new Error("The project was loaded.", { cause: error });
}

describe("loading a project", () => {
  it("finds content-types, components and code in their folders, under their uids", async () => {
    const { app } = await load({
      "src/api/note/content-types/note/schema.json": schema("note"),
      "src/components/shared/seo.json": '{ "attributes": { "title": { "type": "string" } } }',
      "src/api/note/controllers/note.ts": "export default { find: () => 'found' };",
      "src/api/note/services/note.ts": "export default () => ({});",
      "src/api/note/policies/is-owner.ts": "export default () => true;",
      "src/middlewares/timing.ts": "export default () => (ctx, next) => next();",
      "src/api/note/routes/note.ts": 'export default [{ method: "GET", path: "/x", handler: "note.find" }];',
    });
    expect(app?.contentTypes).to.have.all.keys("api::note.note");
    expect(app?.components).to.have.all.keys("shared.seo");
    expect(app?.controllers).to.have.all.keys("api::note.note");
    expect(app?.services?.map(({ uid }) => uid)).to.deep.equal(["api::note.note"]);
    expect(app?.policies).to.have.all.keys("api::note.is-owner");
    expect(app?.middlewares).to.have.all.keys("global::timing");
    expect(app?.routes).to.have.all.keys("api::note.note-1");
  });

  it("lays the configuration of the environment over the common one, key by key", async () => {
    const files = {
      "config/server.ts": 'export default ({ env }) => ({ host: env("HOST", "127.0.0.1"), port: 1337 });',
      "config/env/production/server.ts": "export default async () => ({ port: 80 });",
    };
    const production = await load(files, { environment: "production", variables: { HOST: "0.0.0.0" } });
    expect(production.config).to.deep.equal({ server: { host: "0.0.0.0", port: 80 } });
    const development = await load(files);
    expect(development.config).to.deep.equal({ server: { host: "127.0.0.1", port: 1337 } });
  });

  it("takes plugins of src/plugins by themselves, with their parts, and leaves out what is not enabled", async () => {
    const { plugins, pluginConfigs } = await load({
      "config/plugins.ts": "export default { bookmarks: { config: { limit: 3 } }, unused: false };",
      "src/plugins/bookmarks/index.ts":
        'import { definePlugin } from "@plinth/core";\nexport default definePlugin({ name: "bookmarks" });',
      "src/plugins/bookmarks/policies/is-owner.ts": "export default () => true;",
      "src/plugins/parts-only/content-types/tag/schema.json": schema("tag"),
      "src/plugins/unused/index.ts": "throw new Error('loaded all the same');",
    });
    expect(plugins.map(({ name }) => name)).to.deep.equal(["bookmarks", "parts-only"]);
    expect(plugins[0]?.definition.policies).to.have.all.keys("plugin::bookmarks.is-owner");
    expect(plugins[1]?.definition.contentTypes).to.have.all.keys("plugin::parts-only.tag");
    expect(pluginConfigs).to.deep.equal({ bookmarks: { limit: 3 } });
  });

  it("takes a plugin that is a package at its word, which counts wherever the package is", async () => {
    const { plugins } = await load({
      "src/plugins/maps/package.json": '{ "name": "plinth-plugin-maps", "type": "module" }',
      "src/plugins/maps/src/index.ts":
        'import { definePlugin } from "@plinth/core";\nexport default definePlugin({ name: "maps", policies: { one: () => true } });',
      "src/plugins/maps/src/policies/two.ts": "export const two = () => true;",
    });
    expect(plugins.map(({ name }) => name)).to.deep.equal(["maps"]);
    expect(plugins[0]?.definition.policies).to.have.all.keys("one");
  });

  it("refuses a folder that holds no project", async () => {
    expect(await failureOf({ "readme.txt": "nothing" })).to.include({ code: "PLINTH_PROJECT_NOT_FOUND" });
  });

  for (const [what, files, code, file] of [
    [
      "a schema that is not JSON",
      { "src/api/note/content-types/note/schema.json": "{ kind: 1 }" },
      "PLINTH_PROJECT_JSON_INVALID",
      join("content-types", "note", "schema.json"),
    ],
    [
      "a file that throws when it is imported",
      { "config/server.ts": "throw new Error('no server today');" },
      "PLINTH_PROJECT_MODULE_FAILED",
      "no server today",
    ],
    [
      "a file without the default export that its place asks for",
      { "src/policies/is-owner.ts": "export const isOwner = () => true;" },
      "PLINTH_PROJECT_MODULE_EXPORT",
      join("policies", "is-owner.ts"),
    ],
    [
      "a configuration that is not an object",
      { "config/server.ts": "export default 'localhost';" },
      "PLINTH_PROJECT_MODULE_EXPORT",
      join("config", "server.ts"),
    ],
    [
      "a plugin whose package is not installed",
      { "config/plugins.ts": 'export default { maps: { resolve: "plinth-plugin-maps" } };' },
      "PLINTH_PROJECT_PLUGIN_UNRESOLVED",
      "plinth-plugin-maps",
    ],
    [
      "a plugin whose folder is missing",
      { "config/plugins.ts": 'export default { maps: { resolve: "./maps" } };' },
      "PLINTH_PROJECT_PLUGIN_UNRESOLVED",
      "./maps",
    ],
    [
      "a plugin whose package has no default among its exports",
      {
        "package.json": '{ "name": "maps", "type": "module", "exports": { "browser": "./maps.js" } }',
        "config/plugins.ts": 'export default { maps: { resolve: "maps" } };',
      },
      "PLINTH_PROJECT_PLUGIN_UNRESOLVED",
      'the "default" of its exports',
    ],
    [
      "a plugin that is a package without an index",
      { "src/plugins/maps/package.json": "{}", "src/plugins/maps/src/maps.ts": "export default 1;" },
      "PLINTH_PROJECT_PLUGIN_UNRESOLVED",
      join("maps", "src"),
    ],
    [
      "a package that is not a plugin",
      { "config/plugins.ts": 'export default { maps: { resolve: "chai" } };' },
      "PLINTH_PROJECT_PLUGIN_UNRESOLVED",
      "definePlugin",
    ],
  ] as const) {
    it(`refuses ${what}, and says where`, async () => {
      const failure = await failureOf(files);
      expect(failure.code).to.equal(code);
      expect(failure.message).to.include(file);
    });
  }

  it("says which files and folders nothing would read, all at once", async () => {
    const failure = await failureOf({
      "src/api/note/content-type/note/schema.json": schema("note"),
      "src/api/page/content-types/page/schem.json": schema("page"),
      "src/api/page/content-types/other.json": schema("other"),
      "src/api/page/controlers/page.ts": "export default {};",
      "src/component/seo.json": "{}",
      "src/components/seo.json": '{ "attributes": {} }',
      "src/api/page/mails/hello.ts": "export default 1;",
    });
    expect(failure.code).to.equal("PLINTH_PROJECT_UNREAD");
    const { problems } = failure.details as { problems: readonly { path: string; message: string }[] };
    expect(problems.map(({ path, message }) => `${path} ${message}`)).to.have.members([
      'src/component is not read. Did you mean "components"?',
      "src/components/seo.json is not read. Move it into the folder of its category.",
      'src/api/note/content-type is not read. Did you mean "content-types"?',
      "src/api/page/content-types/page has no schema.json.",
      "src/api/page/content-types/other.json is not read. Move it to other/schema.json.",
      'src/api/page/controlers is not read. Did you mean "controllers"?',
    ]);
  });

  it("refuses an entry of config/plugins with unknown keys, and a plugin under another name than its own", async () => {
    const entry = await failureOf({ "config/plugins.ts": "export default { graphql: { depthLimit: 5 } };" });
    expect(entry.message).to.contain("plugins.graphql.depthLimit is not known. Known: enabled, resolve, config.");
    const named = await failureOf({
      "src/plugins/marks/index.ts":
        'import { definePlugin } from "@plinth/core";\nexport default definePlugin({ name: "bookmarks" });',
    });
    expect(named.code).to.equal("PLINTH_PROJECT_PLUGIN_NAME");
    expect(named.message).to.contain('"bookmarks" is listed or kept in a folder as "marks"');
  });
});

describe("src/extensions of a project", () => {
  const extension = "src/extensions/notes/content-types/note/schema.json";
  const files = (content: object) => ({ "config/server.json": "{}", [extension]: JSON.stringify(content) });

  it("adds attributes to a content-type of a plugin, beside what the app registers itself", async () => {
    const { app } = await load(files({ attributes: { mood: { type: "string" } } }));
    const notes = definePlugin({
      name: "notes",
      contentTypes: { note: { ...JSON.parse(schema("note")), attributes: { text: { type: "text" } } } },
    });
    const plinth = createPlinth({ root: ".", plugins: [notes], ...(app === undefined ? {} : { app }) });
    plinth.declareModel();
    const note = plinth.app.registry("content-type").get("plugin::notes.note");
    expect(note.attributes).to.deep.equal({ text: { type: "text" }, mood: { type: "string" } });
  });

  it("are refused where they say anything but attributes", async () => {
    for (const content of [{ kind: "collectionType", attributes: {} }, { attributes: [] }, {}])
      expect(await failureOf(files(content))).to.include({ code: "PLINTH_PROJECT_MODULE_EXPORT" });
  });
});
