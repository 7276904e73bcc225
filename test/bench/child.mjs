// A server in a process of its own, asked over the channel between parent and child: `ask` here, `answerParent` there.
import { fork } from "node:child_process";

const STOP_TIMEOUT = 15_000;

/**
 * Starts a module as a child process. Its output is ours; it ends with us, however we end.
 *
 * @param {URL} file - a module that calls answerParent.
 * @returns {{ ask: (name: string, argument?: unknown) => Promise<any>, stop: () => Promise<void> }}
 */
export function startChild(file) {
  const child = fork(file, {
    execArgv: [],
    env: { ...process.env, NODE_ENV: "production" },
    serialization: "advanced",
  });
  const waiting = new Map();
  let lastId = 0;
  const ended = new Promise((done) => {
    child.once("error", (error) => done(error.message));
    child.once("exit", (code, signal) => done(signal ?? `exit code ${code}`));
  });
  child.on("message", ({ id, error, value }) => {
    const { done, fail } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) done(value);
    else fail(new Error(error));
  });
  ended.then((why) => {
    for (const { fail } of waiting.values()) fail(new Error(`${file.pathname} ended: ${why}`));
  });
  return {
    ask: (name, argument) =>
      new Promise((done, fail) => {
        const id = ++lastId;
        waiting.set(id, { done, fail });
        child.send({ id, name, argument }, (error) => error && fail(error));
      }),
    stop: () => stopChild(child, ended),
  };
}

async function stopChild(child, ended) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const kill = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT);
  if (child.connected) child.disconnect();
  await ended;
  clearTimeout(kill);
}

/** Milliseconds that this process has kept processors busy, and the bytes that it has resident. */
export function use() {
  const { user, system } = process.cpuUsage();
  return { cpu: (user + system) / 1000, memory: process.memoryUsage.rss() };
}

/**
 * The child's side: runs what the parent asks for by name (`use` everywhere), and ends when the parent is gone.
 *
 * @param {Record<string, (argument: any) => unknown>} answers
 * @param {() => Promise<void>} close - frees what keeps the process alive.
 */
export function answerParent(answers, close) {
  const known = { use, ...answers };
  process.on("message", async ({ id, name, argument }) => {
    const reply = await Promise.resolve()
      .then(() => known[name](argument))
      .then(
        (value) => ({ id, value }),
        (error) => ({ id, error: error.stack }),
      );
    if (process.connected) process.send(reply);
  });
  // A terminal sends Ctrl-C to every process in the foreground; the parent ends us when it is done.
  process.on("SIGINT", () => undefined);
  process.once("disconnect", close);
}
