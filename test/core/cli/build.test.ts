import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { writeProject } from "../../projects.js";
import { runPlinth } from "./plinth-command.js";

const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: "ES2023",
    module: "NodeNext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    rootDir: ".",
    outDir: "dist",
  },
  include: ["config", "src"],
});

/** A plugin that makes a page of a file of the app, when it is built. */
const PAGES = `
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterBuild, definePlugin } from "@plinth/core";

export default definePlugin({
  name: "pages",
  register({ app, on }) {
    on(afterBuild, async ({ root, directory, say }) => {
      if (app.root !== root) throw new TypeError(app.root);
      const page = await readFile(join(root, "src/page.html"), "utf8");
      if (page === "broken") throw new TypeError("the page is broken");
      await writeFile(join(directory, "page.html"), page.toUpperCase());
      say("built the page");
    });
  },
});
`;

const files = {
  "package.json": '{ "type": "module" }',
  "tsconfig.json": TSCONFIG,
  "src/plugins/pages/index.ts": PAGES,
  "src/page.html": "hello",
};

describe("plinth build", () => {
  it("lets plugins add what they make of the files of a project, without starting the app", async () => {
    const cwd = writeProject(files);
    const { code, stderr, stdout } = await runPlinth(["build"], { cwd });
    expect(code, stdout + stderr).to.equal(0);
    expect(stderr).to.include("built the page");
    expect(readFileSync(join(cwd, "dist/page.html"), "utf8")).to.equal("HELLO");
  });

  it("fails where a plugin fails, and names it", async () => {
    const cwd = writeProject({ ...files, "src/page.html": "broken" });
    const { code, stderr } = await runPlinth(["build"], { cwd });
    expect(stderr).to.include("the page is broken").and.include("pages").and.include("app:afterBuild");
    expect(code).to.equal(1);
  });

  it("says that the part of plugins is left out where the variables of the configuration are not known", async () => {
    const config =
      'export default ({ env }: { env: (name: string) => string }) => ({ client: "postgres", connection: env("SECRET_URL") });';
    const cwd = writeProject({ ...files, "config/database.ts": config });
    const { code, stderr } = await runPlinth(["build"], { cwd });
    expect(stderr).to.include("what plugins add to a build is left out").and.include("SECRET_URL");
    expect(code, stderr).to.equal(0);
    const built = await runPlinth(["build"], { cwd, env: { SECRET_URL: "postgres://127.0.0.1/none" } });
    expect(built.stderr).to.include("built the page");
  });
});
