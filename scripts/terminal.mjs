// What a script needs of a terminal: commands that end, commands that go on, and requests to what they serve.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const TIMEOUT = 120_000;
const BETWEEN_TRIES = 200;

/** A terminal in a folder. */
export class Terminal {
  #running = new Set();
  #env;

  /** @param {string} home - absolute */
  constructor(home) {
    this.home = home;
    const { NODE_ENV: _, DATABASE_URL: _url, NODE_OPTIONS: _options, ...inherited } = process.env;
    this.#env = inherited;
  }

  /** Sets variables for the commands that follow. */
  set(variables) {
    this.#env = { ...this.#env, ...variables };
  }

  path(...parts) {
    return join(this.home, ...parts);
  }

  /** Runs a command to its end. @returns what it prints @throws with what it prints, when it fails */
  async run(line, { folder = ".", env = {} } = {}) {
    const command = this.#start(line, folder, env);
    const code = await command.ended;
    if (code !== 0) throw new Error(`"${line}" ended with ${code}:\n${command.output()}`);
    return command.output();
  }

  /** Starts a command that goes on. @returns {{ stop(): Promise<number>, output(): string }} */
  serve(line, { folder = ".", env = {} } = {}) {
    const command = this.#start(line, folder, env);
    return {
      output: command.output,
      stop: async () => {
        signal(command.child, "SIGTERM");
        return await command.ended;
      },
    };
  }

  /** Ends what still runs. */
  async close() {
    for (const { child, ended } of this.#running) {
      signal(child, "SIGKILL");
      await ended;
    }
  }

  /** A process group of its own: npm does not hand signals on to what it runs. */
  #start(line, folder, env) {
    const child = spawn(line, {
      cwd: this.path(folder),
      env: { ...this.#env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      shell: true,
      detached: process.platform !== "win32",
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    const command = { child, output: () => output, ended: once(child, "close").then(([code]) => code) };
    this.#running.add(command);
    void command.ended.then(() => this.#running.delete(command));
    return command;
  }
}

function signal(child, name) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  if (process.platform === "win32") child.kill(name);
  else process.kill(-child.pid, name);
}

/** Asks until the answer is as expected. @throws with the last answer, after two minutes */
export async function askUntil(url, isExpected, { request = {}, output = () => "" } = {}) {
  const end = Date.now() + TIMEOUT;
  let last = "no answer";
  while (Date.now() < end) {
    const answer = await ask(url, request).catch(() => undefined);
    if (answer && isExpected(answer)) return answer;
    if (answer) last = `${answer.status} ${answer.text}`;
    await sleep(BETWEEN_TRIES);
  }
  throw new Error(`${url} did not answer as expected: ${last}\n${output()}`);
}

/** Sends a request; a body goes as JSON. */
export async function ask(url, { method = "GET", token, body } = {}) {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
  return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
}

/** A free port. */
export async function freePort() {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}
