import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { bundlePackage } from "../../scripts/bundle-packages.mjs";

const exports = {
  ".": { "plinth-source": "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" },
  "./till": {
    "plinth-source": "./src/entry/till.ts",
    types: "./dist/entry/till.d.ts",
    default: "./dist/entry/till.js",
  },
  "./package.json": "./package.json",
  "./src/*": { "plinth-source": "./src/*" },
};
const SOURCES = {
  "package.json": JSON.stringify({ name: "shop", type: "module", exports }),
  "src/index.ts": `
    import { coins, place } from "./coins.js";
    export { coins, place };
    export const report = async (): Promise<string> => (await import("./report.js")).text;`,
  "src/entry/till.ts": 'export { coins } from "../coins.js";',
  "src/coins.ts": `
    import { join } from "node:path";
    export const coins: number[] = [];
    export const place = join("a", "b");`,
  "src/report.ts": 'import { coins } from "./coins.js";\nexport const text = `${coins.length} coins`;',
  "src/work/worker.ts": 'import { coins } from "../coins.js";\ncoins.push(1);',
};

describe("a bundled package", () => {
  let folder = "";
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const bundle = () => bundlePackage(folder, { others: ["src/work/worker.ts"] });
  const code = () =>
    (readdirSync(join(folder, "dist"), { recursive: true }) as string[])
      .map((path) => path.replaceAll("\\", "/"))
      .filter((path) => path.endsWith(".js"));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "plinth-bundled-"));
    for (const [path, text] of Object.entries(SOURCES)) write(path, text);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("has a file for each entry, and in them one of each value", async () => {
    await bundle();
    const names = code();
    expect(names.filter((name) => !name.startsWith("chunks/"))).to.have.members([
      "index.js",
      "entry/till.js",
      "work/worker.js",
    ]);
    const load = (name: string) =>
      import(pathToFileURL(join(folder, "dist", name)).href) as Promise<{ coins: number[] }>;
    expect((await load("index.js")).coins).to.equal((await load("entry/till.js")).coins);
  });

  it("loads what it imports by `import()` then, from a file of its own", async () => {
    await bundle();
    const lazy = code().filter((name) => readFileSync(join(folder, "dist", name), "utf8").includes("${coins.length}"));
    expect(lazy).to.have.length(1);
    expect(lazy[0]).to.match(/^chunks\//);
    const url = pathToFileURL(join(folder, "dist", "index.js")).href;
    const loaded = (await import(url)) as { readonly report: () => Promise<string> };
    expect(await loaded.report()).to.equal("0 coins");
  });

  it("is bundled again when a source has changed, and not before", async () => {
    expect(await bundle()).to.equal(true);
    expect(await bundle()).to.equal(false);
    write("src/coins.ts", 'export const coins = [1];\nexport const place = "";');
    expect(await bundle()).to.equal(true);
    rmSync(join(folder, "dist", "entry"), { recursive: true });
    expect(await bundle()).to.equal(true);
  });

  it("has the parts of a package that is named in it, with its licence, and leaves others to node", async () => {
    const place = "node_modules/coins-of-the-world";
    write(
      `${place}/package.json`,
      JSON.stringify({ name: "coins-of-the-world", version: "1.2.3", license: "MIT", main: "i.js" }),
    );
    write(`${place}/LICENSE`, "Whoever gets a copy may use it.");
    write(`${place}/i.js`, 'export const euro = "a coin of the world";');
    write(
      "src/index.ts",
      'export const euro = async () => (await import("coins-of-the-world")).euro;\nexport * from "elsewhere";',
    );
    await bundlePackage(folder, { bundled: ["coins-of-the-world"] });
    const read = (name: string) => readFileSync(join(folder, "dist", name), "utf8");
    const lazy = code().filter((name) => read(name).includes("a coin of the world"));
    expect(lazy).to.have.length(1);
    expect(lazy[0]).to.match(/^chunks\//);
    expect(read("index.js")).to.include('from "elsewhere"');
    expect(read("licenses.md")).to.include("coins-of-the-world 1.2.3 (MIT)").and.to.include("may use it");
  });

  it("leaves no code of earlier builds, and all that is not code or not of the package's sources", async () => {
    const kept = ["dist/index.d.ts", "dist/client/main.js", "dist/template/src/index.js"];
    const removed = ["dist/coins.js", "dist/coins.js.map", "dist/chunks/old-ABC.js"];
    for (const path of [...kept, ...removed]) write(path, "");
    await bundle();
    const isThere = (path: string) => existsSync(join(folder, path));
    expect(kept.filter(isThere)).to.deep.equal(kept);
    expect(removed.filter(isThere)).to.deep.equal([]);
  });
});
