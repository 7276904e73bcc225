import { readFileSync } from "node:fs";
import { expect } from "chai";
import { freePort } from "../../scripts/postgres-server.mjs";
import { TIMEOUT } from "../core/cli/plinth-command.js";
import { eventually } from "../core/database/driver/note-app.js";
import { assertShown } from "../docs/assert-shown.js";
import { type Block, fileOf, isForMachine, readBlocks } from "../docs/read-blocks.js";
import { type PostgresCluster, startCluster } from "../postgres-cluster.js";
import { Machine } from "./machine.js";

const GUIDE = new URL("../../core/guides/first-server.md", import.meta.url);
const blocks = readBlocks(readFileSync(GUIDE, "utf8"));

/** What the management port says. */
interface Together {
  readonly workers: readonly { readonly pid: number }[];
}

/** What the guide has its reader save for traces. */
const tracing = readBlocks(readFileSync(new URL("deployment.md", GUIDE), "utf8")).find(
  (block) => fileOf(block) === "tracing.mjs",
);

describe("the guide from an empty machine to two processes behind nginx", function () {
  this.timeout(300_000);
  // Each step needs those before it.
  this.bail(true);
  const outputs = new Map<Block, string>();
  let cluster: PostgresCluster;
  let machine: Machine;
  let management = "";
  /** Of the processes that serve, by what the management port says. */
  const pids = async (): Promise<readonly number[]> => {
    const { workers } = (await (await fetch(`${management}/health/ready`)).json()) as Together;
    return workers.map(({ pid }) => pid);
  };

  before(async () => {
    cluster = await startCluster(0);
    const port = await freePort();
    management = `http://127.0.0.1:${await freePort()}`;
    const replaced = new Map([
      ["127.0.0.1:5432", cluster.nodes[0]?.address ?? ""],
      ["127.0.0.1:80/", `127.0.0.1:${await freePort()}/`],
      ["127.0.0.1:1337", `127.0.0.1:${port}`],
      ["plinth@1337", `plinth@${port}`],
      ["9337", new URL(management).port],
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
      const isReload = block.text.includes("systemctl reload");
      const old = isReload ? await pids() : [];
      const output = await machine.paste(block.text);
      outputs.set(block, output);
      const answer = blocks[index + 1];
      if (answer?.language === "text" || answer?.language === "json") assertShown(output, answer);
      if (isReload) await eventually(async () => assertReplaced(old, await pids()), TIMEOUT);
    });
  }

  it("has two processes, metrics of both, and spans in a file", () => {
    const said = (words: string) => [...outputs].find(([{ text }]) => text.includes(words))?.[1] ?? "";
    for (const worker of [1, 2])
      expect(said("plinth processes")).to.match(new RegExp(`#${worker}\\b.*0\\.\\d+\\.\\d+`));
    const [, requests] = /"find",status="2xx"} (\d+)/.exec(said("9337/metrics")) ?? [];
    const spans = said("grep -o").match(/"plinth\.[^"]+"/g) ?? [];
    expect(Number(requests)).to.be.at.least(1);
    console.log(
      `[fleet] first server: ${outputs.size} steps of the guide, two processes behind nginx, ` +
        `metrics of ${requests} reads, spans ${spans.join(", ")}`,
    );
  });
});

function assertReplaced(old: readonly number[], now: readonly number[]): void {
  expect(now).to.have.length(2);
  expect(now.filter((pid) => old.includes(pid))).to.deep.equal([]);
}
