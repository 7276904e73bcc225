import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { runPlinth, scaffoldedApp } from "./plinth-command.js";

const FILE = "types/generated.d.ts";

describe("plinth types", () => {
  const cwd = scaffoldedApp();
  const check = () => runPlinth(["types", "--check"], { cwd });

  it("finds the types that a new app comes with up to date", async () => {
    const { code, stdout, stderr } = await check();
    expect(stderr).not.to.include("PLINTH_");
    expect([code, stdout]).to.deep.equal([0, `${FILE} is up to date\n`]);
  });

  it("says that they are not after a change, and writes them", async () => {
    const generated = await runPlinth(["generate", "service", "prices", "--api", "article"], { cwd });
    expect(generated.code, generated.stderr).to.equal(0);
    const outdated = await check();
    expect(outdated.code).to.equal(1);
    expect(outdated.stderr).to.include("PLINTH_CLI_TYPES_OUTDATED").and.include("plinth types");
    expect((await runPlinth(["types"], { cwd })).stdout).to.equal(`wrote ${FILE}\n`);
    expect(readFileSync(join(cwd, FILE), "utf8")).to.include(
      '"api::article.prices": MadeBy<typeof import("../src/api/article/services/prices.js").default>;',
    );
    expect((await check()).code).to.equal(0);
  });

  it("makes the build of the app refuse what its content-types do not have", async () => {
    const use = (name: string) => `import type { App } from "@plinth/core";
export const names = async (app: App) => (await app.documents("api::author.author").findMany({ fields: ["${name}"] })).map((author) => author.name);
export const price = (app: App) => app.service("api::article.prices").contentTypes();
`;
    writeFileSync(join(cwd, "src/names.ts"), use("name"));
    const good = await runPlinth(["build"], { cwd });
    expect(good.code, good.stdout + good.stderr).to.equal(0);
    writeFileSync(join(cwd, "src/names.ts"), use("nmae"));
    const bad = await runPlinth(["build"], { cwd });
    expect(bad.code).to.equal(1);
    expect(bad.stdout).to.include("src/names.ts").and.include("nmae");
  });
});
