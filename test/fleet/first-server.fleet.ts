import { readFileSync } from "node:fs";
import { expect } from "chai";
import { freePort } from "../../scripts/postgres-server.mjs";
import { assertShown } from "../docs/assert-shown.js";
import { type Block, fileOf, isForMachine, readBlocks } from "../docs/read-blocks.js";
import { type PostgresCluster, startCluster } from "../postgres-cluster.js";
import { Machine } from "./machine.js";

const GUIDE = new URL("../../core/guides/first-server.md", import.meta.url);
const blocks = readBlocks(readFileSync(GUIDE, "utf8"));

/** What the guide has its reader save for traces. */
const tracing = readBlocks(readFileSync(new URL("deployment.md", GUIDE), "utf8")).find(
  (block) => fileOf(block) === "tracing.mjs",
);

/** Two ports of processes, each with one 8,000 above it that is free, too. */
async function freePorts(): Promise<readonly [number, number]> {
  const found: number[] = [];
  while (found.length < 2) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const answers = [port, port + 8_000].map((each) => fetch(`http://127.0.0.1:${each}`).catch(() => undefined));
    if ((await Promise.all(answers)).every((answer) => answer === undefined)) found.push(port);
  }
  return [found[0] ?? 0, found[1] ?? 0];
}

describe("the guide from an empty machine to two processes behind nginx", function () {
  this.timeout(300_000);
  // Each step needs those before it.
  this.bail(true);
  const outputs = new Map<Block, string>();
  let cluster: PostgresCluster;
  let machine: Machine;

  before(async () => {
    cluster = await startCluster(0);
    const [one, other] = await freePorts();
    const replaced = new Map([
      ["127.0.0.1:5432", cluster.nodes[0]?.address ?? ""],
      ["127.0.0.1:80/", `127.0.0.1:${await freePort()}/`],
      ["127.0.0.1:1337", `127.0.0.1:${one}`],
      ["127.0.0.1:1338", `127.0.0.1:${other}`],
      ["9337", String(one + 8_000)],
      ["9338", String(other + 8_000)],
      ["plinth@1337 plinth@1338", `plinth@${one} plinth@${other}`],
      ["in 1337 1338", `in ${one} ${other}`],
    ]);
    machine = new Machine({ database: cluster.nodes[0]?.url() ?? "", replaced });
    await machine.start();
  });
  after(async () => {
    await machine.close();
    await cluster.close();
  });

  for (const [index, block] of blocks.entries()) {
    if (!isForMachine(block)) continue;
    const file = fileOf(block);
    it(`is right at line ${block.line}: ${file ?? block.text.split("\n")[0]}`, async () => {
      if (file !== undefined) return machine.save(file, block.text);
      if (block.text.includes("/tracing.mjs")) machine.save("/srv/app/tracing.mjs", tracing?.text ?? "");
      const output = await machine.paste(block.text);
      outputs.set(block, output);
      const answer = blocks[index + 1];
      if (answer?.language === "text") assertShown(output, answer);
    });
  }

  it("has two processes, which are ready", () => {
    const said = (words: string) => [...outputs].find(([{ text }]) => text.includes(words))?.[1] ?? "";
    const ready = said("9337 9338").trim().split("\n");
    expect(ready).to.have.length(2);
    // Degraded while the second worker of one starts.
    for (const line of ready)
      expect((JSON.parse(line) as { status: string }).status).to.be.oneOf(["ready", "degraded"]);
    console.log(`[fleet] first server: ${outputs.size} steps of the guide, two processes behind nginx`);
    expect(said("plinth processes")).to.match(/0\.\d+\.\d+/);
  });
});
