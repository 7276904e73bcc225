import { expect } from "chai";
import { SESSION } from "#plugins/users-permissions/src/content-types.js";
import { eitherDatabase } from "../../databases.js";
import { ADMIN, type AuthApp, PASSWORD, serveAuthApp } from "./auth-app.js";

const LOGIN = "/api/auth/local";
const REFRESH = "/api/auth/refresh";
const LOGOUT = "/api/auth/logout";
const SESSIONS = "/api/auth/sessions";
const CHROME =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

interface Tokens {
  readonly jwt: string;
  readonly refreshToken: string;
}

const loginOf = async (app: AuthApp, identifier: string, headers = {}): Promise<Tokens> =>
  (await app.post(LOGIN, { identifier, password: PASSWORD }, { headers })).body;
const isIn = async (app: AuthApp, token: string) => (await app.ask("GET", "/api/users/me", { token })).status === 200;

describe("sessions", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, { config: { jwtManagement: "refresh" } });
    const refresh = (refreshToken: unknown) => served().post(REFRESH, { refreshToken });

    it("begin with the login or the registration, and go on with each refresh", async () => {
      const registered = await served().register("ada");
      expect(registered).to.have.all.keys("jwt", "user", "refreshToken");
      const login = await loginOf(served(), "ada");
      const next = await refresh(login.refreshToken);
      expect(next.status).to.equal(200);
      expect(next.body).to.have.all.keys("jwt", "refreshToken");
      expect(next.body.refreshToken).to.not.equal(login.refreshToken);
      expect(await isIn(served(), next.body.jwt)).to.equal(true);
    });

    it("have access tokens that are over in minutes", async () => {
      const { jwt } = await served().register("short");
      const { iat, exp } = JSON.parse(Buffer.from(jwt.split(".")[1], "base64url").toString());
      expect(exp - iat).to.equal(600);
    });

    it("give several requests that come with one token at one time the same next one, and go on", async () => {
      await served().register("parallel");
      const { refreshToken } = await loginOf(served(), "parallel");
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => refresh(refreshToken)));
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body.refreshToken))).to.have.property("size", 1);
      const next = await refresh(answers[0]?.body.refreshToken);
      expect(next.status).to.equal(200);
      expect(await isIn(served(), next.body.jwt)).to.equal(true);
      expect((await refresh(refreshToken)).status).to.equal(401);
      expect(await isIn(served(), next.body.jwt)).to.equal(false);
    });

    it("end when a refresh token comes again after the window", async () => {
      await served().register("window");
      const { refreshToken } = await loginOf(served(), "window");
      const [first, second] = [await refresh(refreshToken), await refresh(refreshToken)];
      expect([second.status, second.body.refreshToken]).to.deep.equal([200, first.body.refreshToken]);
      const text = "update up_sessions set rotated_at = rotated_at - interval '1 minute'";
      await served().plinth.app.db.query({ text, values: [] });
      expect((await refresh(refreshToken)).status).to.equal(401);
      expect((await refresh(first.body.refreshToken)).status).to.equal(401);
    });

    it("are what access tokens belong to: those of before are refused", async () => {
      const { user } = await served().register("before");
      const { app } = served().plinth;
      const users = app.plugin("users-permissions").service("users");
      const account = await users.findById(user.id);
      if (!account) throw new TypeError("There is no such user.");
      const token = app.plugin("users-permissions").service("jwt").issue(account);
      expect(await isIn(served(), token)).to.equal(false);
    });

    it("cannot be guessed or had without a token", async () => {
      const { refreshToken } = await served().register("guess");
      const [sid = ""] = refreshToken.split(".");
      for (const missing of [undefined, null, "", { $ne: null }, [refreshToken], 1]) {
        const answer = await refresh(missing);
        expect(answer.status, JSON.stringify(missing)).to.equal(400);
        expect(answer.body.error).to.include({ name: "BadRequestError", message: "Missing refresh token" });
      }
      for (const wrong of ["x", sid, `${"a".repeat(24)}.${"0".repeat(64)}`, refreshToken.toUpperCase()]) {
        expect((await refresh(wrong)).status, wrong).to.equal(401);
      }
      expect((await refresh(refreshToken)).status).to.equal(200);
    });

    it("keep no refresh token in the database", async () => {
      const { refreshToken } = await served().register("stored");
      const [sid = "", secret = ""] = refreshToken.split(".");
      const row = await served().plinth.app.db.model(SESSION).query().findOne({ document_id: sid });
      expect(JSON.stringify(row)).to.not.include(secret);
    });

    it("are listed for their user, each with its device", async () => {
      const mine = await served().register("lister");
      await served().register("neighbour");
      const { jwt } = await loginOf(served(), "lister", { "user-agent": CHROME });
      const { body } = await served().ask("GET", SESSIONS, { token: jwt });
      expect(body.data).to.have.length(2);
      const [own, other] = body.data;
      expect(own).to.have.all.keys("id", "current", "deviceId", "deviceName", "loginAt", "lastActiveAt");
      expect(own).to.include({ current: true, deviceId: null, deviceName: "Chrome on macOS" });
      // A client that does not say what it is has no name.
      expect(other).to.have.all.keys("id", "current", "deviceId", "loginAt", "lastActiveAt");
      expect(other).to.include({ current: false, id: mine.refreshToken.split(".")[0] });
      expect((await served().ask("GET", SESSIONS)).status).to.equal(403);
      expect((await served().ask("GET", SESSIONS, { token: ADMIN })).status).to.equal(401);
    });

    it("say when they were active last, and come in that order, the current one first", async () => {
      const { refreshToken } = await served().register("active");
      const second = await loginOf(served(), "active");
      const listed = async () => (await served().ask("GET", SESSIONS, { token: second.jwt })).body.data;
      const [, before] = await listed();
      expect(before.lastActiveAt).to.equal(before.loginAt);
      const third = await loginOf(served(), "active");
      await refresh(refreshToken);
      const [current, after, last] = await listed();
      expect(current.current).to.equal(true);
      expect(after.id).to.equal(before.id);
      expect(after.loginAt).to.equal(before.loginAt);
      expect(Date.parse(after.lastActiveAt)).to.be.at.least(Date.parse(last.lastActiveAt));
      expect(last.id).to.equal(third.refreshToken.split(".")[0]);
    });

    it("of one device are ended together, by the id that the client gave it", async () => {
      await served().register("devices");
      await served().register("same-device");
      const on = async (deviceId: string, identifier = "devices") =>
        (await served().post(LOGIN, { identifier, password: PASSWORD, deviceId })).body;
      const [one, two, other] = [await on("phone"), await on("phone"), await on("laptop")];
      const theirs = await on("phone", "same-device");
      const { body } = await served().ask("GET", SESSIONS, { token: other.jwt });
      expect(body.data.map((session: { deviceId: string }) => session.deviceId)).to.include.members([
        "phone",
        "laptop",
      ]);
      const logout = (deviceId: string) => served().post(LOGOUT, { deviceId }, { token: one.jwt });
      expect((await logout("never-seen")).body).to.deep.equal({ ok: true });
      const states = () => Promise.all([one, two, other, theirs].map(({ jwt }) => isIn(served(), jwt)));
      expect(await states()).to.deep.equal([true, true, true, true]);
      expect((await logout("phone")).body).to.deep.equal({ ok: true });
      expect(await states()).to.deep.equal([false, false, true, true]);
      expect(
        (await served().post(LOGIN, { identifier: "devices", password: PASSWORD, deviceId: "x".repeat(256) })).status,
      ).to.equal(400);
    });

    it("a device that cannot be stored is refused before a password is changed", async () => {
      const { jwt } = await served().register("careful");
      for (const deviceId of ["x".repeat(256), "a\u0000b"]) {
        const passwords = { currentPassword: PASSWORD, password: "Another-1", passwordConfirmation: "Another-1" };
        const changed = await served().post("/api/auth/change-password", { ...passwords, deviceId }, { token: jwt });
        expect([changed.status, changed.body.error.details.errors[0].path]).to.deep.equal([400, ["deviceId"]]);
        const login = await served().post(LOGIN, { identifier: "careful", password: PASSWORD, deviceId });
        expect([login.status, login.body.error.details.errors[0].path]).to.deep.equal([400, ["deviceId"]]);
      }
      expect((await loginOf(served(), "careful")).jwt).to.be.a("string");
    });

    it("are ended one by one by their user, and by nobody else", async () => {
      const victim = await served().register("victim");
      const other = await served().register("stranger");
      const [sid] = victim.refreshToken.split(".");
      const end = (token: string) => served().ask("DELETE", `${SESSIONS}/${sid}`, { token });
      expect((await end(other.jwt)).status).to.equal(404);
      expect(await isIn(served(), victim.jwt)).to.equal(true);
      const own = await loginOf(served(), "victim");
      expect(await end(own.jwt)).to.deep.include({ status: 200, body: { data: {} } });
      expect(await isIn(served(), victim.jwt)).to.equal(false);
      expect((await refresh(victim.refreshToken)).status).to.equal(401);
      const again = await end(own.jwt);
      expect([again.status, again.body.error.message]).to.deep.equal([404, "Session not found"]);
    });

    it("end with the logout, this one or all", async () => {
      await served().register("leaver");
      const [one, two, three] = await Promise.all([1, 2, 3].map(() => loginOf(served(), "leaver")));
      expect((await served().post(LOGOUT, {}, { token: one!.jwt })).body).to.deep.equal({ ok: true });
      expect(await Promise.all([one, two, three].map((t) => isIn(served(), t!.jwt)))).to.deep.equal([
        false,
        true,
        true,
      ]);
      expect((await refresh(one!.refreshToken)).status).to.equal(401);
      await served().post(LOGOUT, { scope: "all" }, { token: two!.jwt });
      expect(await Promise.all([two, three].map((t) => isIn(served(), t!.jwt)))).to.deep.equal([false, false]);
      expect((await refresh(three!.refreshToken)).status).to.equal(401);
    });

    it("end when the password changes, except that of who changed it", async () => {
      const old = await served().register("changer");
      const body = { currentPassword: PASSWORD, password: "Next-pass-1", passwordConfirmation: "Next-pass-1" };
      const changed = await served().post("/api/auth/change-password", body, { token: old.jwt });
      expect((await refresh(old.refreshToken)).status).to.equal(401);
      expect(await isIn(served(), old.jwt)).to.equal(false);
      expect((await refresh(changed.body.refreshToken)).status).to.equal(200);
    });

    it("end when their user is blocked or deleted", async () => {
      const users = served().plinth.app.plugin("users-permissions").service("users");
      const blocked = await served().register("blocked");
      await users.update(blocked.user.id, { blocked: true });
      const deleted = await served().register("deleted");
      await users.delete(deleted.user.id);
      for (const { jwt, refreshToken } of [blocked, deleted]) {
        expect((await refresh(refreshToken)).status).to.equal(401);
        expect(await isIn(served(), jwt)).to.equal(false);
      }
    });
  });
});

