import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { parseEnv } from "node:util";
import { expect } from "chai";
import { freePort } from "../../scripts/postgres-server.mjs";
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

/** What is uploaded to the first version. */
const FILE = "a note of the first version";

/** How far a management port is from that of its app. */
const APART = 8_000;

/** A free port whose management port is free, too. */
async function freePorts(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port + APART < 65_536 && (await isFree(port + APART))) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer().once("error", () => done(false));
    server.listen(port, "127.0.0.1", () => server.close(() => done(true)));
  });

describe("the guide from an empty machine to two processes behind nginx", function () {
  // Each step needs those before it.
  this.bail(true);
  const outputs = new Map<Block, string>();
  let cluster: PostgresCluster;
  let machine: Machine;
  let management = "";
  /** Path of a file that was uploaded to the first version. */
  let upload = "";
  /** Of the processes that serve, by what the management port says. */
  const pids = async (): Promise<readonly number[]> => {
    const { workers } = (await (await fetch(`${management}/health/ready`)).json()) as Together;
    return workers.map(({ pid }) => pid);
  };

  before(async () => {
    cluster = await startCluster(0);
    const [port, second] = [await freePorts(), await freePorts()];
    management = `http://127.0.0.1:${port + APART}`;
    const replaced = new Map([
      ["127.0.0.1:5432", cluster.nodes[0]?.address ?? ""],
      ["127.0.0.1:80/", `127.0.0.1:${await freePort()}/`],
      ["127.0.0.1:1337", `127.0.0.1:${port}`],
      ["plinth@1337", `plinth@${port}`],
      ["plinth@1338", `plinth@${second}`],
      ["9337", String(port + APART)],
      ["9338", String(second + APART)],
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
      if (block.text.includes("/tracing.mjs")) machine.save("/srv/app/current/tracing.mjs", tracing?.text ?? "");
      const isReload = block.text.includes("systemctl reload");
      const old = isReload ? await pids() : [];
      if (isReload) upload = await uploadFile(machine);
      const output = await machine.paste(block.text);
      outputs.set(block, output);
      const answer = blocks[index + 1];
      if (answer?.language === "text" || answer?.language === "json") assertShown(output, answer);
      if (!isReload) return;
      await machine.waitFor("plinth@1337", /2 workers were replaced in .*\/srv\/app\/releases\/2"/);
      await eventually(async () => assertReplaced(old, await pids()));
    });
  }

  it("keeps what was uploaded to the version before", async () => {
    const answer = await fetch(machine.here(`http://127.0.0.1:1337${upload}`));
    expect([answer.status, await answer.text()]).to.deep.equal([200, FILE]);
    expect(machine.read(upload.replace("/uploads", "/var/lib/plinth/uploads"))).to.equal(FILE);
  });

  it("has room for a second unit beside the first", async () => {
    await machine.paste("systemctl enable --now plinth@1338");
    await machine.paste("until curl -sf http://127.0.0.1:9338/health/ready; do sleep 1; done");
    expect(await pids()).to.have.length(2);
  });

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

/** Uploads a text. @returns its path */
async function uploadFile(machine: Machine): Promise<string> {
  const { PLINTH_TOKEN = "" } = parseEnv(machine.read("/etc/plinth/app.env"));
  const body = new FormData();
  body.append("files", new Blob([FILE], { type: "text/plain" }), "note.txt");
  const headers = { authorization: `Bearer ${PLINTH_TOKEN}` };
  const answer = await fetch(machine.here("http://127.0.0.1:1337/api/upload"), { method: "POST", headers, body });
  const [file] = (await answer.json()) as readonly { readonly url: string }[];
  return new URL(file?.url ?? "", "http://localhost").pathname;
}

function assertReplaced(old: readonly number[], now: readonly number[]): void {
  expect(now).to.have.length(2);
  expect(now.filter((pid) => old.includes(pid))).to.deep.equal([]);
}
