import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type AppSetup,
  createPlinth,
  type DatabaseConfig,
  definePlugin,
  isPlinthError,
  writeHooks,
} from "@plinth/core";
import { expect } from "chai";
import pg from "pg";
import { eachDatabase, type TestDatabase } from "../databases.js";
import { lastingConfig, loadFleet } from "./fleet.js";
import { heapInUse, isListening, leftBehind, liveResources, statusOf } from "./left-behind.js";

const ROUNDS = { postgres: 100, pglite: 10 };
/** Bytes by which the heap may grow over the second half of the rounds: an app that is kept weighs more on PGlite. */
const HEAP_GROWTH = 8_000_000;
const NAME = "fleet-start-stop";

describe("an app that starts and stops", () => {
  eachDatabase((database) => {
    let config = lastingConfig(database);
    before(async () => {
      config = named(config);
      await runOnce(config);
    });

    it("leaves no handle, connection or listener behind, however often", async () => {
      const before = await liveResources();
      const rounds = ROUNDS[database.kind];
      let heapAfterWarmUp = 0;
      for (let round = 1; round <= rounds; round += 1) {
        const url = await runOnce(config);
        if (round === rounds / 2) heapAfterWarmUp = heapInUse();
        if (round % (rounds / 10) === 0) expect(await isListening(url)).to.equal(false);
      }
      expect(await leftBehind(before)).to.deep.equal([]);
      expect(await connectionsOf(config)).to.equal(0);
      expect(heapInUse() - heapAfterWarmUp).to.be.lessThan(HEAP_GROWTH);
    });

    describe("and fails half-way", () => {
      const failures: Record<string, { readonly code: string; readonly spoil: (setup: AppSetup) => AppSetup }> = {
        "because a plugin cannot bootstrap": { code: "PLINTH_PLUGIN_PHASE", spoil: withBrokenPlugin },
        "because the content-types would lose content": { code: "PLINTH_SCHEMA_DESTRUCTIVE", spoil: withoutPlates },
        "because a global middleware is unknown": { code: "PLINTH_REGISTRY_UNKNOWN", spoil: withUnknownMiddleware },
      };
      for (const [why, { code, spoil }] of Object.entries(failures)) {
        it(`${why}, leaves nothing behind either`, () => expectCleanFailure(config, code, spoil));
      }

      it("because its port is taken, leaves nothing behind either", async () => {
        const holder = createServer().listen(0, "127.0.0.1");
        await new Promise((resolve) => holder.once("listening", resolve));
        const { port } = holder.address() as AddressInfo;
        await expectCleanFailure(config, "PLINTH_HTTP_CANNOT_LISTEN", (setup) =>
          withConfig(setup, { server: { host: "127.0.0.1", port } }),
        );
        await new Promise((resolve) => holder.close(resolve));
      });

      it("because it is stopped while it starts, leaves nothing behind either", async () => {
        const before = await liveResources();
        const plinth = createPlinth(await loadFleet(config));
        const started = plinth.start().then(
          () => undefined,
          (error: unknown) => error,
        );
        await plinth.stop();
        const error = await started;
        expect(isPlinthError(error) && error.code).to.equal("PLINTH_KERNEL_INTERRUPTED");
        await expectNothingLeft(before);
      });
    });

    async function expectCleanFailure(
      given: DatabaseConfig,
      code: string,
      spoil: (setup: AppSetup) => AppSetup,
    ): Promise<void> {
      const before = await liveResources();
      const plinth = createPlinth(spoil(await loadFleet(given)));
      const error = await plinth.start().then(
        () => undefined,
        (failure: unknown) => failure,
      );
      expect(isPlinthError(error) && error.code, String(error)).to.equal(code);
      await expectNothingLeft(before);
    }

    /** A start of the same database shows that neither a lock nor half a change is left. */
    async function expectNothingLeft(before: Awaited<ReturnType<typeof liveResources>>): Promise<void> {
      expect(await leftBehind(before)).to.deep.equal([]);
      expect(await connectionsOf(config)).to.equal(0);
      await runOnce(config);
    }
  });

  it("fails and leaves nothing behind when the database server cannot be reached", async () => {
    const before = await liveResources();
    const setup = await loadFleet({ client: "postgres", connection: "postgres://nobody@127.0.0.1:1/none" });
    const error = await createPlinth(setup)
      .start()
      .then(
        () => undefined,
        (failure: unknown) => failure,
      );
    expect(isPlinthError(error) && error.code).to.equal("PLINTH_DATABASE_UNREACHABLE");
    expect(await leftBehind(before)).to.deep.equal([]);
  });
});

