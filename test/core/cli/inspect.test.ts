import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { declareProject } from "#core/cli/inspect.js";
import { codeFormOf, loadSetup } from "#core/cli/load-setup.js";
import { databaseVariables, serverDatabase } from "../../databases.js";
import { runPlinth, scaffoldedApp } from "./plinth-command.js";

describe("plinth routes, plugins, hooks, schema, permissions and doctor", () => {
  const cwd = scaffoldedApp();
  /** Of commands that look at the configured database. */
  const env = databaseVariables(serverDatabase());

  it("lists every route in aligned columns, without touching the configured database", async () => {
    const { code, stdout } = await runPlinth(["routes"], { cwd });
    expect(code).to.equal(0);
    const lines = stdout.split("\n");
    const column = lines[0]?.indexOf("ACTION") ?? -1;
    const find = lines.find((line) => /^GET +\/api\/articles +/.test(line));
    expect(find?.slice(column)).to.match(/^api::article\.article\.find +plugin::content-api$/);
    expect(existsSync(join(cwd, ".plinth"))).to.equal(false);
  });

  it("gives routes as JSON, with owner and action", async () => {
    const { stdout } = await runPlinth(["routes", "--json"], { cwd });
    const routes = JSON.parse(stdout) as { method: string; path: string }[];
    expect(routes.find(({ method, path }) => method === "GET" && path === "/api/articles")).to.include({
      owner: "plugin::content-api",
      action: "api::article.article.find",
    });
  });

  it("lists plugins in a table that says why each stands where it does", async () => {
    const { stdout } = await runPlinth(["plugins"], { cwd });
    expect(stdout).to.match(/^ +PLUGIN +WHY HERE +DECLARE +REGISTER +BOOTSTRAP$/m);
    expect(stdout).to.match(/^\d+ +users-permissions +after api-tokens\b.* +[\d.]+ +[\d.]+ +[\d.]+$/m);
    expect(stdout).to.match(/^Milliseconds\. Besides: seal [\d.]+, sync [\d.]+/m);
  });

  it("gives plugins as JSON, in order, with the reason and the time of each phase", async () => {
    const { stdout } = await runPlinth(["plugins", "--json"], { cwd });
    const { plugins } = JSON.parse(stdout) as { plugins: { name: string; after: string[]; ms: object }[] };
    expect(plugins.map(({ name }) => name)).to.include("content-api");
    expect(plugins.at(-1)?.name).to.equal("app");
    expect(plugins.at(-1)?.after).to.include("content-api");
    expect(plugins[0]?.ms).to.have.all.keys("declare", "register", "bootstrap");
  });

  it("lists hooks with their kind and listeners", async () => {
    const { stdout } = await runPlinth(["hooks"], { cwd });
    expect(stdout).to.match(/^documents:beforePublish +series +- +Before a document/m);
  });

  it("gives hooks as JSON, with their listeners in order", async () => {
    const { stdout } = await runPlinth(["hooks", "--json"], { cwd });
    const hooks = JSON.parse(stdout) as { name: string; kind: string; taps: string[] }[];
    const afterCreate = hooks.find(({ name }) => name === "documents:afterCreate");
    expect(afterCreate?.kind).to.equal("series");
    expect(afterCreate?.taps).to.include("users-permissions");
  });

  it("lists content-types, components and their attributes, without a database", async () => {
    const { stdout } = await runPlinth(["schema"], { cwd });
    expect(stdout).to.match(/^api::article\.article +collectionType +articles +yes +-$/m);
    expect(stdout).to.match(/^shared\.seo +component +- +- +-$/m);
    expect(stdout).to.match(/^api::article\.article +title +string +required$/m);
    expect(stdout).to.match(/^api::article\.article +author +relation +one of api::author\.author$/m);
    expect(stdout).to.match(/^api::article\.article +kind +enumeration +news \| opinion \| tutorial, default "news"$/m);
  });

  it("gives one content-type as JSON", async () => {
    const { stdout } = await runPlinth(["schema", "api::category.category", "--json"], { cwd });
    const [type, ...others] = JSON.parse(stdout) as { attributes: { name: string }[] }[];
    expect(others).to.deep.equal([]);
    expect(type).to.include({ uid: "api::category.category", isLocalized: true });
    expect(type?.attributes.map(({ name }) => name)).to.include("parent");
  });

  it("says which content-type or command of the schema was meant", async () => {
    const { code, stderr } = await runPlinth(["schema", "api::artcle.article"], { cwd });
    expect(code).to.equal(1);
    expect(stderr).to.include("PLINTH_CLI_TYPE_UNKNOWN").and.include('Did you mean "api::article.article"?');
    expect((await runPlinth(["schema", "aply"], { cwd })).stderr).to.include('Did you mean "apply"?');
  });

  it("lists who may do what in a table", async () => {
    const { stdout } = await runPlinth(["permissions"], { cwd, env });
    expect(stdout).to.match(/^ROLE +ACTION +FROM +ROWS +FIELDS +SETS$/m);
    expect(stdout).to.match(/^public +\S+ +(code|database) +all +all +nothing$/m);
  });

  it("examines the database, as a table and as JSON", async () => {
    const { code, stdout, stderr } = await runPlinth(["doctor"], { cwd, env });
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^(WEIGHT +FOUND +WHERE +WHAT, AND WHAT TO DO|No problems found\.)$/m);
    const json = await runPlinth(["doctor", "--json"], { cwd, env });
    expect(JSON.parse(json.stdout)).to.have.property("findings").that.is.an("array");
  });

  it("ends with 1 where what doctor finds is grave", async () => {
    // With variables of its own: secrets of this app's .env would be those of all commands that this process runs later.
    const read = () => loadSetup(cwd, codeFormOf(cwd), { ...process.env });
    const project = declareProject(await read(), { reload: read });
    const text = `insert into plinth_deltas ("table", is_draft, locale, rows) values ('articles', false, '', 7)`;
    await project.withApp(({ db }) => db.query({ text, values: [] }));
    const { code, stdout } = await runPlinth(["doctor"], { cwd });
    expect([code, stdout]).to.satisfy(
      ([ended, shown]: [number, string]) => ended === 1 && /^error +wrong total +api::article\.article /m.test(shown),
      stdout,
    );
  });

  it("gives what config/permissions grants to roles as JSON", async () => {
    writeFileSync(join(cwd, "config", "permissions.ts"), 'export default { guest: ["api::article.*"] };');
    const { stdout } = await runPlinth(["permissions", "--json", "--role", "guest"], { cwd, env });
    expect(JSON.parse(stdout)).to.deep.equal([{ role: "guest", action: "api::article.*", source: "code" }]);
  });
});
