import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { eachDatabase, serverDatabase } from "../../databases.js";
import { collect, eventsOf, readAll, startEvents, toldBy } from "./events-app.js";

const TAKE_XID = { text: "select pg_current_xact_id()", values: [] };

/** Something that is waited for. */
interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}

function makeGate(): Gate {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open: () => open() };
}

describe("the order of events", () => {
  const server = serverDatabase();
  const elsewhere = serverDatabase();

  describe("on PostgreSQL", () => {
    if (!server) return;
    let test: TestApp;
    before("start an app", async () => {
      test = await startEvents(server);
      const text = "create table steps (name text primary key, n int not null)";
      await test.app.db.query({ text, values: [] });
    });
    after("stop it", () => test?.stop());

    /** A transaction that has its id, and goes on by steps. */
    const begin = (work: readonly ((gate: Gate) => Promise<void>)[]) => {
      const gates = work.map(() => makeGate());
      const begun = makeGate();
      const ended = test.app.db.transaction(async () => {
        await test.app.db.query(TAKE_XID);
        begun.open();
        for (const [at, step] of work.entries()) {
          const gate = gates[at] as Gate;
          await gate.passed;
          await step(gate);
        }
      });
      return { begun: begun.passed, ended, go: (at: number) => gates[at]?.open() };
    };
    const publish = (type: string) => async () => {
      await eventsOf(test).publish(type);
      // Sent now.
      await test.app.db.queryAll([]);
    };
    const wait = async () => undefined;

    it("passes by no event whose transaction began later, took its id first, and commits last", async () => {
      const service = eventsOf(test);
      const place = await service.latest();
      const written = makeGate();
      const older = begin([publish("test.second")]);
      await older.begun;
      const younger = begin([
        async () => {
          await publish("test.first")();
          written.open();
        },
        wait,
      ]);
      await younger.begun;
      younger.go(0);
      await written.passed;
      older.go(0);
      await older.ended;
      // "second" is committed, by the transaction of the lowest id that there is; "first" has a lower id than it.
      expect((await service.read(place)).events).to.deep.equal([]);
      younger.go(1);
      await younger.ended;
      const types = (await readAll(test, place, 2)).events.map(({ type }) => type);
      expect(types).to.deep.equal(["test.first", "test.second"]);
    });

    it("keeps that of a document where a transaction that began first writes it last, beside one that goes on", async () => {
      const service = eventsOf(test);
      const place = await service.latest();
      const oldest = begin([publish("test.second")]);
      await oldest.begun;
      const beside = begin([wait]);
      await beside.begun;
      await publish("test.first")();
      oldest.go(0);
      await oldest.ended;
      const early = (await service.read(place)).events.map(({ type }) => type);
      beside.go(0);
      await beside.ended;
      const { events, place: end } = await readAll(test, place, 2);
      expect(events.map(({ type }) => type)).to.deep.equal(["test.first", "test.second"]);
      expect(["", "test.first", "test.first test.second"]).to.include(early.join(" "));
      expect(end).to.equal(await service.latest());
    });

    it("is not held back by a transaction of another database of the server", async () => {
      const service = eventsOf(test);
      const place = await service.latest();
      const other = await elsewhere?.connect();
      await other?.transaction(async () => {
        await other.query(TAKE_XID);
        await publish("test.beside")();
        const types = (await readAll(test, place, 1)).events.map(({ type }) => type);
        expect(types).to.deep.equal(["test.beside"]);
        expect(await service.latest()).to.be.greaterThan(place);
      });
    });

    it("is not held back by a transaction of another database that began after the last write", async () => {
      const service = eventsOf(test);
      const place = await service.latest();
      const other = await elsewhere?.connect();
      await publish("test.before")();
      await other?.transaction(async () => {
        await other.query(TAKE_XID);
        const types = (await readAll(test, place, 1)).events.map(({ type }) => type);
        expect(types).to.deep.equal(["test.before"]);
      });
    });

    it("holds under 12 writers and transactions of every length: nothing is missing, nothing twice, each document in order", async () => {
      const documents = Array.from({ length: 5 }, (_, index) => `d${index}`);
      const { db } = test.app;
      for (const name of documents) await db.query({ text: "insert into steps values ($1, 0)", values: [name] });
      const taken = await collect(test, "order", { types: ["test.step"], batch: 7 });
      let rolledBack = 0;
      const step = async (name: string) => {
        const text = "update steps set n = n + 1 where name = $1 returning n";
        const [row] = await db.query<{ n: number }>({ text, values: [name] });
        await eventsOf(test).publish("test.step", { documentId: name }, { n: row?.n });
      };
      const write = async (run: number) => {
        const names = documents.filter(() => Math.random() < 0.4).sort();
        const fails = run % 10 === 0;
        const work = db.transaction(async () => {
          await db.query(TAKE_XID);
          if (run % 7 === 0) await db.query({ text: "select pg_sleep(random() * 0.05)", values: [] });
          for (const name of names) await step(name);
          if (fails) throw new Error("taken back");
        });
        await work.catch(() => {
          rolledBack += 1;
        });
      };
      const writer = async () => {
        for (let run = 1; run <= 40; run += 1) await write(run);
      };
      await Promise.all(Array.from({ length: 12 }, writer));
      const rows = await db.query<{ name: string; n: number }>({ text: "select name, n from steps", values: [] });
      const total = rows.reduce((sum, { n }) => sum + n, 0);
      const all = await taken.reach(total);
      await taken.stop();
      expect(rolledBack).to.equal(48);
      expect(all).to.have.length(total);
      for (const { name, n } of rows) {
        const steps = all.filter(({ documentId }) => documentId === name).map(({ data }) => (data as { n: number }).n);
        expect(steps).to.deep.equal(Array.from({ length: n }, (_, index) => index + 1));
      }
      for (const [at, { id }] of all.entries()) if (at > 0) expect(id).to.be.greaterThan(all[at - 1]?.id ?? 0);
      console.log(`      ${total} events of 12 writers in order, ${rolledBack} transactions taken back`);
    });
  });

  eachDatabase((database) => {
    it("goes on where transactions were taken back", async () => {
      const test = await startEvents(database);
      const told = await toldBy(test, async () => {
        for (const type of ["test.a", "test.b", "test.c"]) {
          const work = test.app.db.transaction(async () => {
            await eventsOf(test).publish(type);
            await test.app.db.queryAll([]);
            if (type === "test.b") throw new Error("taken back");
          });
          await work.catch(() => undefined);
        }
      });
      await test.stop();
      expect(told.map(({ type }) => type)).to.deep.equal(["test.a", "test.c"]);
      expect((told[1]?.id ?? 0) - (told[0]?.id ?? 0)).to.equal(2);
    });
  });
});
