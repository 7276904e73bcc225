import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { preloadPlugins } from "#core/cli/load-setup.js";

const LOADED = "plinthTestLoaded";

/** The files of a package that says when it is imported. */
function packageFiles(name: string, file: object, code = `globalThis.${LOADED}.push("${name}");`) {
  return {
    [`node_modules/${name}/package.json`]: JSON.stringify({ name, type: "module", main: "index.js", ...file }),
    [`node_modules/${name}/index.js`]: code,
  };
}

describe("the plugins that a project depends on", () => {
  const loaded: string[] = [];
  let root: string;
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "plinth-preload-"));
    Object.assign(globalThis, { [LOADED]: loaded });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it("are imported beforehand, without other packages, and a broken or missing one is left for later", async () => {
    const peerDependencies = { "@plinth/core": "*" };
    write({
      "package.json": JSON.stringify({ dependencies: { good: "*", other: "*", broken: "*", missing: "*" } }),
      ...packageFiles("good", { peerDependencies }),
      ...packageFiles("other", {}),
      ...packageFiles("broken", { peerDependencies }, "throw new Error('broken');"),
    });
    await preloadPlugins(root);
    expect(loaded).to.deep.equal(["good"]);
  });

  it("are none where the project has no package.json", async () => {
    await preloadPlugins(root);
    write({ "package.json": "{" });
    const failure = await preloadPlugins(root).catch((error: unknown) => error);
    expect(failure).to.include({ code: "PLINTH_PROJECT_JSON_INVALID" });
  });
});
