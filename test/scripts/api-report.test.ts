import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { reportOf } from "../../scripts/api-report.mjs";

describe("the API report", () => {
  let folder = "";

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "plinth-api-"));
    mkdirSync(join(folder, "dist"));
    const exports = { ".": { types: "./dist/index.d.ts" }, "./tools": { types: "./dist/tools.d.ts" } };
    write("package.json", JSON.stringify({ name: "shop", exports }));
    write("dist/index.d.ts", 'export { open } from "./shop.js";\nexport { Shop as Store } from "./shop.js";\n');
    write("dist/tools.d.ts", 'export { Knex } from "knex";\nexport * from "./goods.js";\n');
    write(
      "dist/shop.d.ts",
      [
        'import type { Good } from "./goods.js";',
        'interface Till<Coin> { readonly coins: readonly Coin[]; readonly box: import("./box.js").Box; }',
        "/** Sells. */ export declare class Shop { #secret; private hidden; sell(good: Good): Till<number>; }",
        "export declare function open(): Shop;",
        "export declare function open(name: string): Shop;",
        'declare module "mall" { interface Shops { shop: Shop; } }',
      ].join("\n"),
    );
    write("dist/box.d.ts", "export interface Box { readonly size: number; }");
    write("dist/goods.d.ts", "export interface Good { readonly price: number; }\nexport declare const LIMIT = 3;\n");
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  const sections = () =>
    Object.fromEntries(
      reportOf(folder)
        .text.split(/^== /m)
        .slice(1)
        .map((section) => section.split(/\n(.*)/s))
        .map(([title = "", text = ""]) => [title, text.trim().replaceAll(/\s+/g, " ")]),
    );

  it("lists the names of every entry with their signatures, without what is private", () => {
    const report = sections();
    expect(report["shop: 2 names"]).to.equal(
      "// exported as Store export declare class Shop { sell(good: Good): Till<number>; } " +
        "export declare function open(): Shop; export declare function open(name: string): Shop;",
    );
    expect(report["shop/tools: 3 names"]).to.equal(
      'export interface Good { readonly price: number; } export { Knex } from "knex" export declare const LIMIT = 3;',
    );
  });

  it("lists types that signatures mention, and what is added to other packages", () => {
    const report = sections();
    expect(report["Mentioned by these, not exported"]).to.equal(
      "export interface Box { readonly size: number; } " +
        'interface Till<Coin> { readonly coins: readonly Coin[]; readonly box: import("./box.js").Box; }',
    );
    expect(report["Added to the types of other packages"]).to.equal(
      'declare module "mall" { interface Shops { shop: Shop; } }',
    );
  });

  it("changes with a signature of a type that is mentioned only", () => {
    const before = reportOf(folder).text;
    write(
      "dist/shop.d.ts",
      "interface Till { readonly empty: true }\nexport declare class Shop { till: Till }\nexport declare function open(): Shop;",
    );
    expect(before).to.not.include("readonly empty: true");
    expect(reportOf(folder).text).to.include("readonly empty: true");
  });

  it("refuses an entry of too many names", () => {
    expect(reportOf(folder).problems).to.deep.equal([]);
    write("dist/goods.d.ts", Array.from({ length: 399 }, (_, at) => `export declare const n${at}: number;`).join("\n"));
    expect(reportOf(folder).problems[0]).to.match(/^shop\/tools exports 400 names; fewer than \d+ are allowed$/);
  });
});
