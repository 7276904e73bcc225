import { createPlinth, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { LiveMessages } from "#plugins/admin/src/live/live-messages.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { serverDatabase } from "../../databases.js";

const HOLDS = 30_000;
const RECEIVER = { changed: () => undefined, moved: () => undefined, lost: () => undefined };

describe("messages between processes about writes", () => {
  const database = serverDatabase();
  let plinth: PlinthApp | undefined;
  after("stop the app", () => plinth?.stop());

  it("are sent from the start on, also where the process listened to others before, until nobody said to listen for long", async () => {
    if (!database) return;
    plinth = createPlinth({
      root: import.meta.dirname,
      plugins: [],
      config: { server: { port: 0 }, log: { level: "silent" }, database: database.config() },
      environment: "test",
    });
    await plinth.start();
    const { app } = plinth;
    app.db.messages.subscribe("another", { onMessage: () => undefined, onLost: () => undefined });
    await eventually(async () => expect(app.db.messages.isListening).to.equal(true));
    let now = 0;
    const messages = new LiveMessages(app, RECEIVER, () => now);
    expect(messages.isHeard).to.equal(false);
    messages.open();
    expect(messages.isHeard).to.equal(true);
    now += HOLDS;
    expect(messages.isHeard).to.equal(false);
    messages.close();
  });
});
