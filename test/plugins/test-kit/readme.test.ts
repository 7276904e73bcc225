import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { fileOf, readBlocks } from "../../docs/read-blocks.js";
import { typeCheck } from "../../docs/type-check.js";
import { copyTemplate } from "../../projects.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const blocks = readBlocks(readFileSync(join(ROOT, "plugins", "test-kit", "README.md"), "utf8"));
const files = Object.fromEntries(blocks.map((block) => [fileOf(block) ?? `line ${block.line}`, block.text]));

describe("plugins/test-kit/README.md", () => {
  it("shows nothing but files of an app", () => {
    expect(blocks).to.have.length.above(4);
    expect(Object.keys(files).filter((file) => !file.startsWith("src/"))).to.deep.equal([]);
  });

  it("shows tests that pass in a new app", async () => {
    const root = copyTemplate(files);
    const mocha = join(ROOT, "node_modules", "mocha", "bin", "mocha.js");
    const env = { ...process.env, NODE_OPTIONS: "", TEST_DATABASE_URL: "" };
    const run = promisify(execFile)(
      process.execPath,
      [mocha, "--reporter", "dot", "--timeout", "120000", "src/**/*.test.ts"],
      {
        cwd: root,
        env,
      },
    );
    const { stdout } = await run.catch((failure) => expect.fail(failure.stdout + failure.stderr));
    const tests = Object.values(files).flatMap((text) => text.match(/^ {2}it\(/gm) ?? []);
    expect(stdout).to.include(`${tests.length} passing`);
  });

  it("shows TypeScript that compiles", () => typeCheck(copyTemplate(files), Object.keys(files)));
});