describe("two apps in one process", () => {
  eachDatabase((database) => {
    it("do not see each other", async () => {
      const heard: string[] = [];
      const [one, other] = await Promise.all(["one", "other"].map((name) => startApart(database, name, heard)));
      if (!one || !other) throw new Error("two apps were started");
      const cars = one.plinth.app.documents("api::car.car");
      const { documentId } = await cars.create({ data: { plate: "B 1" } });
      expect(heard).to.deep.equal(["one"]);
      expect(await other.plinth.app.documents("api::car.car").count()).to.equal(0);
      expect(await statusOf(`${one.url}/api/cars/${documentId}`)).to.equal(200);
      expect(await statusOf(`${other.url}/api/cars/${documentId}`)).to.equal(404);
      await one.plinth.stop();
      expect(await isListening(one.url)).to.equal(false);
      expect(await statusOf(`${other.url}/api/cars`)).to.equal(200);
      await other.plinth.stop();
    });
  });
});

/** An app with tables of its own and a plugin that hears of new cars. */
async function startApart(database: TestDatabase, name: string, heard: string[]) {
  const listener = definePlugin({
    name: `listener-of-${name}`,
    register: ({ on }) => on(writeHooks.create.after, ({ uid }) => void (uid === "api::car.car" && heard.push(name))),
  });
  const setup = await loadFleet({ ...database.config(), schema: name });
  const plinth = createPlinth({ ...setup, plugins: [...setup.plugins, listener] });
  return { plinth, url: (await plinth.start()) ?? "" };
}

/** @returns where it listened */
async function runOnce(config: DatabaseConfig): Promise<string> {
  const plinth = createPlinth(await loadFleet(config));
  const url = (await plinth.start()) ?? "";
  expect(await statusOf(`${url}/api/trips?populate=*`)).to.equal(200);
  await plinth.stop();
  return url;
}

/** The same database for connections that can be told from those of others. */
function named(config: DatabaseConfig): DatabaseConfig {
  if (config.client === "pglite") return config;
  const url = new URL(config.connection as string);
  url.searchParams.set("application_name", NAME);
  return { ...config, connection: url.href };
}

/** Connections that the server still has of the app. */
async function connectionsOf(config: DatabaseConfig): Promise<number> {
  if (config.client === "pglite") return 0;
  const client = new pg.Client({ connectionString: config.connection as string, application_name: "observer" });
  await client.connect();
  try {
    const text = "select 1 from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()";
    for (let attempt = 1; ; attempt += 1) {
      const { rows } = await client.query(text, [NAME]);
      if (rows.length === 0 || attempt === 50) return rows.length;
      await client.query("select pg_sleep(0.02)");
    }
  } finally {
    await client.end();
  }
}

function withConfig(setup: AppSetup, config: Readonly<Record<string, unknown>>): AppSetup {
  return { ...setup, config: { ...setup.config, ...config } };
}

function withUnknownMiddleware(setup: AppSetup): AppSetup {
  return withConfig(setup, { middlewares: ["plinth::errors", "nowhere"] });
}

function withBrokenPlugin(setup: AppSetup): AppSetup {
  const broken = definePlugin({
    name: "broken",
    bootstrap: async ({ app }) => {
      await app.documents("api::car.car").create({ data: {} });
    },
  });
  return { ...setup, plugins: [...setup.plugins, broken] };
}

function withoutPlates(setup: AppSetup): AppSetup {
  const contentTypes = structuredClone(setup.app?.contentTypes ?? {});
  const car = contentTypes["api::car.car"] as { attributes: Record<string, unknown> };
  delete car.attributes["plate"];
  // In development an attribute without content may go.
  return { ...setup, environment: "production", app: { ...setup.app, contentTypes } };
}
