import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { makeSecret } from "#plugins/webhooks/src/requests/sign.js";
import { serverDatabase } from "../../databases.js";
import { endpoint, NOTE, startWebhooks, webhooksOf } from "./webhooks-app.js";

describe("where a webhook begins", () => {
  const database = serverDatabase();
  let test: TestApp;
  before("start an app", async () => {
    if (!database) throw new TypeError("TEST_DATABASE_URL is not set: run npm test.");
    test = await startWebhooks(database);
  });
  after("stop it", () => test?.stop());

  const write = (text: string) => test.app.documents(NOTE).create({ data: { text } });
  /** Makes webhooks while something that was written has not been looked at: its transaction has not ended. */
  const whileWritten = async <T>(make: () => Promise<T>): Promise<T> => {
    const made = new PassThrough();
    const written = new PassThrough();
    const open = test.app.db.transaction(async () => {
      await write("before");
      written.end("written");
      await once(made, "data");
    });
    await once(written, "data");
    const result = await make();
    made.end("made");
    await open;
    return result;
  };
  const next = async () => (await test.webhooks.next({}, { timeout: 20_000 })).body.data.entry.text;

  it("gets what is written after it was made, and nothing older that was not looked at", async () => {
    await whileWritten(() => endpoint(test, "new", { content: true }));
    await write("after");
    expect(await next()).to.equal("after");
  });

  it("gets the same where code makes it past the service", async () => {
    const name = "past";
    const values = {
      name,
      url: "https://example.com/past",
      events: ["entry.*"],
      secrets: [makeSecret()],
      content: true,
    };
    const old = (await webhooksOf(test).find("new"))?.documentId ?? "";
    await webhooksOf(test).update(old, { enabled: false });
    await whileWritten(() => test.app.documents("plugin::webhooks.endpoint").create({ data: values }));
    // As soon as this process knows it, what is in documents is kept.
    await webhooksOf(test).list();
    await write("after");
    expect(await next()).to.equal("after");
    await webhooksOf(test).remove((await webhooksOf(test).find(name))?.documentId ?? "");
  });

  it("gets what is written after it was enabled again", async () => {
    const { documentId } = await endpoint(test, "again", { content: true, enabled: false });
    await whileWritten(() => webhooksOf(test).update(documentId, { enabled: true }));
    await write("enabled");
    expect(await next()).to.equal("enabled");
  });
});
