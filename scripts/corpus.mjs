// Replays a conformance corpus against Plinth on PGlite and on PostgreSQL: `npm run corpus -- <folder> [--database D] [runner options]`.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { ROOT, ensureReady } from "./ensure-ready.mjs";
import { judgeCorpus } from "./judge-corpus.mjs";
import { freePort, obtainPostgres } from "./postgres-server.mjs";
import { whenEnded } from "./when-ended.mjs";

const READY = /^ready (?<base>\S+) (?<tokens>full=\S+ .*)$/;
const START_TIMEOUT = 180_000;
const STOP_TIMEOUT = 20_000;

/** Starts the server under test; resolves when it says that it is ready, with its address and tokens. */
async function serve(database, running) {
  const port = String(await freePort());
  const args = ["run", "--silent", "corpus:serve", "--", "--port", port, "--database", database];
  const child = spawn("npm", args, {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
    shell: process.platform === "win32",
  });
  const ended = new Promise((done) => child.once("exit", (code, signal) => done(signal ?? `exit code ${code}`)));
  const stop = () => stopServer(child, ended);
  running.stop = stop;
  const ready = new Promise((done) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = READY.exec(line);
      if (found) done(found.groups);
      else console.error(line);
    });
  });
  const failed = Promise.race([ended, after(START_TIMEOUT, "no ready line")]).then((why) => {
    throw new Error(`corpus:serve on ${nameOf(database)} did not become ready: ${why}`);
  });
  const { base, tokens } = await Promise.race([ready, failed]).catch(async (error) => {
    await stop();
    throw error;
  });
  failed.catch(() => undefined);
  return { base, tokens: tokens.trim().split(/\s+/).join(","), stop };
}

async function stopServer(child, ended) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  const why = await Promise.race([ended, after(STOP_TIMEOUT, undefined)]);
  if (why !== undefined) return;
  child.kill("SIGKILL");
  throw new Error(`corpus:serve did not stop within ${STOP_TIMEOUT / 1000} s of SIGTERM`);
}

const after = (milliseconds, value) => new Promise((done) => setTimeout(done, milliseconds, value).unref());
const nameOf = (database) => (database === "pglite" ? "PGlite" : "PostgreSQL");

/** @returns {Promise<string[]>} what failed, but for the cases that the specification contradicts. */
async function replay(folder, database, { options, running }) {
  console.log(`\n# corpus on ${nameOf(database)}`);
  const server = await serve(database, running);
  const scratch = mkdtempSync(join(tmpdir(), "plinth-corpus-"));
  const json = options.includes("--json") ? options[options.indexOf("--json") + 1] : join(scratch, "report.json");
  const args = ["--base", server.base, "--tokens", server.tokens, "--json", json, ...options];
  const runner = spawn(process.execPath, [join(folder, "run.mjs"), ...args], { stdio: "inherit" });
  const code = await new Promise((done) => runner.once("exit", (exitCode) => done(exitCode)));
  await server.stop();
  const didRun = code === 0 || code === 1;
  const problems = didRun
    ? judge(JSON.parse(readFileSync(json, "utf8")), options.includes("--case"))
    : [`the runner ended with exit code ${code}`];
  rmSync(scratch, { recursive: true });
  return problems.map((problem) => `on ${nameOf(database)}: ${problem}`);
}

function judge(report, isPartial) {
  const listed = JSON.parse(readFileSync(join(ROOT, "scripts", "corpus-contradictions.json"), "utf8"));
  const { contradicted, problems } = judgeCorpus(report, listed, isPartial);
  for (const { topic, name, sentence } of contradicted) console.log(`contradicted: ${topic} / ${name}: "${sentence}"`);
  return problems;
}

async function main([folder, ...rest]) {
  if (!folder || !existsSync(join(resolve(folder), "run.mjs"))) {
    throw new Error(
      `"${folder ?? ""}" holds no run.mjs: npm run corpus -- <folder of the corpus> [--database D] [runner options]`,
    );
  }
  const at = rest.indexOf("--database");
  const [asked, options] = at < 0 ? [undefined, rest] : [rest[at + 1], rest.toSpliced(at, 2)];
  const running = { stop: async () => undefined };
  whenEnded(() => running.stop().finally(() => process.exit(1)));
  await ensureReady();
  const problems = [];
  if (asked !== "postgres") problems.push(...(await replay(resolve(folder), asked ?? "pglite", { options, running })));
  if (asked === undefined || asked === "postgres") {
    const postgres = await obtainPostgres();
    problems.push(...(await replay(resolve(folder), postgres.url, { options, running }).finally(postgres.stop)));
  }
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

await main(process.argv.slice(2)).catch((error) => {
  console.error(`[plinth] ${error.message}`);
  process.exitCode = 1;
});
