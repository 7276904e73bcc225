import type { App, AppSetup } from "@plinth/core";
import type { Sources } from "@plinth/core/schema";
import { LiveApp } from "#core/cli/develop/live-app.js";
import { LiveSources } from "#core/cli/develop/live-sources.js";
import { freePort } from "./free-port.js";
import { loadForTest } from "./projects.js";

/** A project that is served from its sources, as by `plinth develop`, without watching its files. */
export interface Developed {
  readonly url: string;
  readonly sources: Sources;
  /** Of the version that serves. */
  app(): App;
  /** How many versions have served. */
  served(): number;
  /** Waits until every change has started, or was put back. */
  settled(): Promise<void>;
  /** Serves the files as they are now. @throws what a start throws */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/** Serves a project in this process. @param extras - what the project itself does not say, such as its plugins */
export async function developInProcess(root: string, extras: Partial<AppSetup> = {}): Promise<Developed> {
  const live = new LiveApp();
  const port = await freePort();
  let work: Promise<unknown> = Promise.resolve();
  let served = 0;
  const serve = async (losses?: AppSetup["losses"]) => {
    const setup = await loadForTest(root, { environment: "development" });
    const log = { level: "silent" };
    const config = { ...setup.config, log, ...extras.config, server: { host: "127.0.0.1", port, drainDelay: 0 } };
    await live.serve({ ...setup, ...extras, config, sources, ...(losses === undefined ? {} : { losses }) });
    served += 1;
  };
  const enqueue = (task: () => Promise<void>) => {
    work = work.then(task);
  };
  const sources = new LiveSources({ root, serve, enqueue, report: () => undefined });
  try {
    await serve();
  } catch (error) {
    await live.stop();
    throw error;
  }
  const app = () => {
    if (!live.version) throw new TypeError("Nothing is served.");
    return live.version.plinth.app;
  };
  return {
    ...{ url: `http://127.0.0.1:${port}`, sources, app, served: () => served, reload: () => serve() },
    settled: async () => void (await work),
    stop: async () => {
      await work;
      await live.stop();
    },
  };
}
