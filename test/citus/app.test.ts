import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { type Jobs, jobs, jobsPlugin } from "@plinth/plugin-jobs";
import { schedulePlugin } from "@plinth/plugin-schedule";
import { uploadPlugin } from "@plinth/plugin-upload";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { expect } from "chai";
import { doctorCommand } from "#core/cli/doctor-command.js";
import { citusDatabase } from "../databases.js";
import { ARTICLE, type HistoryApp, startHistoryApp, TAG, told } from "../plugins/history/history-app.js";
import { runCommand } from "../run-command.js";

const PLUGINS = [apiTokensPlugin, usersPermissionsPlugin, jobsPlugin, schedulePlugin, uploadPlugin];
const PERSON = { username: "ada", email: "ada@example.com", password: "Analytical-Engine-1843" };

/** What the deployment guide says runs on Citus: each statement is looked at, or runs on a real one. */
describe("an app on Citus", () => {
  const database = citusDatabase();
  if (!database) return;
  let app: HistoryApp;
  let tag: string;
  before("start it", async () => {
    app = await startHistoryApp(database.config(), { plugins: PLUGINS });
    tag = (await app.app.documents(TAG).create({ data: { name: "red" } })).documentId;
  });
  const articles = () => app.app.documents(ARTICLE);

  it("signs people in, and counts how often they tried", async () => {
    expect((await app.public.post("/api/auth/local/register", PERSON)).status).to.equal(200);
    const login = { identifier: PERSON.email, password: PERSON.password };
    for (const [password, status] of [
      ["wrong", 400],
      [PERSON.password, 200],
    ] as const)
      expect((await app.public.post("/api/auth/local", { ...login, password })).status).to.equal(status);
  });

  it("publishes documents in languages, with links of components and from the other side, and keeps versions", async () => {
    const data = { title: "One", box: { label: "b", tag }, tags: [tag] };
    const { documentId } = await articles().create({ data });
    await articles().publish({ documentId });
    await articles().update({ documentId, locale: "fr", data: { title: "Un", box: { label: "c", tag } } });
    await articles().publish({ documentId, locale: "*" });
    await articles().update({ documentId, data: { title: "Two", price: "2.50" } });
    await articles().discardDraft({ documentId });
    await articles().unpublish({ documentId });
    const versions = await app.history.list(ARTICLE, { documentId, locale: "en" });
    expect(told(versions).length).to.be.greaterThan(3);
    const found = await articles().findOne({ documentId, populate: { box: { populate: "*" }, tags: true } });
    expect(found).to.nested.include({ title: "One", "box.tag.name": "red", "tags[0].name": "red" });
  });

  it("does what is planned, by a job, at its time", async () => {
    const { documentId } = await articles().create({ data: { title: "Later" } });
    const client = await app.signIn({ token: "full-access" });
    const publishAt = new Date(app.app.clock.now() + 300).toISOString();
    expect((await client.post(`/api/articles/${documentId}/actions/schedule`, { publishAt })).status).to.equal(200);
    const known: Jobs = app.app.extension(jobs);
    while ((await known.waiting("schedule:run")).length > 0) await known.idle();
    // It may have begun since.
    await known.idle();
    expect(await articles().findOne({ documentId, status: "published" })).to.include({ title: "Later" });
  });

  it("is examined and repaired by plinth doctor", async () => {
    const { stdout } = await runCommand(doctorCommand, app.app, { options: { repair: true, json: true } });
    expect(stdout).not.to.include("not examined");
  });

  it("is gone from the processes when it has stopped", async () => {
    const db = await database.connect();
    const count = async () =>
      (await db.query({ text: "select count(*)::int as n from plinth_processes", values: [] }))[0];
    expect(await count()).to.deep.equal({ n: 1 });
    await app.stop();
    expect(await count()).to.deep.equal({ n: 0 });
  });
});
