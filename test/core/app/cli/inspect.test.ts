import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { PATIENCE, runPlinth, scaffoldedApp } from "./plinth-command.js";

describe("plinth routes, plugins, hooks and permissions", function () {
  this.timeout(PATIENCE);
  const cwd = scaffoldedApp();

  it("lists every route in aligned columns, without touching the configured database", async () => {
    const { code, stdout } = await runPlinth(["routes"], { cwd });
    expect(code).to.equal(0);
    const lines = stdout.split("\n");
    const column = lines[0]?.indexOf("ACTION") ?? -1;
    const find = lines.find((line) => /^GET +\/api\/articles +/.test(line));
    expect(find?.slice(column)).to.match(/^api::article\.article\.find +plugin::content-api$/);
    expect(existsSync(join(cwd, ".plinth"))).to.equal(false);
  });

  it("lists plugins in order, with the reason and the time of each phase", async () => {
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

  it("lists what config/permissions grants to roles", async () => {
    writeFileSync(join(cwd, "config", "permissions.ts"), 'export default { guest: ["api::article.*"] };');
    const { stdout } = await runPlinth(["permissions", "--json", "--role", "guest"], { cwd });
    expect(JSON.parse(stdout)).to.deep.equal([{ role: "guest", action: "api::article.*", source: "code" }]);
  });
});
