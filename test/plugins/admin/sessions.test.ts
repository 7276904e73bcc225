import { expect } from "chai";
import { printSessionKey } from "#plugins/admin/src/access/session-key.js";
import { sessions } from "#plugins/admin/src/access/sessions.js";
import { administrators } from "@plinth/plugin-api-tokens";
import { eitherDatabase } from "../../databases.js";
import { duringNextCheck } from "../api-tokens/during-check.js";
import { serveAdmin, startAdminApp } from "./serve-admin.js";
import { administratorOf, PASSWORD, signIn } from "./sign-in.js";

const HOUR = 3600;
const DAY = 24 * HOUR * 1000;
const PAGE = { "sec-fetch-site": "same-origin" };

eitherDatabase("postgres", (database) => {
  describe("a session of the admin page", () => {
    const served = serveAdmin(database);
    const cookieOf = (headers: Headers) => headers.getSetCookie().find((cookie) => cookie.startsWith("plinth-admin="));
    const signInByForm = async (role = "super", stay = false) => {
      const { email } = await administratorOf(served().plinth.app, role);
      return served().ask("POST", "/admin/api/session", PAGE, { email, password: PASSWORD, stay });
    };
    const headersOf = (cookie = "") => ({ ...PAGE, cookie: cookie.split(";")[0] ?? "" });

    it("is opened by e-mail address and password, and held by a cookie that no script reads", async () => {
      const { status, body, headers } = await signInByForm();
      expect(status).to.equal(200);
      expect(body.user).to.include({
        email: "super@example.com",
        name: "super@example.com",
        role: "super",
        language: null,
      });
      const cookie = cookieOf(headers) ?? "";
      expect(cookie).to.match(/^plinth-admin=[\w-]{22}\.[\w-]{43}; path=\/; samesite=strict; httponly$/i);
      expect(headers.get("cache-control")).to.equal("no-store");
      expect((await served().ask("GET", "/admin/api/sessions", headersOf(cookie))).status).to.equal(200);
    });

    it("is closed by signing out", async () => {
      const cookie = headersOf(cookieOf((await signInByForm()).headers));
      const { status, headers } = await served().ask("DELETE", "/admin/api/session", cookie);
      expect([status, cookieOf(headers)?.split(";")[0]]).to.deep.equal([204, "plinth-admin="]);
      expect((await served().ask("GET", "/admin/api/sessions", cookie)).status).to.equal(401);
    });

    it("opens what the role names", async () => {
      const { app } = served().plinth;
      expect((await served().ask("GET", "/admin/api-tokens", await signIn(app, "super"))).status).to.equal(200);
      expect((await served().ask("GET", "/admin/api-tokens", await signIn(app, "editor"))).status).to.equal(403);
    });

    it("outlives the browser where that was wanted", async () => {
      const cookie = cookieOf((await signInByForm("super", true)).headers) ?? "";
      const expires = Date.parse(/expires=([^;]+)/.exec(cookie)?.[1] ?? "");
      expect(expires - Date.now()).to.be.within(29.9 * DAY, 30 * DAY);
    });

    it("is listed with the others of the account, and ends them one by one, but none of anybody else", async () => {
      const { app } = served().plinth;
      const mine = await signIn(app, "lister");
      const second = await signIn(app, "lister");
      const foreign = await signIn(app, "stranger");
      const { data } = (await served().ask("GET", "/admin/api/sessions", mine)).body;
      expect(data).to.have.length(2);
      expect(data[0]).to.have.all.keys("id", "isCurrent", "agent", "network", "createdAt", "lastUsedAt");
      expect(data.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).to.deep.equal([false, true]);
      const path = `/admin/api/sessions/${data[0].id}`;
      expect((await served().ask("DELETE", path, foreign)).status).to.equal(404);
      expect((await served().ask("DELETE", path, mine)).status).to.equal(204);
      expect((await served().ask("GET", "/admin/api/sessions", second)).status).to.equal(401);
      expect((await served().ask("GET", "/admin/api/sessions", mine)).status).to.equal(200);
    });

    it("ends at once with a new password, another role, and with the account", async () => {
      const { app } = served().plinth;
      const people = app.service(administrators);
      const { documentId, email } = await administratorOf(app, "changing");
      const documents = app.documents("plugin::api-tokens.admin");
      const endings = [
        () => people.setPassword(email, "another good password"),
        () => documents.update({ documentId, data: { role: "author" } }),
        () => documents.update({ documentId, data: { isActive: false } }),
        () => people.remove(email),
      ];
      for (const end of endings) {
        await documents.update({ documentId, data: { isActive: true } });
        const { key } = await app.service(sessions).open({ user: { id: 0, documentId }, stay: false, agent: "test" });
        const headers = headersOf(`plinth-admin=${printSessionKey(key)}`);
        expect((await served().ask("GET", "/admin/api/model", headers)).status).to.equal(200);
        await end();
        expect((await served().ask("GET", "/admin/api/model", headers)).status).to.equal(401);
      }
      const named = await signIn(app, "named");
      await documents.update({ documentId: (await administratorOf(app, "named")).documentId, data: { name: "Ada" } });
      expect((await served().ask("GET", "/admin/api/boot", named)).body.user.name).to.equal("Ada");
    });

    it("is not opened by a password that was replaced while it was compared, nor is a bearer", async () => {
      const { app } = served().plinth;
      const people = app.service(administrators);
      const { email } = await administratorOf(app, "overtaken");
      duringNextCheck(app, () => people.setPassword(email, PASSWORD));
      const page = await signInByForm("overtaken");
      expect([page.status, cookieOf(page.headers), page.body.user]).to.deep.equal([401, undefined, undefined]);
      duringNextCheck(app, () => people.setPassword(email, PASSWORD));
      const { body } = await served().ask("POST", "/admin/login", {}, { email, password: PASSWORD });
      const bearer = { authorization: `Bearer ${body.token ?? "none"}` };
      expect((await served().ask("GET", "/admin/api/model", bearer)).status).to.equal(401);
      expect((await signInByForm("overtaken")).status).to.equal(200);
    });

    it("stays closed where everything was ended between the password and the opening", async () => {
      const { app } = served().plinth;
      const { email } = await administratorOf(app, "slow");
      const attempt = { email, password: PASSWORD, address: "127.0.0.1", retryAfter: () => undefined };
      const user = await app.service(administrators).authenticate(attempt);
      await app.service(sessions).endOthers(user, undefined);
      const refused = await app
        .service(sessions)
        .open({ user, stay: false, agent: "test" })
        .catch((error: unknown) => error);
      expect(refused).to.include({ code: "PLINTH_ACCESS_UNAUTHENTICATED" });
      const token = await app.service(administrators).openSession(user);
      expect(await app.service(administrators).ofSession(token)).to.equal(undefined);
    });

    it("is known by hashes only", async () => {
      const { app } = served().plinth;
      const { cookie = "" } = await signIn(app, "super");
      const rows = await app.db.knex(String(app.model.contentTypes.get("plugin::admin.session")?.table)).select("*");
      const [handle = "", secret = ""] = cookie.slice("plinth-admin=".length).split(".");
      expect(JSON.stringify(rows)).not.to.include(handle).and.not.to.include(secret);
      expect(served().logged.join("\n")).not.to.include(secret);
    });

    it("is not opened by garbage, and refused alike", async () => {
      const { cookie = "" } = await signIn(served().plinth.app, "super");
      const [, handle = ""] = /=([\w-]+)\./.exec(cookie) ?? [];
      const others = ["", "x", `${"a".repeat(22)}.${"b".repeat(43)}`, `${handle}.`, handle, `.${"b".repeat(43)}`];
      for (const value of others) {
        const { status, body } = await served().ask("GET", "/admin/api/boot", headersOf(`plinth-admin=${value}`));
        expect([status, body.error.message], value).to.deep.equal([401, "Missing or invalid credentials"]);
      }
    });
  });

  describe("the secret of a session", () => {
    const served = serveAdmin(database, {
      pluginConfigs: { "api-tokens": { loginLimit: 1000 }, admin: { sessions: { renewal: 0.001 } } },
    });
    const askBoot = (cookie: string) => served().ask("GET", "/admin/api/boot", { ...PAGE, cookie });
    const cookieAfter = (headers: Headers) => headers.getSetCookie()[0]?.split(";")[0] ?? "";
    /** Moves what is known of all sessions into the past. */
    const age = async (column: string, seconds: number) => {
      const { app } = served().plinth;
      const table = app.model.contentTypes.get("plugin::admin.session")?.table;
      const text = `update "${table}" set ${column} = ${column} - $1 * interval '1 second'`;
      await app.db.query({ text, values: [seconds] });
      app.db.messages.invalidateAll();
    };

    it("is replaced while it is used, and the last one is good for requests on their way", async () => {
      const { cookie: first = "" } = await signIn(served().plinth.app, "super");
      const second = cookieAfter((await askBoot(first)).headers);
      expect(second)
        .to.match(/^plinth-admin=/)
        .and.not.to.equal(first);
      expect(second.split(".")[0]).to.equal(first.split(".")[0]);
      const late = await askBoot(first);
      expect([late.status, late.headers.getSetCookie()]).to.deep.equal([200, []]);
      expect((await askBoot(second)).status).to.equal(200);
    });

    it("is replaced once by requests at the same time", async () => {
      const { cookie = "" } = await signIn(served().plinth.app, "super");
      const answers = await Promise.all(Array.from({ length: 8 }, () => askBoot(cookie)));
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(8).fill(200));
      expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).to.have.length(1);
    });

    it("stays good while the one that replaces it was never used: the answer with that one may be lost", async () => {
      const { cookie: first = "" } = await signIn(served().plinth.app, "super");
      const lost = cookieAfter((await askBoot(first)).headers);
      await age("secret_since", 31);
      const again = await askBoot(first);
      const second = cookieAfter(again.headers);
      expect(again.status).to.equal(200);
      expect(second)
        .to.match(/^plinth-admin=/)
        .and.not.to.equal(lost);
      expect((await askBoot(second)).status).to.equal(200);
      expect((await askBoot(first)).status).to.equal(200);
      expect(served().logged.join("\n")).not.to.include("its cookie may be stolen");
    });

    it("ends the session when one comes 30 s after the next was used: somebody has a copy", async () => {
      const { cookie: first = "" } = await signIn(served().plinth.app, "super");
      const second = cookieAfter((await askBoot(first)).headers);
      expect((await askBoot(second)).status).to.equal(200);
      await age("secret_used_at", 31);
      expect((await askBoot(first)).status).to.equal(401);
      expect((await askBoot(second)).status).to.equal(401);
      expect(served().logged.join("\n")).to.include("its cookie may be stolen");
    });

    it("ends it for one that was replaced long ago as well", async () => {
      const { cookie: first = "" } = await signIn(served().plinth.app, "super");
      const second = cookieAfter((await askBoot(first)).headers);
      expect((await askBoot(second)).headers.getSetCookie()).to.deep.equal([]);
      const third = cookieAfter((await askBoot(second)).headers);
      expect(third).to.match(/^plinth-admin=/);
      expect((await askBoot(first)).status).to.equal(401);
      expect((await askBoot(third)).status).to.equal(401);
    });

    it("is of no use 8 hours after the last request, and a week after signing in", async () => {
      for (const [column, seconds] of [
        ["last_used_at", 8 * HOUR],
        ["ends_at", 7 * 24 * HOUR],
      ] as const) {
        const { cookie = "" } = await signIn(served().plinth.app, "super");
        await age(column, seconds - 60);
        const { status, headers } = await askBoot(cookie);
        expect(status, column).to.equal(200);
        await age(column, seconds + 60);
        expect((await askBoot(cookieAfter(headers) || cookie)).status, column).to.equal(401);
      }
    });
  });

  describe("the cookie of a session in production", () => {
    const secrets = { salt: "a-salt-of-the-tests-only", adminSecret: "a-secret-of-the-tests-only" };
    const served = serveAdmin(database, { environment: "production", pluginConfigs: { "api-tokens": secrets } });

    it("is for https and this host only, and one of another name is not looked at", async () => {
      const { app } = served().plinth;
      const { email } = await administratorOf(app, "super");
      const { headers } = await served().ask("POST", "/admin/api/session", PAGE, { email, password: PASSWORD });
      const [cookie = ""] = headers.getSetCookie();
      expect(cookie).to.match(/^__Host-plinth-admin=[\w.-]+; path=\/; samesite=strict; secure; httponly$/i);
      const [pair = ""] = cookie.split(";");
      expect((await served().ask("GET", "/admin/api/boot", { ...PAGE, cookie: pair })).status).to.equal(200);
      const plain = pair.replace("__Host-", "");
      expect((await served().ask("GET", "/admin/api/boot", { ...PAGE, cookie: plain })).status).to.equal(401);
    });

    it("is not sent over plain http, where browsers drop it: signing in says what to do", async () => {
      const { email } = await administratorOf(served().plinth.app, "super");
      const ask = async (path: string, origin: string, body: object) => {
        const answer = await served().ask("POST", `/admin/api/${path}`, { ...PAGE, origin }, body);
        return [answer.status, answer.body.error?.code];
      };
      const refused = [403, "PLINTH_ADMIN_PLAIN_HTTP"];
      const account = { email, password: PASSWORD };
      expect(await ask("session", "http://cms.example.com", account)).to.deep.equal(refused);
      expect(await ask("welcome", "http://cms.example.com", { code: "x" })).to.deep.equal(refused);
      for (const origin of ["https://cms.example.com", "http://localhost:1337", "http://[::1]:1337"])
        expect(await ask("session", origin, account), origin).to.deep.equal([200, undefined]);
    });
  });

  if (database.kind === "postgres")
    describe("a session with several processes", () => {
      const served = serveAdmin(database);

      it("is known to all, and ended in all", async () => {
        const other = await startAdminApp(database);
        const headers = await signIn(served().plinth.app, "super");
        const statusThere = async () => (await other.ask("GET", "/admin/api/boot", headers)).status;
        expect(await statusThere()).to.equal(200);
        await served().ask("DELETE", "/admin/api/session", headers);
        for (let tries = 0; tries < 50 && (await statusThere()) === 200; tries++)
          await new Promise((resolve) => setTimeout(resolve, 20));
        expect(await statusThere()).to.equal(401);
        await other.plinth.stop();
      });
    });

  describe("signing in", () => {
    const served = serveAdmin(database, { pluginConfigs: { "api-tokens": { loginLimit: 6 } } });
    const attempt = (email: string, password = "wrong password", path = "/admin/api/session") =>
      served().ask("POST", path, PAGE, { email, password });

    it("takes texts and nothing else", async () => {
      for (const body of [
        { email: { $ne: "" }, password: PASSWORD },
        { email: "a@b.cd" },
        [],
        { email: 1, password: 2 },
      ])
        expect((await served().ask("POST", "/admin/api/session", PAGE, body)).status).to.equal(400);
    });

    it("answers known and unknown accounts alike, and is limited together with logins of the REST", async () => {
      await administratorOf(served().plinth.app, "super");
      const answers = [
        await attempt("super@example.com"),
        await attempt("nobody@example.com"),
        await attempt("SUPER@example.com", "wrong password", "/admin/login"),
        await attempt("nobody@example.com", "wrong password", "/admin/login"),
        await attempt("super@example.com"),
        await attempt("nobody@example.com"),
      ];
      for (const { status, body } of answers)
        expect([status, body.error.message]).to.deep.equal([401, "Invalid email or password"]);
      const refused = await attempt("super@example.com", PASSWORD);
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers.get("retry-after"))).to.be.within(1, 60);
    });
  });
});