describe("refresh tokens in a cookie", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, { config: { jwtManagement: "refresh" }, environment: "production" });
    const login = async (name: string) => {
      const headers = { "x-strapi-refresh-cookie": "httpOnly" };
      return served().post(LOGIN, { identifier: name, password: PASSWORD }, { headers });
    };
    const cookieOf = (headers: Headers) => headers.getSetCookie().find((text) => text.startsWith("strapi_up_refresh="));

    it("are in no body, and out of reach of scripts and of other sites", async () => {
      await served().register("cookie");
      const answer = await login("cookie");
      expect(answer.body).to.have.all.keys("jwt", "user");
      const cookie = cookieOf(answer.headers) ?? "";
      for (const flag of ["httponly", "secure", "samesite=lax", "path=/api/auth"]) {
        expect(cookie.toLowerCase()).to.include(flag);
      }
    });

    it("are refreshed and given up in the cookie", async () => {
      await served().register("keeper");
      const [first = ""] = cookieOf((await login("keeper")).headers)?.split(";") ?? [];
      const refreshed = await served().ask("POST", REFRESH, { headers: { cookie: first } });
      expect(refreshed.status).to.equal(200);
      expect(refreshed.body).to.have.all.keys("jwt");
      const [second = ""] = cookieOf(refreshed.headers)?.split(";") ?? [];
      expect(second).to.not.equal(first);
      const out = await served().ask("POST", LOGOUT, { headers: { cookie: second }, token: refreshed.body.jwt });
      expect(cookieOf(out.headers)).to.match(/^strapi_up_refresh=;/);
      expect((await served().ask("POST", REFRESH, { headers: { cookie: second } })).status).to.equal(401);
    });
  });
});

