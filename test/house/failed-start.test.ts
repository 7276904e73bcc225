import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AppSetup, createPlinth, definePlugin, isPlinthError, type Plugin } from "@plinth/core";
import { expect } from "chai";
import { pino } from "pino";
import { LOCK_FILE } from "../../core/src/database/data-lock.js";
import { eachDatabase } from "../databases.js";

/** Two plugins that say what they do, around one whose bootstrap fails half-way, unless it is mended. */
function pluginsThatSay(events: string[], { isMended = false } = {}): readonly Plugin[] {
  const saying = (name: string) =>
    definePlugin({
      name,
      bootstrap: () => void events.push(`${name} starts`),
      destroy: () => void events.push(`${name} stops`),
    });
  const broken = definePlugin({
    name: "second",
    async bootstrap({ app }) {
      events.push("second starts");
      await app.db.query({ text: "select 1", values: [] });
      if (!isMended) throw new Error("out of coffee");
    },
    destroy: () => void events.push("second stops"),
  });
  return [saying("first"), broken, saying("third")];
}

function setupOf(plugins: readonly Plugin[], database: object, port = 0): AppSetup {
  return {
    root: tmpdir(),
    plugins,
    config: { database, server: { host: "127.0.0.1", port } },
    log: pino({ level: "silent" }),
  };
}

async function codeOfFailedStart(setup: AppSetup): Promise<string> {
  const failure = await createPlinth(setup)
    .start()
    .catch((error: unknown) => error);
  if (isPlinthError(failure)) return failure.code;
  throw new Error("The start did not fail as it should.", { cause: failure });
}

/** Connections and listeners of this process. What was closed just now is gone after a few turns of the event loop. */
async function openHandles(): Promise<readonly string[]> {
  await sleep(20);
  const names = process.getActiveResourcesInfo();
  return names.filter((name) => /^(TCP|Pipe|TLS).*Wrap$/.test(name)).sort();
}

describe("a start that fails half-way", () => {
  eachDatabase((database) => {
    it("stops what had started, last first, and says which plugin failed", async () => {
      const events: string[] = [];
      const before = await openHandles();
      const code = await codeOfFailedStart(setupOf(pluginsThatSay(events), database.config()));
      expect(code).to.equal("PLINTH_PLUGIN_PHASE");
      expect(events).to.deep.equal(["first starts", "second starts", "second stops", "first stops"]);
      expect(await openHandles()).to.deep.equal(before);
    });

    it("because its port is taken stops all plugins and leaves no connection", async () => {
      const other = createServer();
      await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
      const { port } = other.address() as AddressInfo;
      const events: string[] = [];
      const before = await openHandles();
      try {
        const plugins = pluginsThatSay(events, { isMended: true });
        expect(await codeOfFailedStart(setupOf(plugins, database.config(), port))).to.equal(
          "PLINTH_HTTP_CANNOT_LISTEN",
        );
        expect(events.slice(3)).to.deep.equal(["third stops", "second stops", "first stops"]);
        expect(await openHandles()).to.deep.equal(before);
      } finally {
        await new Promise((done) => other.close(done));
      }
    });
  });

  it("gives the folder of the embedded database back", async function () {
    this.timeout(60_000);
    const directory = mkdtempSync(join(tmpdir(), "plinth-data-"));
    const config = { client: "pglite", directory };
    try {
      expect(await codeOfFailedStart(setupOf(pluginsThatSay([]), config))).to.equal("PLINTH_PLUGIN_PHASE");
      expect(existsSync(join(directory, LOCK_FILE))).to.equal(false);
      const mended = createPlinth(setupOf(pluginsThatSay([], { isMended: true }), config));
      expect(await mended.start()).to.match(/^http:/);
      await mended.stop();
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
