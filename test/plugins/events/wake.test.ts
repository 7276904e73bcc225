import { expect } from "chai";
import { pino } from "pino";
import type { Messages, Subscriber } from "@plinth/core";
import { Wake } from "#plugins/events/src/wake.js";

/** Messages between processes, each of which hears them all. */
class Hall {
  readonly sent: string[] = [];
  readonly #subscribers = new Set<Subscriber>();

  readonly messages: Messages = {
    isListening: true,
    invalidateAll: () => {
      for (const { onLost } of this.#subscribers) onLost();
    },
    publish: async (_channel, text) => {
      this.sent.push(text);
      for (const { onMessage } of this.#subscribers) onMessage(text);
    },
    subscribe: (_channel, subscriber) => {
      this.#subscribers.add(subscriber);
      return () => void this.#subscribers.delete(subscriber);
    },
  };

  constructor(private readonly now: () => number) {}

  open(): Wake {
    const wake = new Wake({ log: pino({ level: "silent" }), db: { messages: this.messages } }, this.now);
    wake.open();
    return wake;
  }
}

describe("messages to readers of events", () => {
  const MINUTE = 60_000;
  let ahead = 0;
  const now = () => performance.now() + ahead;
  const sendOne = async (wake: Wake) => {
    wake.send();
    await new Promise((resolve) => setTimeout(resolve, 60));
  };

  it("are sent where some process has readers, and not where none has said so for a minute", async () => {
    const hall = new Hall(now);
    const [writing, reading] = [hall.open(), hall.open()];
    await sendOne(writing);
    expect(hall.sent).to.deep.equal([""]);
    ahead += MINUTE + 1;
    await sendOne(writing);
    expect(hall.sent).to.deep.equal([""]);
    let calls = 0;
    const end = reading.listen(() => (calls += 1));
    expect(hall.sent).to.deep.equal(["", "listening"]);
    expect(calls).to.equal(0);
    await sendOne(writing);
    expect(hall.sent).to.deep.equal(["", "listening", ""]);
    expect(calls).to.equal(1);
    end();
    ahead += MINUTE + 1;
    await sendOne(writing);
    expect(hall.sent).to.have.length(3);
    // Somebody may have said so meanwhile.
    hall.messages.invalidateAll();
    await sendOne(writing);
    expect(hall.sent).to.have.length(4);
    writing.close();
    reading.close();
  });
});
