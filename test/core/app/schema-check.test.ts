import { setTimeout as sleep } from "node:timers/promises";
import { createPlinth, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { schemaCheck } from "#core/app/schema-check.js";
import type { Database } from "#core/database/driver/database.js";
import { SCHEMA_CHANNEL } from "#core/database/sync/follow-tables.js";
import type { ContentModel } from "#core/schema/model.js";
import { buildModel } from "#core/schema/build-model.js";
import { serverDatabase } from "../../databases.js";

/** A version of an app whose cars have so many attributes. */
function version(database: object, attributes: object): PlinthApp {
  const car = {
    kind: "collectionType" as const,
    info: { singularName: "car", pluralName: "cars", displayName: "Car" },
    attributes: attributes as never,
  };
  return createPlinth({
    root: import.meta.dirname,
    plugins: [],
    app: { contentTypes: { "api::car.car": car } },
    config: { server: { port: 0, management: 0 }, log: { level: "silent" }, schema: { sync: "additive" }, database },
    environment: "test",
  });
}

const schemaOf = async (management: string | undefined): Promise<unknown> => {
  const { checks } = (await (await fetch(`${management}/health/ready`)).json()) as { checks: { schema: unknown } };
  return checks.schema;
};

describe("the check of the schema", () => {
  const found = serverDatabase();
  const running: PlinthApp[] = [];
  after(() => Promise.all(running.map((app) => app.stop())));

  it("is degraded in a process whose tables a newer version has changed, and ok in that one", async () => {
    if (!found) return;
    const start = async (attributes: object): Promise<PlinthApp> => {
      const app = version(found.config(), attributes);
      running.push(app);
      await app.start();
      return app;
    };
    const old = await start({ plate: { type: "string" } });
    while (!old.app.db.messages.isListening) await sleep(20);
    expect(await schemaOf(old.management())).to.deep.equal({ status: "ok" });
    const before = old.app.db.statementCount;
    const next = await start({ plate: { type: "string" }, seats: { type: "integer" } });
    const behind = { status: "degraded", reason: "a newer version of this app has changed the tables" };
    while (((await schemaOf(old.management())) as { status: string }).status === "ok") await sleep(50);
    expect(await schemaOf(old.management())).to.deep.equal(behind);
    expect(await schemaOf(next.management())).to.deep.equal({ status: "ok" });
    expect((await fetch(`${old.management()}/health/ready`)).status).to.equal(200);
    // What the old one asked for by itself is no cost of anybody's work.
    expect(old.app.db.statementCount).to.equal(before);
  });

  it("asks the database once, again when the tables were changed, and again where it had no answer", async () => {
    let asked = 0;
    let changed: () => void = () => undefined;
    let answer = (): Promise<object[]> => Promise.resolve([{ is_there: false }]);
    const db = {
      query: () => {
        asked += 1;
        return answer();
      },
      messages: {
        subscribe: (channel: string, { onMessage }: { onMessage: () => void }) => {
          expect(channel).to.equal(SCHEMA_CHANNEL);
          changed = onMessage;
        },
      },
    } as unknown as Database;
    const check = schemaCheck(db, emptyModel(), undefined);
    for (let i = 0; i < 3; i += 1) expect(await check.run()).to.deep.equal({ status: "ok" });
    expect(asked).to.equal(1);
    changed();
    answer = () => Promise.reject(new Error("no answer"));
    const failure = await Promise.resolve(check.run()).catch((error: unknown) => error);
    expect(failure).to.have.property("message", "no answer");
    answer = () => Promise.resolve([{ is_there: false }]);
    expect(await check.run()).to.deep.equal({ status: "ok" });
    expect(asked).to.equal(3);
  });

  it("is degraded while indexes are missing", async () => {
    const db = { query: () => Promise.resolve([]), messages: { subscribe: () => () => undefined } };
    const indexes = { missing: 2, done: Promise.resolve(), stop: () => Promise.resolve() };
    const check = schemaCheck(db as unknown as Database, emptyModel(), indexes);
    expect(await check.run()).to.deep.equal({ status: "degraded", reason: "indexes are not made yet", missing: 2 });
    indexes.missing = 0;
    expect(await check.run()).to.deep.equal({ status: "ok" });
  });
});

const emptyModel = (): ContentModel => buildModel({ contentTypes: [], components: [] });
