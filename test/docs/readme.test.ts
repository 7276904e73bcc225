import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { createProgram } from "#core/cli/program.js";
import { coreCommands } from "#core/cli/core-commands.js";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { uploadPlugin } from "@plinth/plugin-upload";
import { copyTemplate, loadForTest, requestLog, startForTest } from "../projects.js";
import { assertShown } from "./assert-shown.js";
import { fileOf, readBlocks, shownCommands } from "./read-blocks.js";
import { openShell, type Shell } from "./shell.js";
import { typeCheck } from "./type-check.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const markdown = readFileSync(join(ROOT, "README.md"), "utf8");
const blocks = readBlocks(markdown);
const commands = shownCommands(blocks);
const pages = ["README.md", "CHANGELOG.md", ...["core", "plugins", "app-template", "test"].flatMap(pagesBelow)];

/** The files that the README tells its reader to save. */
const files = Object.fromEntries(blocks.flatMap((block) => (fileOf(block) ? [[fileOf(block), block.text]] : [])));

describe("README.md", () => {
  describe("when its commands are pasted one after the other", () => {
    const { log, requests } = requestLog();
    let plinth: PlinthApp;
    let url: string;
    let shell: Shell;

    before("start the app that it describes", async () => {
      const token = /PLINTH_TOKEN=(\S+)/.exec(markdown)?.[1] ?? "";
      const setup = await loadForTest(copyTemplate(files), { variables: { PLINTH_TOKEN: token } });
      ({ plinth, url } = await startForTest({ ...setup, log }));
      shell = openShell({ cwd: () => ROOT });
    });

    after("stop the app", async () => {
      shell?.close();
      await plinth?.stop();
    });

    for (const { block, answer } of commands) {
      it(`answers those of line ${block.line} as it says`, async () => {
        const output = await shell.paste(block.text.replaceAll("http://127.0.0.1:1337", url));
        if (answer) assertShown(output, answer);
        expect(requests.at(-1)?.status, output).to.equal(Number(answer?.info || 200));
      });
    }
  });

  it("shows TypeScript that compiles", async () => {
    const root = copyTemplate(files);
    await typeCheck(
      root,
      Object.keys(files).filter((file) => file.endsWith(".ts")),
    );
  });

  it("names commands that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const known = [...Object.keys(scripts).flatMap((name) => [`npm run ${name}`, `npm ${name}`]), ...plinthCommands()];
    const named = [
      ...markdown.matchAll(/\b(?:npm run [\w:-]+|npm (?:start|test)|npx plinth \w+(?: (?:plan|apply))?)/g),
    ];
    expect(named.map(([command]) => command)).to.have.length.above(10);
    for (const [command] of named) expect(known).to.include(command);
  });
});

describe("every page of documentation", () => {
  it("keeps curl from reading the brackets of an address as its own", () => {
    for (const file of pages) {
      const lines = readFileSync(join(ROOT, file), "utf8").split("\n");
      const hasBrackets = (line: string) => /\bcurl .*(?:localhost|127\.0\.0\.1):\d+[^\s'"]*[[{]/.test(line);
      const wrong = lines.filter((line) => hasBrackets(line) && !/\bcurl .*-\w*g\b/.test(line));
      expect(wrong, file).to.deep.equal([]);
    }
  });
});

function pagesBelow(folder: string): readonly string[] {
  const paths = readdirSync(join(ROOT, folder), { recursive: true }) as string[];
  const own = paths.filter((path) => path.endsWith(".md") && !path.includes("node_modules"));
  return own.map((path) => join(folder, path));
}

/** The commands of `plinth` itself, and those that the core and the template's plugins add. */
function plinthCommands(): readonly string[] {
  const own = createProgram().commands.flatMap((command) => [
    command.name(),
    ...command.commands.map((inner) => `${command.name()} ${inner.name()}`),
  ]);
  const added = [coreCommands, apiTokensPlugin, uploadPlugin].flatMap(({ definition }) =>
    Object.keys(definition.commands ?? {}),
  );
  return [...own, ...added, ...added.map((name) => name.split(" ")[0])].map((name) => `npx plinth ${name}`);
}
