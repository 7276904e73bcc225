import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { isPlaceholder, publishedFolders } from "../../scripts/check-packages.mjs";
import { startRegistry } from "../../scripts/local-registry.mjs";
import { stampChangelog } from "../../scripts/stamp-changelog.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

const release = (...args: string[]) =>
  run(process.execPath, ["scripts/release.mjs", ...args], { cwd: ROOT }).catch((error) => error);

describe("npm run release", () => {
  it("publishes every package to a registry of this machine, with its licence, once", async () => {
    const registry = await startRegistry();
    try {
      const first = await release("--registry", registry.url);
      expect(first.stderr, first.stderr).to.not.include("not released");
      expect(registry.tarballs.size).to.equal(publishedFolders(ROOT).length);
      expect(first.stdout.match(/^\+ .*/gm)[0]).to.match(/^\+ @plinth\/core@/);
      for (const [path, tarball] of registry.tarballs)
        expect(gunzipSync(tarball).includes("package/LICENSE"), path).to.equal(true);
      const packument = await fetch(`${registry.url}/@plinth%2fplugin-graphql`);
      const { versions, "dist-tags": tags } = (await packument.json()) as Packument;
      expect(versions[tags.latest]?.peerDependencies).to.deep.equal({ "@plinth/core": `^${tags.latest}` });
      const again = await release("--registry", registry.url);
      expect(again.stderr).to.match(/not released: "npm publish .* ended with 1:\n\n> @plinth\/core@/);
      expect(again.stderr).to.include("cannot publish over the previously published versions");
      expect(again.stdout + again.stderr, "it ends at the first").to.not.match(/^\+ @plinth/m);
    } finally {
      registry.close();
    }
  });

  it("publishes nowhere else while the repository has no real address", async () => {
    expect((await release("--registry", "https://registry.example")).stderr).to.include("is not on this machine");
    expect((await release("sideways")).stderr).to.include("say what to release");
    if (isPlaceholder(ROOT)) expect((await release("patch")).stderr).to.include("names no real repository yet");
  });

  describe("stamps the changelog", () => {
    let folder = "";

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "plinth-changelog-"));
      writeFileSync(join(folder, "lerna.json"), '{ "version": "1.2.0" }');
    });

    afterEach(() => rmSync(folder, { recursive: true }));

    it("with the version and the day, where it is not released", () => {
      writeFileSync(
        join(folder, "CHANGELOG.md"),
        "# Log\n\n## 1.1.1 (not released)\n\nNew.\n\n## 1.1.0 (2026-01-01)\n",
      );
      stampChangelog(folder, "2026-02-03");
      const text = readFileSync(join(folder, "CHANGELOG.md"), "utf8");
      expect(text).to.equal("# Log\n\n## 1.2.0 (2026-02-03)\n\nNew.\n\n## 1.1.0 (2026-01-01)\n");
    });

    it("and stops where nothing is written about the release", () => {
      writeFileSync(join(folder, "CHANGELOG.md"), "# Log\n\n## 1.1.0 (2026-01-01)\n");
      expect(() => stampChangelog(folder, "2026-02-03")).to.throw("says nothing about 1.2.0");
    });
  });
});

interface Packument {
  readonly versions: Readonly<Record<string, { readonly peerDependencies: object }>>;
  readonly "dist-tags": { readonly latest: string };
}
