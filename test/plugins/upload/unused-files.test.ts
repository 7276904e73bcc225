import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { jobs, jobsPlugin } from "@plinth/plugin-jobs";
import { expect } from "chai";
import { serverDatabase } from "../../databases.js";
import { runCheck } from "./run-check.js";
import { makeImage } from "./sample-files.js";
import { serveUploads } from "./serve-uploads.js";

const REMOVE = "upload:remove-unused";
const DAY = 86_400_000;

describe("stored files, where there are jobs", () => {
  const database = serverDatabase();
  if (!database) return;
  const uploads = serveUploads(database, { plugins: [jobsPlugin] });
  const known = () => uploads().plinth.app.extension(jobs);
  const upload = async () =>
    (await uploads().send([{ name: "a.png", content: await makeImage(600, 300, "png") }])).body[0];
  const keysOf = (hash: string) =>
    uploads()
      .stored()
      .filter((key) => key.includes(hash));
  /** As if the days had passed. */
  const runNow = async () => {
    const text = "update plinth_jobs set at = now() where name = $1";
    await uploads().plinth.app.db.query({ text, values: [REMOVE] });
    await known().idle();
  };

  it("stay for seven days when they are deleted, which the check knows, and then go", async () => {
    const file = await upload();
    await runNow();
    expect(keysOf(file.hash), "what has a row stays").to.have.length(3);
    const { status } = await uploads().ask("DELETE", `/api/upload/files/${file.id}`);
    expect(status).to.equal(200);
    const [waiting, ...others] = await known().waiting<{ keys: string[] }>(REMOVE);
    expect([waiting?.data.keys.length, others]).to.deep.equal([3, []]);
    expect(Number(waiting?.at) - Date.now()).to.be.within(6.9 * DAY, 7.1 * DAY);
    expect(keysOf(file.hash)).to.have.length(3);
    expect(await runCheck(uploads().plinth.app)).to.deep.equal([
      "3 stored file(s) wait for a job that removes those which no row uses.",
      "Storage and table agree.",
    ]);
    await runNow();
    expect(keysOf(file.hash)).to.deep.equal([]);
    expect(await runCheck(uploads().plinth.app)).to.deep.equal(["Storage and table agree."]);
  });

  it("go at once where somebody needs the room, but for those that a row has, or that an upload has just stored", async () => {
    const [deleted, restored] = [await upload(), await upload()];
    await runNow();
    await uploads().ask("DELETE", `/api/upload/files/${deleted.id}`);
    // As in a database that was restored to a time: the row is there, and a job of later.
    const later = { at: new Date(Date.now() + 7 * DAY) };
    await known().enqueue(REMOVE, { provider: "local", hash: restored.hash, keys: keysOf(restored.hash) }, later);
    const stored = await upload();
    const { app } = uploads().plinth;
    expect(await runCheck(app, { removeDeleted: true })).to.include("Removed 3 stored file(s) that were deleted.");
    expect(keysOf(deleted.hash)).to.deep.equal([]);
    expect(keysOf(restored.hash)).to.have.length(3);
    expect(keysOf(stored.hash)).to.have.length(3);
    const waiting = await known().waiting<{ hash: string }>(REMOVE);
    expect(waiting.map(({ data }) => data.hash)).to.have.members([restored.hash, stored.hash]);
    expect(await runCheck(app, { removeDeleted: true })).to.include("Removed 0 stored file(s) that were deleted.");
  });

  it("of formats that were replaced go as well, and those in their place stay", async () => {
    const file = await upload();
    const path = `/api/upload?id=${file.id}`;
    const content = await makeImage(700, 200, "png");
    expect((await uploads().send([{ name: "b.png", content }], { path })).status).to.equal(200);
    expect(keysOf(file.hash)).to.have.length(5);
    await runNow();
    const { body } = await uploads().ask("GET", `/api/upload/files/${file.id}`);
    const used = Object.values(body.formats as Record<string, { hash: string }>).map(({ hash }) => `${hash}.png`);
    expect(keysOf(file.hash)).to.have.members([`${file.hash}.png`, ...used]);
  });

  it("of an upload whose process was killed before its row go after an hour", async () => {
    const keys = ["left_0123456789.png", "small_left_0123456789.png"];
    for (const key of keys) writeFileSync(join(uploads().directory, key), "left behind");
    await known().enqueue(REMOVE, { provider: "local", hash: "left_0123456789", keys });
    await known().enqueue(REMOVE, { provider: "another", hash: "left_0123456789", keys: ["unknown"] });
    await known().idle();
    expect(keysOf("left")).to.deep.equal([]);
  });
});
