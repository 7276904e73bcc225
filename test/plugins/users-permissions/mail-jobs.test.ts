import { createPlinth } from "@plinth/core";
import { type Jobs, jobs, jobsPlugin } from "@plinth/plugin-jobs";
import { catchMails, type MailCatcher } from "@plinth/test-kit";
import { expect } from "chai";
import { pino } from "pino";
import { eventually } from "../../core/database/driver/note-app.js";
import { serverDatabase } from "../../databases.js";
import { type AuthApp, PASSWORD, SECRET, startAuthApp } from "./auth-app.js";

const OTHER = "another secret of the tests, long enough";

describe("mails and sessions, where there are jobs", function () {
  this.timeout(60_000);
  const database = serverDatabase();
  if (!database) return;
  let mails: MailCatcher;
  const apps: AuthApp[] = [];
  const start = async (config: object = {}, works = true) => {
    const app = await startAuthApp(database, {
      config: {
        mail: { smtp: mails.url, templates: { greeting: { subject: "Hello {{ name }}", text: "{{ name }}" } } },
        ...config,
      },
      setup: { plugins: [jobsPlugin], app: {} },
      jobs: { work: works },
    });
    apps.push(app);
    return app;
  };
  const jobsOf = ({ plinth }: AuthApp): Jobs => plinth.app.extension(jobs);
  before("start a mail server", async () => {
    mails = await catchMails();
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map(({ plinth }) => plinth.stop()));
    await (await database.connect()).query({ text: "truncate plinth_jobs", values: [] });
    mails.clear();
  });
  after(() => mails.stop());

  it("belong to the transaction of their caller, and wait without a word that can be read", async () => {
    const sender = await start({}, false);
    const { app } = sender.plinth;
    const greet = (name: string) => app.mail.send({ to: "a@example.com", template: "greeting", variables: { name } });
    await app.db.transaction(() => greet("Ada"));
    const undone = app.db.transaction(async () => {
      await greet("Grace");
      throw new Error("no");
    });
    await undone.catch(() => undefined);
    await app.mail.send({ to: "b@example.com", subject: "S", text: "written" }, { key: "once" });
    await app.mail.send({ to: "b@example.com", subject: "S", text: "again" }, { key: "once" });
    const rows = await app.db.query<{ data: object }>({ text: "select data from plinth_jobs", values: [] });
    expect(rows).to.have.length(2);
    expect(JSON.stringify(rows)).not.to.match(/Ada|example/);
    const [worker] = [await start()];
    await jobsOf(worker).idle();
    expect(mails.all.map(({ subject, to }) => [subject, ...to])).to.have.deep.members([
      ["Hello Ada", "a@example.com"],
      ["S", "b@example.com"],
    ]);
  });

  it("that nobody could send when their process ended are sent by the next one", async () => {
    const first = await start({}, false);
    await first.register("ada");
    await first.post("/api/auth/forgot-password", { email: "ada@example.com" });
    await first.plinth.app.plugin("users-permissions").service("auth").settle();
    await apps.shift()?.plinth.stop();
    expect(mails.all).to.deep.equal([]);
    await start({ jwtSecret: [OTHER, SECRET] });
    const { links } = await mails.next({ to: "ada@example.com", subject: "Reset" });
    expect(links[0]).to.include("code=");
  });

  it("of codes are there as soon as the code is stored: a connection that is cut in between takes both", async () => {
    const sender = await start({}, false);
    const { app } = sender.plinth;
    await sender.register("eve");
    const table = app.model.contentTypes.get("plugin::users-permissions.user")?.table;
    const other = await database.connect();
    await other.transaction(async () => {
      await other.query({ text: "lock table plinth_jobs in exclusive mode", values: [] });
      await sender.post("/api/auth/forgot-password", { email: "eve@example.com" });
      const cut = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into plinth_jobs%'`;
      await eventually(async () => expect(await app.db.query({ text: cut, values: [] })).to.have.length(1));
      await app.plugin("users-permissions").service("auth").settle();
    });
    const text = `select (select reset_password_token from "${table}" where username = 'eve') as code,
      (select count(*)::int from plinth_jobs) as mails`;
    expect(await app.db.query({ text, values: [] })).to.deep.equal([{ code: null, mails: 0 }]);
  });

  it("cannot be read without their secret", async () => {
    const first = await start({}, false);
    await first.plinth.app.mail.send({ to: "a@example.com", subject: "S", text: "T" });
    const second = await start({ jwtSecret: OTHER });
    await eventually(async () => {
      const [row] = await second.plinth.app.db.query({
        text: "select fault ->> 'code' as code from plinth_jobs",
        values: [],
      });
      expect(row).to.deep.equal({ code: "PLINTH_MAIL_SEALED" });
    });
  });

  it("sessions that have ended are deleted by a job, and not at a login", async () => {
    const app = await start({ jwtManagement: "refresh" });
    const { db } = app.plinth.app;
    await app.register("grace");
    const table = app.plinth.app.model.contentTypes.get("plugin::users-permissions.session")?.table;
    const count = async () => (await db.query({ text: `select 1 from "${table}"`, values: [] })).length;
    await db.query({ text: `update "${table}" set expires_at = now() - interval '1 hour'`, values: [] });
    const before = await count();
    await app.post("/api/auth/local", { identifier: "grace", password: PASSWORD });
    expect(await count()).to.equal(before + 1);
    await jobsOf(app).enqueue("users-permissions:expired-sessions", {});
    await jobsOf(app).idle();
    expect(await count()).to.equal(1);
  });

  it("an app without a plugin that sends mails says so", async () => {
    const plinth = createPlinth({
      ...{ root: "/nowhere", plugins: [], log: pino({ level: "silent" }) },
      config: { database: { client: "pglite", directory: ":memory:" } },
    });
    await plinth.start({ listen: false });
    expect(() => plinth.app.mail)
      .to.throw()
      .with.property("code", "PLINTH_MAIL_NONE");
    await plinth.stop();
  });
});