describe("refresh tokens that are traded in a second time", () => {
  eitherDatabase(import.meta.url, (database) => {
    const config = { jwtManagement: "refresh", sessions: { reuseWindow: 0 } };
    const served = serveAuthApp(database, { config });
    const refresh = (refreshToken: unknown) => served().post(REFRESH, { refreshToken });

    it("end the session without a window, for whoever has a newer one too", async () => {
      await served().register("replay");
      const first = await loginOf(served(), "replay");
      const second = (await refresh(first.refreshToken)).body;
      const replayed = await refresh(first.refreshToken);
      expect(replayed.status).to.equal(401);
      expect(replayed.body.error).to.include({ name: "UnauthorizedError", message: "Invalid refresh token" });
      expect((await refresh(second.refreshToken)).status).to.equal(401);
      expect(await isIn(served(), second.jwt)).to.equal(false);
    });

    it("give one of several requests the next", async () => {
      await served().register("race");
      const { refreshToken } = await loginOf(served(), "race");
      const answers = await Promise.all([1, 2, 3, 4].map(() => refresh(refreshToken)));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    });
  });
});

describe("logins that other sites send", () => {
  eitherDatabase(import.meta.url, (database) => {
    const trusted = "https://app.example.com";
    const served = serveAuthApp(database, {
      config: { jwtManagement: "refresh", sessions: { httpOnly: true } },
      appConfig: {
        middlewares: [
          ...["plinth::logger", "plinth::errors", "plinth::security"],
          { name: "plinth::cors", config: { origin: [trusted] } },
          ...["plinth::query", "plinth::body", "plinth::router"],
        ],
      },
    });
    const credentials = { identifier: "mallory", password: PASSWORD };
    const send = async (headers: Readonly<Record<string, string>>) => {
      const answer = await served().post(LOGIN, credentials, { headers });
      return { status: answer.status, cookies: answer.headers.getSetCookie() };
    };

    it("put no session into the cookie of a visitor", async () => {
      await served().register("mallory");
      const attempts = [
        await send({ "content-type": "application/x-www-form-urlencoded" }),
        await send({ "content-type": "text/plain" }),
        await send({ origin: "https://evil.example" }),
        await send({ origin: "null" }),
        await send({ "sec-fetch-site": "cross-site" }),
        await send({ "sec-fetch-site": "same-site" }),
      ];
      for (const { status, cookies } of attempts) {
        expect(status).to.equal(403);
        expect(cookies).to.deep.equal([]);
      }
      expect(await served().plinth.app.documents(SESSION).count()).to.equal(1);
    });

    it("are taken from the own site, from trusted origins, and from what is no browser", async () => {
      const answers = [
        await send({}),
        await send({ "sec-fetch-site": "same-origin", origin: "https://behind-a-proxy.example" }),
        await send({ "sec-fetch-site": "cross-site", origin: trusted }),
      ];
      for (const { status, cookies } of answers) {
        expect(status).to.equal(200);
        expect(cookies).to.have.length(1);
      }
    });
  });
});

describe("sessions that nobody uses", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, { config: { jwtManagement: "refresh", sessions: { idleLifespan: 1 } } });

    it("end by themselves", async () => {
      const { jwt, refreshToken } = await served().register("sleeper");
      await new Promise((done) => setTimeout(done, 1100));
      expect((await served().post(REFRESH, { refreshToken })).status).to.equal(401);
      expect(await isIn(served(), jwt)).to.equal(false);
    });
  });
});

describe("an app without sessions", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database);

    it("has nothing at their paths", async () => {
      const { jwt, ...rest } = await served().register("plain");
      expect(rest).to.have.all.keys("user");
      expect((await served().post(REFRESH, { refreshToken: "x" })).status).to.equal(404);
      for (const [method, path] of [
        ["POST", LOGOUT],
        ["GET", SESSIONS],
        ["DELETE", `${SESSIONS}/x`],
      ] as const) {
        expect((await served().ask(method, path, { token: jwt })).status, path).to.equal(404);
      }
    });
  });
});
