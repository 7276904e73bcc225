// Plinth as it is installed, serving the corpus app or another one. A child of the benchmark.
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { constants, PerformanceObserver } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { createPlinth, loadProject } from "@plinth/core";
import { answerParent, use } from "./child.mjs";
import { ruledToken } from "./request.mjs";

const PROJECT = fileURLToPath(new URL("../apps/corpus", import.meta.url));

// As `plinth start` does: core/decisions/0011-young-objects.md.
setFlagsFromString("--no-allocation-site-pretenuring");

/** Reads everything, by a rule that every article keeps. */
const RULED = ["api::*.find", { action: "api::article.article.find", where: { title: { $notNull: true } } }];

let plinth;
let recorded;
let profiler;

/**
 * Starts on a free port.
 *
 * @param {{ database: string, pool: number, token: string, shareReads?: boolean, root?: string,
 *   plugins?: readonly string[] }} options - URL, most connections, a token that may do everything, whether reads share
 *   statements, the folder of the app, packages of plugins beside its own.
 * @returns {Promise<string>} its address.
 */
async function start({ database, pool, token, shareReads = true, root = PROJECT, plugins = [] }) {
  const place = { root, code: root };
  const project = await loadProject(place, { variables: process.env, environment: "production" });
  const others = await Promise.all(plugins.map(async (name) => (await import(name)).default));
  plinth = createPlinth({
    ...project,
    plugins: [...project.plugins, ...others],
    config: {
      ...project.config,
      server: { host: "127.0.0.1", port: 0 },
      database: { client: "postgres", connection: database, pool: { max: pool }, shareReads },
      log: { level: "warn" },
      access: { tokens: { [token]: "all", [ruledToken(token)]: RULED } },
      permissions: { public: ["api::*.find", "api::*.findOne"] },
    },
  });
  const url = await plinth.start();
  // Node's own metrics are collected from the first scrape on.
  await plinth.app.management.ask("/metrics");
  return url;
}

/** From now on keeps every statement that goes to the database, with its values. */
function record() {
  recorded = [];
  const { db } = plinth.app;
  db.query = (statement) => {
    recorded.push({ text: statement.text, values: statement.values });
    return Object.getPrototypeOf(db).query.call(db, statement);
  };
}

/** Ends the recording; the server is as it was. */
function recordedStatements() {
  delete plinth.app.db.query;
  return recorded;
}

/** What our connections changed of the server's settings, by name. */
async function sessionSettings() {
  const text = "select name, setting from pg_settings where source = 'session'";
  const rows = await plinth.app.db.query({ text, values: [] });
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

const statementCount = () => plinth.app.db.statementCount;

let fullCollections;

/** Full collections since it was first asked, and the bytes of objects that only such a one takes away. */
function oldObjects() {
  if (fullCollections === undefined) countFullCollections();
  const old = getHeapSpaceStatistics().find(({ space_name: name }) => name === "old_space");
  return { fullCollections, bytes: old.space_used_size };
}

function countFullCollections() {
  fullCollections = 0;
  const isFull = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
  new PerformanceObserver((list) => {
    fullCollections += list.getEntries().filter(isFull).length;
  }).observe({ entryTypes: ["gc"] });
}

/** What `use` says everywhere, and how many statements were sent so far. */
const useOfOurs = () => ({ ...use(), statements: statementCount() });

/** Starts a CPU profile. */
async function profile() {
  profiler = new Session();
  profiler.connect();
  await profiler.post("Profiler.enable");
  await profiler.post("Profiler.start");
}

/** Ends the profile and writes it as a .cpuprofile. */
async function writeProfile(file) {
  const result = await profiler.post("Profiler.stop");
  profiler.disconnect();
  writeFileSync(file, JSON.stringify(result.profile));
}

const answers = {
  ...{ start, use: useOfOurs, statementCount, sessionSettings },
  ...{ oldObjects, record, recordedStatements, profile, writeProfile },
};

answerParent(answers, async () => plinth?.stop());
