// What a new user does, step by step; each step fails when what it promises is not there.
import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { ask, askUntil, freePort } from "./terminal.mjs";

const APP = "my-site";
const PLUGIN = `${APP}/src/plugins/hello`;

/** What later steps know of earlier ones. */
const state = { url: "", token: "", develop: undefined };

async function installCommand(terminal) {
  await mkdir(terminal.path("tool"));
  await terminal.run("npm install --prefix . @plinth/core", { folder: "tool" });
}

async function scaffold(terminal) {
  await terminal.run(`npx plinth new ../${APP}`, { folder: "tool" });
  const env = readFileSync(terminal.path(APP, ".env"), "utf8");
  state.token = /^PLINTH_TOKEN=(\w+)$/m.exec(env)[1];
}

async function developApp(terminal) {
  const port = await freePort();
  state.url = `http://127.0.0.1:${port}`;
  state.develop = terminal.serve("npm run develop", { folder: APP, env: { PORT: String(port) } });
  await until("/api/articles?populate=author", ({ status, body }) => status === 200 && body.data.length === 2);
}

async function model(terminal) {
  await terminal.run("npx plinth generate content-type event --attributes title:string,places:integer", {
    folder: APP,
  });
  await until("/api/events", ({ status }) => status === 200);
}

async function query() {
  for (const [title, places] of [
    ["Reading", 20],
    ["Workshop", 8],
    ["Concert", 300],
  ]) {
    const request = { method: "POST", token: state.token, body: { data: { title, places } } };
    const { status, text } = await ask(`${state.url}/api/events`, request);
    assert.equal(status, 201, text);
  }
  const { body } = await ask(`${state.url}/api/events?filters[places][$gt]=10&sort=places:desc&fields=title`);
  assert.deepEqual(
    body.data.map(({ title }) => title),
    ["Concert", "Reading"],
  );
  assert.equal(body.meta.pagination.total, 2);
}

async function permission(terminal) {
  const request = { method: "POST", body: { data: { title: "Picnic" } } };
  assert.equal((await ask(`${state.url}/api/events`, request)).status, 403);
  edit(terminal, "config/permissions.ts", "public: reading", 'public: [...reading, "api::event.event.create"]');
  await until("/api/events", ({ status }) => status === 201, request);
}

async function plugin(terminal) {
  await terminal.run("npx plinth generate plugin hello", { folder: APP });
  await until("/api/hello/greetings/Ada", ({ body }) => body?.data?.text === "Hello, Ada!");
  await stop(state.develop);
}

async function test(terminal) {
  const output = await terminal.run("npm test", { folder: APP });
  assert.match(output, /6 passing/);
}

async function publish(terminal) {
  await terminal.run(`npm pack --pack-destination ${terminal.home}`, { folder: PLUGIN });
  rmSync(terminal.path(PLUGIN), { recursive: true });
  await terminal.run("npm install ../plinth-plugin-hello-0.1.0.tgz", { folder: APP });
  const line = 'hello: { resolve: "plinth-plugin-hello", config: { greeting: "Welcome" } },';
  edit(terminal, "config/plugins.ts", "graphql: {", `${line}\n  graphql: {`);
}

async function build(terminal) {
  await terminal.run("npm run build", { folder: APP });
}

async function deploy(terminal) {
  const isDeployed = (source) => !/[\\/](node_modules|\.plinth)$/.test(source);
  cpSync(terminal.path(APP), terminal.path("deployed"), { recursive: true, filter: isDeployed });
  await terminal.run("npm ci --omit=dev", { folder: "deployed" });
  const port = await freePort();
  state.url = `http://127.0.0.1:${port}`;
  const server = terminal.serve("npx plinth start", { folder: "deployed", env: { PORT: String(port) } });
  await until("/_health", ({ status }) => status === 204, {}, server);
  assert.equal((await ask(`${state.url}/api/hello/greetings/Ada`)).body.data.text, "Welcome, Ada!");
  assert.equal((await ask(`${state.url}/api/articles`)).body.data.length, 2);
  await stop(server);
}

/** The exit code is that of npm, which does not wait for what it runs. */
async function stop(server) {
  await server.stop();
  assert.match(server.output(), /\[plinth\] stopped/);
}

/** Waits for an answer of the app that runs. */
function until(path, isExpected, request = {}, { output } = state.develop) {
  return askUntil(`${state.url}${path}`, isExpected, { request, output });
}

function edit(terminal, path, from, to) {
  const file = terminal.path(APP, path);
  const text = readFileSync(file, "utf8");
  assert.ok(text.includes(from), `${path} says "${from}"`);
  writeFileSync(file, text.replace(from, to));
}

/** Name and work, in order. */
export const steps = [
  ["install the command: npm install @plinth/core", installCommand],
  ["scaffold: plinth new, and npm install", scaffold],
  ["develop: the first answer of the sample app", developApp],
  ["model: a content-type is generated, and served", model],
  ["query: entries are written, filtered and sorted", query],
  ["permission: the public may write what it could not", permission],
  ["plugin: one is generated, and answers", plugin],
  ["test: npm test, of the app and the plugin", test],
  ["publish: the plugin is packed, and installed with one line of config", publish],
  ["build: npm run build", build],
  ["deploy: without development packages, as production, until it is stopped", deploy],
];
