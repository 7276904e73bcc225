import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "chai";
import { checkPackages, isPlaceholder, publishedFolders, writePackages } from "../../scripts/check-packages.mjs";

const ROOT = resolve(import.meta.dirname, "../..");

describe("check-packages", () => {
  let root = "";

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "plinth-packages-"));
    for (const name of ["package.json", "LICENSE"]) cpSync(join(ROOT, name), join(root, name));
    for (const folder of publishedFolders(ROOT)) {
      mkdirSync(join(root, folder), { recursive: true });
      for (const name of ["package.json", "LICENSE"]) cpSync(join(ROOT, folder, name), join(root, folder, name));
    }
  });

  afterEach(() => rmSync(root, { recursive: true }));

  const manifestOf = (folder: string): Record<string, unknown> =>
    JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

  const change = (folder: string, fields: object) =>
    writeFileSync(join(root, folder, "package.json"), JSON.stringify({ ...manifestOf(folder), ...fields }));

  it("has nothing to say about the packages of this repository", () => {
    expect(checkPackages(root)).to.deep.equal([]);
    expect(publishedFolders(root)).to.include.members(["core", "plugins/graphql", "plugins/upload-s3"]);
  });

  it("finds a licence that is missing or differs, and writes it", () => {
    rmSync(join(root, "core/LICENSE"));
    writeFileSync(join(root, "plugins/graphql/LICENSE"), "all rights reserved");
    expect(checkPackages(root).map((line) => line.split(":")[0])).to.have.members([
      "core/LICENSE",
      "plugins/graphql/LICENSE",
    ]);
    writePackages(root);
    expect(checkPackages(root)).to.deep.equal([]);
  });

  it("finds fields that are missing, and those that the root decides otherwise", () => {
    change("plugins/i18n", { keywords: undefined, description: undefined, engines: { node: ">=1" } });
    expect(checkPackages(root).join("\n"))
      .to.match(/i18n\/package\.json: has no description/)
      .and.match(/i18n\/package\.json: has fewer than 3 keywords/)
      .and.match(/i18n\/package\.json: engines is not what/);
  });

  it("finds a package of ours that would be installed twice, and a range that its version has left", () => {
    change("plugins/graphql", { dependencies: { "@plinth/core": "0.1.0" } });
    change("plugins/i18n", { peerDependencies: { "@plinth/core": "^0.0.9", koa: "^3.0.0" } });
    expect(checkPackages(root).join("\n"))
      .to.match(/graphql\/package\.json: @plinth\/core is a dependency/)
      .and.match(/i18n\/package\.json: peerDependencies is not what/);
    writePackages(root);
    const { version, peerDependencies } = manifestOf("plugins/i18n");
    expect(peerDependencies).to.deep.equal({ "@plinth/core": `^${version}`, koa: "^3.0.0" });
  });

  it("takes addresses from the root, where a placeholder is known as one", () => {
    change(".", { repository: { type: "git", url: "git+https://repository.invalid/plinth.git" } });
    expect(isPlaceholder(root)).to.equal(true);
    change(".", { repository: { type: "git", url: "git+https://example.org/team/plinth.git" } });
    expect(isPlaceholder(root)).to.equal(false);
    expect(checkPackages(root)).to.have.length(3 * publishedFolders(root).length);
    writePackages(root);
    expect(manifestOf("plugins/i18n")).to.deep.include({
      homepage: "https://example.org/team/plinth/tree/main/plugins/i18n#readme",
      bugs: { url: "https://example.org/team/plinth/issues" },
      repository: { type: "git", url: "git+https://example.org/team/plinth.git", directory: "plugins/i18n" },
    });
  });
});
