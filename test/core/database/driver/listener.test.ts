import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { GuardedClient } from "../../../../core/src/database/driver/guarded-client.js";
import { PostgresListener } from "../../../../core/src/database/driver/listener.js";
import { eachDatabase } from "../../../databases.js";

const HEARING = { hear: () => undefined, missed: () => undefined };

/** What a pooler makes of a connection: it answers, and passes no notifications on. */
class DeafClient extends GuardedClient {
  override on(event: string, listener: (...args: never[]) => void): this {
    return event === "notification" ? this : super.on(event as "end", listener as () => void);
  }
}

eachDatabase((database) => {
  const config = () => database.config() as { connection: string };
  if (database.kind !== "postgres") return;

  describe("the listener of a database", () => {
    it("does not count as hearing behind a pooler that passes nothing on", async () => {
      const listener = new PostgresListener(() => new DeafClient({ connectionString: config().connection }));
      listener.open("some_channel", HEARING);
      await sleep(1_000);
      expect(listener.isHearing).to.equal(false);
      await listener.close();
    });

    it("hears what anybody says on its channel", async () => {
      const heard: string[] = [];
      const listener = new PostgresListener(() => new GuardedClient({ connectionString: config().connection }));
      listener.open("some_channel", { ...HEARING, hear: (payload) => heard.push(payload) });
      while (!listener.isHearing) await sleep(10);
      const db = await database.connect();
      await db.query({
        text: "select pg_notify('some_channel', 'hello'), pg_notify('other_channel', 'no')",
        values: [],
      });
      while (heard.length === 0) await sleep(10);
      expect(heard).to.deep.equal(["hello"]);
      await listener.close();
    });

    it("tries again and again where there is no server, and can be closed at any time", async () => {
      let tries = 0;
      const listener = new PostgresListener(() => {
        tries += 1;
        return new GuardedClient({ connectionString: "postgres://nobody@127.0.0.1:1/nothing" });
      });
      listener.open("some_channel", HEARING);
      while (tries < 2) await sleep(20);
      expect(listener.isHearing).to.equal(false);
      await listener.close();
      const before = tries;
      await sleep(700);
      expect(tries).to.equal(before);
    });
  });
});
