import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { GuardedClient } from "#core/database/driver/guarded-client.js";
import { type ListenerParts, PostgresListener } from "#core/database/driver/messages.js";
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
    const client = () => new GuardedClient({ connectionString: config().connection });
    /** A pool whose connections are new each time. */
    const pool: Pick<ListenerParts, "acquire" | "release"> = {
      acquire: () => client().connect() as Promise<GuardedClient>,
      release: (connection) => void connection.leave(),
    };

    it("is not listening behind a pooler that drops notifications", async () => {
      const connect = () => new DeafClient({ connectionString: config().connection });
      const listener = new PostgresListener({ ...pool, connect });
      listener.open("some_channel", HANDLER);
      await sleep(1_000);
      expect(listener.isListening).to.equal(false);
      await listener.close();
    });

    it("is not listening while it hears what itself sends alone, as behind a pooler that gives its session to others", async () => {
      const elsewhere = new URL(config().connection);
      elsewhere.pathname = "/postgres";
      const acquire = () => new GuardedClient({ connectionString: elsewhere.href }).connect() as Promise<GuardedClient>;
      const listener = new PostgresListener({ ...pool, acquire, connect: client });
      listener.open("some_channel", HANDLER);
      await sleep(1_000);
      expect(listener.isListening).to.equal(false);
      await listener.close();
    });

    it("goes on listening while the pool has no connection for a heartbeat", async () => {
      let isBusy = false;
      let tries = 0;
      const acquire = () => {
        if (!isBusy) return pool.acquire();
        tries += 1;
        return Promise.reject(Object.assign(new Error("no connection"), { name: "KnexTimeoutError" }));
      };
      const listener = new PostgresListener({ ...pool, acquire, connect: client });
      listener.open("some_channel", HANDLER);
      while (!listener.isListening) await sleep(10);
      isBusy = true;
      while (tries < 2) {
        await sleep(50);
        expect(listener.isListening).to.equal(true);
      }
      await listener.close();
    });

    it("receives what any client notifies on its channel", async () => {
      const heard: string[] = [];
      const listener = new PostgresListener({ ...pool, connect: client });
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
      const connect = () => {
        tries += 1;
        return new GuardedClient({ connectionString: "postgres://nobody@127.0.0.1:1/nothing" });
      };
      const listener = new PostgresListener({ ...pool, connect });
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
