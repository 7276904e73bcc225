import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { eachDatabase } from "../../../databases.js";

/** What a subscriber was told, in order. */
function listen(db: Database, channel: string): string[] {
  const told: string[] = [];
  db.messages.subscribe(channel, { onMessage: (text) => told.push(text), onLost: () => told.push("(lost)") });
  return told;
}

async function until(what: () => boolean): Promise<void> {
  while (!what()) await sleep(10);
}

eachDatabase((database) => {
  describe("messages", () => {
    let db: Database;
    before("connect", async () => {
      db = await database.connect();
    });

    it("reach the process that sends them, at once and once, on their channel only", async () => {
      const heard = listen(db, "one");
      const other = listen(db, "other");
      await until(() => db.messages.isListening);
      heard.length = 0;
      other.length = 0;
      await db.messages.publish("one", "hello");
      expect([heard, other]).to.deep.equal([["hello"], []]);
      await sleep(100);
      expect(heard).to.deep.equal(["hello"]);
    });

    it("of a transaction are delivered after its commit, and never after a rollback", async () => {
      const heard: string[] = [];
      db.messages.subscribe("two", { onMessage: (text) => heard.push(text), onLost: () => undefined });
      await db.transaction(async () => {
        await db.messages.publish("two", "kept");
        expect(heard).to.deep.equal([]);
      });
      await db
        .transaction(async () => {
          await db.messages.publish("two", "taken back");
          throw new RangeError("no");
        })
        .catch(() => undefined);
      expect(heard).to.deep.equal(["kept"]);
    });

    it("count as lost after changes of rows past the documents", () => {
      const heard = listen(db, "four");
      db.messages.invalidateAll();
      expect(heard).to.deep.equal(["(lost)"]);
    });

    it("do not reach a subscriber that has left", async () => {
      const heard: string[] = [];
      const leave = db.messages.subscribe("three", { onMessage: (text) => heard.push(text), onLost: () => undefined });
      leave();
      await db.messages.publish("three", "hello");
      expect(heard).to.deep.equal([]);
    });

    if (database.kind !== "postgres") return;

    it("reach another process within a second", async () => {
      const other = await database.connect();
      const heard = listen(other, "four");
      await until(() => other.messages.isListening);
      heard.length = 0;
      await db.messages.publish("four", "hello");
      await until(() => heard.length > 0);
      expect(heard).to.deep.equal(["hello"]);
    });

    it("that were lost with the connection are reported as lost, and later ones arrive again", async () => {
      const other = await database.connect();
      const heard = listen(other, "five");
      await until(() => other.messages.isListening);
      heard.length = 0;
      await db.query({
        text: "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'plinth listener' and datname = current_database()",
        values: [],
      });
      await until(() => heard.includes("(lost)"));
      await until(() => other.messages.isListening);
      await db.messages.publish("five", "hello");
      await until(() => heard.at(-1) === "hello");
    });
  });
});
