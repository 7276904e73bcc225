import { register } from "node:module";
import { pathToFileURL } from "node:url";
import type { AppSetup } from "../../app/app-setup.js";
import type { RunningApp } from "../beside/running-app.js";
import type { CommandServer } from "../beside/serve-commands.js";
import { ownFile } from "../core-package.js";
import { exitWhenIdle, stopOnSignal } from "../stop-on-signal.js";
import { loadSetup, understandTypeScript } from "../load-setup.js";
import { printFailure } from "../print-failure.js";
import { isReload, type ServingState } from "./process-messages.js";
import { describeStart, describeWork, serveBeside } from "../serve.js";
import { print, withProgress } from "../terminal.js";
import { reportUncaught } from "../uncaught-errors.js";
import { writeTypesForCompiler } from "../types/write-types.js";
import { LiveApp, type LiveVersion } from "./live-app.js";
import { LiveSources } from "./live-sources.js";
import type { SourceVersions } from "./source-version-hook.js";

/** Of the process that serves a project for `plinth develop`, which is this file: whether stacks of failures are shown. */
const withStack = process.argv.includes("--debug");

/**
 * Serves the sources of the project in a folder, and again each time that the parent process says that they have changed.
 * A version that does not start is reported, and the last one keeps serving.
 *
 * @throws what loading or starting the first version throws
 */
async function serveLive(root: string): Promise<void> {
  const live = new LiveApp();
  let work: Promise<unknown> = Promise.resolve();
  let commands: CommandServer | undefined;
  const ending = stopOnSignal(async () => {
    await work;
    await commands?.close();
    await live.stop();
    leaveUncaught();
  });
  const leaveUncaught = reportUncaught(report);
  const readFiles = await createSourceReader(root);
  const read = async () => withSources(await readFiles(), sources);
  const enqueue = (task: () => Promise<void>) => {
    work = work.then(() => (ending.isWanted ? undefined : task()));
  };
  const sources = new LiveSources({ root, enqueue, serve: (losses) => serveChanged(live, read, losses), report });
  const first = serveFirst(live, read).then(async ({ setup }) => {
    commands = await serveBeside(setup, runningApp(root, live, read));
  });
  // A failed start is reported below, and ends the process.
  work = first.catch(() => undefined);
  process.on("message", (message) => {
    if (!isReload(message)) return;
    enqueue(async () => {
      if (await sources.areServed(message.paths)) return tell("ready");
      sources.forget();
      await serveNext(live, read);
    });
  });
  try {
    await first;
  } catch (error) {
    if (ending.isWanted) return;
    ending.release();
    await live.stop();
    throw error;
  }
}

type Read = Awaited<ReturnType<typeof createSourceReader>>;

/** What runs as in production does not write into its sources. */
const withSources = (setup: AppSetup, sources: LiveSources): AppSetup =>
  setup.environment === "production" ? setup : { ...setup, sources };

const runningApp = (root: string, live: LiveApp, read: Read): RunningApp => ({
  ...{ by: "plinth develop", root, read },
  get app() {
    // There is one since the first start.
    return (live.version as LiveVersion).plinth.app;
  },
  hold: (work) => live.hold(work),
});

async function serveFirst(live: LiveApp, read: Read): Promise<LiveVersion> {
  const since = performance.now();
  const setup = await read();
  const version = await withProgress(describeWork(setup), () => live.serve(setup));
  await printStart(version, since);
  await finish(version);
  return version;
}

async function serveNext(live: LiveApp, read: Read): Promise<void> {
  try {
    const since = performance.now();
    const setup = await read();
    if (!live.canServe(setup)) return tell("outdated");
    await finish(await serveInPlace(live, setup, since));
  } catch (error) {
    report(error);
    tell("kept");
  }
}

/** Serves what the app itself has written. @throws what a start throws; the version before keeps serving then */
async function serveChanged(live: LiveApp, read: Read, losses: AppSetup["losses"]): Promise<void> {
  const since = performance.now();
  const setup = await read();
  const version = await serveInPlace(live, losses === undefined ? setup : { ...setup, losses }, since);
  await writeTypes(version);
}

async function serveInPlace(live: LiveApp, setup: AppSetup, since: number): Promise<LiveVersion> {
  const last = live.version?.url;
  const version = await live.serve(setup);
  if (version.url !== last) await printStart(version, since);
  return version;
}

const report = (error: unknown): void => printFailure(error, { withStack });

async function printStart({ setup, plinth, url }: LiveVersion, since: number): Promise<void> {
  print(await describeStart({ setup, app: plinth.app, routes: plinth.routes(), url, since }));
}

/** Types are written last: requests do not wait for them. */
async function finish(version: LiveVersion): Promise<void> {
  tell("ready");
  await writeTypes(version);
}

async function writeTypes({ setup, plinth }: LiveVersion): Promise<void> {
  if (setup.environment === "development") await writeTypesForCompiler({ setup, app: plinth.app });
}

const tell = (state: ServingState): void => void process.send?.(state);

try {
  await serveLive(process.cwd());
} catch (error) {
  printFailure(error, { withStack });
  process.exitCode = 1;
  exitWhenIdle();
}

/**
 * Makes what reads a project's sources again and again in one process, each time as they are then.
 *
 * @returns a function that reads them; it throws what loading throws
 */
async function createSourceReader(root: string): Promise<() => Promise<AppSetup>> {
  const versions: SourceVersions = {
    folder: `${pathToFileURL(root).href}/`,
    latest: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
  // Hooks run from the last to the first, and this one needs to know which file TypeScript's picked.
  await understandTypeScript(root);
  register(pathToFileURL(ownFile("cli/develop/source-version-hook")), { data: versions });
  return () => {
    Atomics.add(versions.latest, 0, 1);
    return loadSetup(root, "sources");
  };
}
