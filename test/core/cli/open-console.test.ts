import { once } from "node:events";
import { start } from "node:repl";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { askByLine } from "#core/cli/open-console.js";

/** What a prompt prints for lines of a pipe. */
async function printed(...lines: readonly string[]): Promise<string> {
  const asked = askByLine(Readable.from(lines.map((line) => `${line}\n`).join("")));
  const output = new PassThrough();
  const repl = start({ prompt: "", input: asked.input, output });
  repl.context["after"] = (value: unknown, ms: number) => new Promise((done) => setTimeout(() => done(value), ms));
  asked.serve(repl);
  await once(repl, "exit");
  output.end();
  return await text(output);
}

describe("a console whose lines come from a pipe", () => {
  it("prints results in the order in which they were asked for", async () => {
    expect(await printed('await after("first", 60)', "2", 'await after("third", 20)', "4")).to.equal(
      "'first'\n2\n'third'\n4\n",
    );
  });

  it("runs what came before .exit to its end", async () => {
    expect(await printed('const a = await after("late", 40)', "a", ".exit")).to.equal("undefined\n'late'\n");
  });

  it("goes on after an error, and takes what is written over several lines", async () => {
    const all = await printed(
      "await Promise.reject(new Error('no'))",
      "const sum = (a, b) => {",
      "return a + b",
      "}",
      "sum(1, 2)",
    );
    expect(all).to.match(/Uncaught Error: no[\s\S]*\n3\n$/);
  });
});
