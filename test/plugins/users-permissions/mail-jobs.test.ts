import { createPlinth } from "@plinth/core";
import { type Jobs, jobs, jobsPlugin } from "@plinth/plugin-jobs";
import { catchMails, type MailCatcher } from "@plinth/test-kit";
import { expect } from "chai";
import { pino } from "pino";
import { eventually } from "../../core/database/driver/note-app.js";
import { serverDatabase } from "../../databases.js";
import { type AuthApp, PASSWORD, SECRET, startAuthApp } from "./auth-app.js";

const OTHER = "another secret of the tests, long enough";

describe("mails and sessions, where there are jobs", () => {
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
    await apps.shift()?.plinth.stop();
    expect(mails.all).to.deep.equal([]);
    await start({ jwtSecret: [OTHER, SECRET] });
    const { links } = await mails.next({ to: "ada@example.com", subject: "Reset" });
    expect(links[0]).to.include("code=");
  });

  it("that follow from a new address are in the transaction of the change, and in none that was rolled back", async () => {
    const first = await start({ emailConfirmation: { enabled: true } }, false);
    const { app } = first.plinth;
    const users = app.plugin("users-permissions").service("users");
    const { id } = await users.create({
      username: "kay",
      email: "kay@example.com",
      password: PASSWORD,
      confirmed: true,
    });
    const waiting = async () => (await app.db.query({ text: "select data from plinth_jobs", values: [] })).length;
    const undone = app.db.transaction(async () => {
      await users.update(id, { email: "kay@example.net" });
      throw new Error("no");
    });
    await undone.catch(() => undefined);
    expect(await waiting()).to.equal(0);
    await app.db.transaction(async () => {
      await users.update(id, { email: "kay@example.org" });
      expect(await waiting()).to.equal(1);
    });
    await apps.shift()?.plinth.stop();
    await start({ emailConfirmation: { enabled: true } });
    await mails.next({ to: "kay@example.com", subject: "was changed" });
    const { links } = await mails.next({ to: "kay@example.org", subject: "Confirm" });
    expect(links[0]).to.include("confirmation=");
  });

  it("of a forgotten password are asked for before the answer, alike for every address, in words that cannot be read", async () => {
    const first = await start({ emailConfirmation: { enabled: true } }, false);
    const { app } = first.plinth;
    await first.register("kim");
    const registered = await app.db.query({ text: "delete from plinth_jobs returning name", values: [] });
    expect(registered, "before the answer to a registration").to.have.length(1);
    const waiting = () =>
      app.db.query<{ name: string; data: { sealed: string } }>({
        text: "select name, data from plinth_jobs",
        values: [],
      });
    const lengths: number[][] = [];
    for (const path of ["forgot-password", "send-email-confirmation"])
      for (const email of ["kim@example.com", "nob@example.com"]) {
        await first.post(`/api/auth/${path}`, { email });
        lengths.push((await waiting()).map(({ data }) => data.sealed.length));
      }
    expect(lengths.map(({ length }) => length)).to.deep.equal([1, 2, 3, 4]);
    const [of, nobody, again, none] = lengths.at(-1) ?? [];
    expect([of, again]).to.deep.equal([nobody, none]);
    // With the sign, which no sealed text has: three letters are in one by chance.
    expect(JSON.stringify(await waiting())).not.to.match(/kim@|nob@|example/);
    const long = `${"a".repeat(900_000)}@example.com`;
    expect((await first.post("/api/auth/forgot-password", { email: long })).body).to.deep.equal({ ok: true });
    expect(await waiting(), "for an address that is longer than any").to.have.length(4);
    const worker = await start({ emailConfirmation: { enabled: true } });
    await jobsOf(worker).idle();
    expect(mails.all.map(({ to, subject }) => [...to, subject])).to.have.deep.members([
      ["kim@example.com", "Reset your password"],
      ["kim@example.com", "Confirm your e-mail address"],
    ]);
  });

  it("of codes are there as soon as the code is stored: what fails in between undoes both, and is done again", async () => {
    const app = await start();
    const { db, model } = app.plinth.app;
    await app.register("eve");
    const table = model.contentTypes.get("plugin::users-permissions.user")?.table;
    await db.query({
      text: "alter table plinth_jobs add constraint full_up check (name <> 'users-permissions:mail')",
      values: [],
    });
    await app.post("/api/auth/forgot-password", { email: "eve@example.com" });
    const stored = async () => {
      const text = `select (select reset_password_token from "${table}" where username = 'eve') as code, name, fault is not null as failed from plinth_jobs`;
      return await db.query({ text, values: [] });
    };
    await eventually(async () =>
      expect(await stored()).to.deep.equal([{ code: null, name: "users-permissions:account-mail", failed: true }]),
    );
    await db.query({ text: "alter table plinth_jobs drop constraint full_up", values: [] });
    await mails.next({ to: "eve@example.com", subject: "Reset" }, { timeout: 30_000 });
  });

  it("that are too large to wait are refused in words of mails, with their size and the limit", async () => {
    const { plinth } = await start({}, false);
    const send = (length: number) =>
      plinth.app.mail.send({ to: "a@example.com", subject: "S", text: "T", html: "ä".repeat(length / 2) });
    const refused = await send(800_000).catch((error: unknown) => error);
    expect(refused).to.include({ code: "PLINTH_MAIL_TOO_LARGE" });
    expect(String(refused)).to.match(/ 8000\d\d bytes.* 740000/);
    await send(739_000);
    expect(await plinth.app.db.query({ text: "select 1 from plinth_jobs", values: [] })).to.have.length(1);
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
