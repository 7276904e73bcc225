import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AppSetup, createPlinth, definePlugin, isPlinthError, type Plugin } from "@plinth/core";
import { expect } from "chai";
import { pino } from "pino";
import { LOCK_FILE } from "#core/database/driver/data-lock.js";
import { eachDatabase } from "../databases.js";

/** Two plugins that say what they do, around one whose bootstrap fails half-way, unless it is fixed. */
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

  it("leaves the tables as they were, so that the version before goes on with its content", async () => {
    const directory = mkdtempSync(join(tmpdir(), "plinth-data-"));
    const version = (attributes: Readonly<Record<string, object>>, bootstrap?: () => void) =>
      createPlinth({
        ...setupOf([], { client: "pglite", directory }),
        app: {
          contentTypes: {
            "api::author.author": {
              kind: "collectionType",
              info: { singularName: "author", pluralName: "authors", displayName: "Author" },
              attributes: { name: { type: "string" }, ...attributes },
            },
          },
          ...(bootstrap ? { bootstrap } : {}),
        },
      });
    const namesOf = async (plinth: ReturnType<typeof version>) => {
      await plinth.start({ listen: false });
      const found = await plinth.app.documents("api::author.author").findMany();
      await plinth.stop();
      return found.map(({ id: _id, documentId: _documentId, createdAt: _c, updatedAt: _u, ...rest }) => rest);
    };
    try {
      const first = version({ bio: { type: "text" } });
      await first.start({ listen: false });
      await first.app.documents("api::author.author").create({ data: { name: "Ada", bio: "Notes" } });
      await first.stop();
      const renamed = { about: { type: "text", renamedFrom: "bio" }, site: { type: "string" } };
      const failure = await version(renamed, () => {
        throw new Error("out of coffee");
      })
        .start({ listen: false })
        .catch((error: unknown) => error);
      expect(isPlinthError(failure) && failure.code).to.equal("PLINTH_PLUGIN_PHASE");
      const [old] = await namesOf(version({ bio: { type: "text" } }));
      expect(old).to.include({ name: "Ada", bio: "Notes" });
      const [next] = await namesOf(version(renamed));
      expect(next).to.include({ name: "Ada", about: "Notes", site: null });
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it("gives the folder of the embedded database back", async () => {
    const directory = mkdtempSync(join(tmpdir(), "plinth-data-"));
    const config = { client: "pglite", directory };
    try {
      expect(await codeOfFailedStart(setupOf(pluginsThatSay([]), config))).to.equal("PLINTH_PLUGIN_PHASE");
      expect(existsSync(join(directory, LOCK_FILE))).to.equal(false);
      const fixed = createPlinth(setupOf(pluginsThatSay([], { isMended: true }), config));
      expect(await fixed.start()).to.match(/^http:/);
      await fixed.stop();
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
