import type { RegisterContext } from "@plinth/core";
import { type Act, onAct } from "@plinth/core/access";
import { jobs, jobsPlugin } from "@plinth/plugin-jobs";
import { expect } from "chai";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eventually } from "../../core/database/driver/note-app.js";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin } from "../admin/serve-admin.js";
import { signIn } from "../admin/sign-in.js";

describe("jobs, for administrators", () => {
  eitherDatabase(import.meta.url, (database) => {
    let isBroken = true;
    const ran: unknown[] = [];
    const acts: Act[] = [];
    const served = serveAdmin(database, {
      plugins: [contentApiPlugin, apiTokensPlugin, jobsPlugin, adminPlugin],
      pluginConfigs: {
        "api-tokens": { loginLimit: 1000 },
        admin: { roles: { operator: ["plugin::jobs.manage"] } },
      },
      app: {
        register: ({ extension, on }: RegisterContext<object>) => {
          on(onAct, (act) => void acts.push(act));
          extension(jobs).define({
            ...{ name: "flaky", retries: 0 },
            run: ({ data }) => {
              if (isBroken) throw new Error("out of order");
              ran.push(data);
            },
          });
          extension(jobs).define({ name: "nightly", run: () => undefined });
          extension(jobs).cron("nightly", "0 3 * * *", { timezone: "Europe/Berlin" });
        },
      } as never,
    });
    const enqueue = (data: object, options: object = {}) =>
      served().plinth.app.extension(jobs).enqueue("flaky", data, options);
    const idle = () => served().plinth.app.extension(jobs).idle();
    const ask = async (method: string, path: string, body?: object, role = "operator") =>
      await served().ask(method, `/admin/api/jobs${path}`, await signIn(served().plinth.app, role), body);
    const queue = async (name: string) =>
      (await ask("GET", "/queues")).body.data.find((each: { name: string }) => each.name === name);
    const clear = async () => {
      await served().plinth.app.db.query({ text: "delete from plinth_jobs", values: [] });
    };
    beforeEach(clear);

    it("are for roles that are granted it, and for super", async () => {
      for (const [method, path] of [
        ["GET", ""],
        ["GET", "/queues"],
        ["POST", "/retry"],
        ["POST", "/drop"],
      ] as const)
        expect((await ask(method, path, method === "POST" ? { job: "flaky" } : undefined, "editor")).status).to.equal(
          403,
        );
      expect((await ask("GET", "/queues", undefined, "super")).status).to.equal(200);
    });

    it("are counted by queue, those of names that no code has included, and never above a bound", async () => {
      isBroken = true;
      await enqueue({});
      await idle();
      const at = new Date(Date.now() + 3_600_000);
      await enqueue({}, { at });
      const { db } = served().plinth.app;
      const former =
        "insert into plinth_jobs (name, at) select 'former', now() + interval '1 day' from generate_series(1, 1200)";
      await db.query({ text: former, values: [] });
      expect(await queue("flaky")).to.deep.include({
        ...{ isDeclared: true, waiting: 1, running: 0, dead: 1, nextAt: at.toISOString(), cron: null },
      });
      expect(await queue("former")).to.deep.include({ isDeclared: false, waiting: 1000, dead: 0 });
      expect((await ask("GET", "/queues")).body.meta).to.deep.equal({ works: true, counted: 1000 });
    });

    it("have the times of the clock, of which none has been in the first second", async () => {
      const { cron } = await queue("nightly");
      expect(cron).to.deep.include({ expression: "0 3 * * *", timezone: "Europe/Berlin", lastAt: null });
      const hour = new Date(cron.nextAt).toLocaleString("en-GB", { timeZone: "Europe/Berlin", hour: "2-digit" });
      expect(hour).to.equal("03");
      const { db } = served().plinth.app;
      const text = "update plinth_cron set ticked_at = '2026-01-02T02:00:00Z' where name = 'nightly'";
      await db.query({ text, values: [] });
      expect((await queue("nightly")).cron.lastAt).to.equal("2026-01-02T02:00:00.000Z");
    });

    it("are shown with their errors, and with what is secret hidden", async () => {
      isBroken = true;
      await enqueue({
        to: "ada",
        resetPasswordToken: "hush",
        list: [{ apiKey: "hush", n: 1 }],
        note: "x".repeat(5000),
      });
      await idle();
      const { body, text } = await ask("GET", "?state=dead&job=flaky");
      expect(body.data).to.have.length(1);
      expect(body.data[0]).to.include({ job: "flaky", state: "dead", attempts: 1, reason: "out of order" });
      expect(body.data[0].data)
        .to.include('"to": "ada"')
        .and.include('"resetPasswordToken": "••••"')
        .and.include('"n": 1');
      expect(body.data[0].data.length).to.be.below(4100);
      expect(text).to.not.include("hush");
      expect(body.meta).to.deep.equal({ isCut: false });
      expect((await ask("GET", "?state=waiting")).body.data).to.deep.equal([]);
    });

    it("are shown without what is secret by a word of its name, or stands in a link", async () => {
      const hidden = {
        ...{ resetCode: "hush", confirmation_code: "hush", code: "hush", codes: ["hush"], pin: "hush", userPIN: 1234 },
        ...{
          jwt: "hush",
          JWTText: "hush",
          otp: "hush",
          "one-time-otp": "hush",
          accessKey: "hush",
          keys: { a: "hush" },
        },
        ...{ apikey: "hush", newpassword: "hush", passphrase: "hush", signature: "hush" },
      };
      const shown = { keyboard: "shown1", encoder: "shown2", pinned: "shown3", ask: "what? a=b & c" };
      const links = {
        link: "https://x.example/reset?lang=hush&code=hush#hush",
        text: 'see <a href="/reset?lang=hush&amp;code=hush">it</a>, or https://x.example/reset#hush; shown4',
        url: "smtp://user:hush@mail.example/shown5",
        cut: `/reset?code=${"hush".repeat(100)}`,
      };
      await enqueue({ ...hidden, ...shown, ...links }, { at: new Date(Date.now() + 3_600_000) });
      const data = JSON.parse((await ask("GET", "?job=flaky")).body.data[0].data);
      for (const name of Object.keys(hidden)) expect(data[name], name).to.equal("••••");
      expect(data).to.deep.include(shown);
      expect(JSON.stringify(data)).to.not.include("hush").and.not.include("1234");
      expect(data.link).to.equal("https://x.example/reset?lang=••••&code=••••#••••");
      expect(data.text).to.include("shown4");
      expect(data.url).to.equal("smtp://••••@mail.example/shown5");
    });

    it("that are dead are run again or deleted, one or all of a name; one that waits is deleted", async () => {
      isBroken = true;
      const dead = await enqueue({ n: 1 });
      for (const n of [2, 3]) await enqueue({ n });
      await idle();
      const waiting = await enqueue({ n: 4 }, { at: new Date(Date.now() + 3_600_000) });
      isBroken = false;
      expect((await ask("POST", "/retry", { id: dead })).body.data).to.deep.equal({ jobs: 1 });
      await eventually(async () => expect(ran).to.deep.equal([{ n: 1 }]));
      expect((await ask("POST", "/drop", { id: waiting })).body.data).to.deep.equal({ jobs: 1 });
      expect((await ask("POST", "/retry", { job: "flaky" })).body.data).to.deep.equal({ jobs: 2 });
      await eventually(async () => expect(ran).to.have.length(3));
      expect((await ask("POST", "/drop", { job: "flaky" })).body.data).to.deep.equal({ jobs: 0 });
    });

    it("tell the hook of acts who has them run again or deletes them", async () => {
      isBroken = true;
      const dead = await enqueue({ n: 1 });
      await idle();
      acts.length = 0;
      await ask("POST", "/retry", { id: dead });
      await idle();
      await ask("POST", "/drop", { job: "flaky" });
      const told = acts.filter(({ action }) => action.startsWith("job."));
      expect(told.map(({ action, result, details }) => ({ action, result, details }))).to.deep.equal([
        { action: "job.retry", result: "accepted", details: { jobs: 1, id: dead } },
        { action: "job.drop", result: "accepted", details: { jobs: 1, job: "flaky" } },
      ]);
      for (const { origin } of told) expect(origin.actor).to.include({ kind: "admin" });
    });

    it("of a name are run again or deleted however many they are, and none of them is read for it", async () => {
      const { db } = served().plinth.app;
      const text = `insert into plinth_jobs (name, state, data) select 'former', 'dead', '{"n": 1}'::jsonb
        from generate_series(1, 25000) union all select 'former', 'waiting', null union all select 'other', 'dead', null`;
      await db.query({ text, values: [] });
      const states = async () => {
        const counted = "select name, state, count(*)::int as jobs from plinth_jobs group by 1, 2 order by 1, 2";
        return (await db.query<{ name: string }>({ text: counted, values: [] })).map((row) => Object.values(row));
      };
      const query = db.query;
      let most = 0;
      db.query = async (...given: Parameters<typeof query>) => {
        const rows = await query.apply(db, given);
        most = Math.max(most, rows.length);
        return rows as never;
      };
      try {
        expect((await ask("POST", "/retry", { job: "former" })).body).to.deep.include({ data: { jobs: 25_000 } });
        expect(await states()).to.deep.equal([
          ["former", "waiting", 25_001],
          ["other", "dead", 1],
        ]);
        await db.query({ text: "update plinth_jobs set state = 'dead' where data is not null", values: [] });
        expect((await ask("POST", "/drop", { job: "former" })).body).to.deep.include({ data: { jobs: 25_000 } });
        expect(await states()).to.deep.equal([
          ["former", "waiting", 1],
          ["other", "dead", 1],
        ]);
      } finally {
        db.query = query;
      }
      expect(most).to.be.below(100);
    });

    it("that are asked for wrongly are refused, and nothing changes", async () => {
      const refused = async (method: string, path: string, body?: object) => {
        const answer = await ask(method, path, body);
        return [answer.status, answer.body.error.code];
      };
      const invalid = [400, "PLINTH_JOBS_REQUEST_INVALID"];
      expect(await refused("GET", "?state=ded")).to.deep.equal(invalid);
      expect(await refused("GET", "?limit=1")).to.deep.equal(invalid);
      expect(await refused("POST", "/retry", {})).to.deep.equal(invalid);
      expect(await refused("POST", "/drop", { id: "1", job: "flaky" })).to.deep.equal(invalid);
      expect(await refused("POST", "/drop", { id: 1 })).to.deep.equal(invalid);
      expect(await refused("GET", "?job=%00")).to.deep.equal(invalid);
      expect((await ask("POST", "/retry", { id: "\u0000" })).body.error.details.errors).to.deep.equal([
        { path: "id", message: "has the character U+0000, which no job has" },
      ]);
      expect(await refused("POST", "/drop", { id: "987654" })).to.deep.equal([404, "PLINTH_JOBS_NOT_FOUND"]);
    });
  });
});
