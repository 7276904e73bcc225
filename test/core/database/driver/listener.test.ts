import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { GuardedClient } from "../../../../core/src/database/driver/guarded-client.js";
import { PostgresListener } from "../../../../core/src/database/driver/messages.js";
import { eachDatabase } from "../../../databases.js";

const HANDLER = { onNotification: () => undefined, onLost: () => undefined };

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
    it("is not listening behind a pooler that drops notifications", async () => {
      const listener = new PostgresListener(() => new DeafClient({ connectionString: config().connection }));
      listener.open("some_channel", HANDLER);
      await sleep(1_000);
      expect(listener.isListening).to.equal(false);
      await listener.close();
    });

    it("receives what any client notifies on its channel", async () => {
      const heard: string[] = [];
      const listener = new PostgresListener(() => new GuardedClient({ connectionString: config().connection }));
      listener.open("some_channel", { ...HANDLER, onNotification: (payload) => heard.push(payload) });
      while (!listener.isListening) await sleep(10);
      const db = await database.connect();
      await db.query({
        text: "select pg_notify('some_channel', 'hello'), pg_notify('other_channel', 'no')",
        values: [],
      });
      while (heard.length === 0) await sleep(10);
      expect(heard).to.deep.equal(["hello"]);
      await listener.close();
    });

    it("keeps reconnecting while there is no server, and can be closed at any time", async () => {
      let tries = 0;
      const listener = new PostgresListener(() => {
        tries += 1;
        return new GuardedClient({ connectionString: "postgres://nobody@127.0.0.1:1/nothing" });
      });
      listener.open("some_channel", HANDLER);
      while (tries < 2) await sleep(20);
      expect(listener.isListening).to.equal(false);
      await listener.close();
      const before = tries;
      await sleep(700);
      expect(tries).to.equal(before);
    });
  });
});
