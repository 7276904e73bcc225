import { expect } from "chai";
import jwt from "jsonwebtoken";
import { adminCommands } from "#plugins/api-tokens/src/commands/admin.js";
import { tokenCommands } from "#plugins/api-tokens/src/commands/token.js";
import { administrators, type IssuedToken } from "@plinth/plugin-api-tokens";
import { eitherDatabase } from "../../databases.js";
import { runCommand } from "../../run-command.js";
import { duringNextCheck } from "./during-check.js";
import { ADMIN_SECRET, SALT, serveTokens } from "./serve-tokens.js";

const EMAIL = "ada@example.com";
const PASSWORD = "correct horse battery";

eitherDatabase(import.meta.url, (database) => {
  describe("the REST of administrators", () => {
    const served = serveTokens(database, { passwordRounds: 10 });
    const ask = (method: string, path: string, bearer?: string, body?: unknown) =>
      served().ask(method, path, bearer, body);
    let session = "";
    let content: IssuedToken;
    let admin: IssuedToken;

    before("make an administrator and tokens", async () => {
      await served().plinth.app.service(administrators).create("Ada@Example.com", PASSWORD);
      session = (await ask("POST", "/admin/login", "", { email: EMAIL, password: PASSWORD })).body.token;
      content = await served().tokens.create({ name: "content", type: "full-access" });
      admin = await served().tokens.create({ name: "admin", type: "admin" });
    });

    it("opens for a login and for an admin token", async () => {
      for (const bearer of [session, admin.accessKey]) {
        const { status, body, headers } = await ask("GET", "/admin/api-tokens", bearer);
        expect(status).to.equal(200);
        expect(body.data.map(({ name }: IssuedToken) => name)).to.include.members(["content", "admin"]);
        expect(headers.get("cache-control")).to.equal("no-store");
      }
    });

    it("opens for nobody else, whatever the path, and answers all of them alike", async () => {
      const custom = await served().tokens.create({ name: "every action", type: "custom", permissions: ["*"] });
      const closed = [
        ["GET", "/admin/api-tokens"],
        ["POST", "/admin/api-tokens"],
        ["GET", `/admin/api-tokens/${content.documentId}`],
        ["PUT", `/admin/api-tokens/${content.documentId}`],
        ["DELETE", `/admin/api-tokens/${content.documentId}`],
        ["POST", `/admin/api-tokens/${content.documentId}/regenerate`],
        ["GET", "/admin/permissions"],
        ["GET", "/ADMIN/API-Tokens/"],
      ] as const;
      for (const [method, path] of closed)
        for (const bearer of ["", content.accessKey, custom.accessKey, "nonsense-nonsense", "a.b.c"]) {
          const { status, body } = await ask(method, path, bearer);
          expect([status, body.error.message], `${method} ${path} ${bearer}`).to.deep.equal([
            401,
            "Missing or invalid credentials",
          ]);
        }
    });

    it("is not the content API: neither logins nor admin tokens open that", async () => {
      for (const bearer of [session, admin.accessKey]) {
        expect((await ask("GET", "/api/authors", bearer)).status).to.equal(401);
        expect((await ask("GET", "/api/notes", bearer)).status).to.equal(401);
      }
    });

    it("lets an admin token into the content API as far as it says so", async () => {
      const both = await served().tokens.create({
        name: "both",
        type: "admin",
        permissions: ["api::author.author.find"],
      });
      expect((await ask("GET", "/admin/api-tokens", both.accessKey)).status).to.equal(200);
      expect((await ask("GET", "/api/authors", both.accessKey)).status).to.equal(200);
      expect((await ask("POST", "/api/authors", both.accessKey, { data: {} })).status).to.equal(403);
    });

    it("makes, shows, changes, renews and ends tokens", async () => {
      const made = await ask("POST", "/admin/api-tokens", session, { data: { name: "site", type: "read-only" } });
      expect(made.status).to.equal(201);
      expect(made.body.data).to.include({ name: "site", type: "read-only", expiresAt: null, lastUsedAt: null });
      const { documentId, accessKey } = made.body.data;
      expect((await ask("GET", "/api/authors", accessKey)).status).to.equal(200);

      const path = `/admin/api-tokens/${documentId}`;
      const shown = await ask("GET", path, session);
      expect(shown.text).not.to.include("accessKey").and.not.to.include(accessKey);
      const changed = await ask("PUT", path, session, { type: "custom", permissions: ["api::note.note.find"] });
      expect(changed.body.data).to.include({ name: "site", type: "custom" });
      expect((await ask("GET", "/api/authors", accessKey)).status).to.equal(403);

      const renewed = await ask("POST", `${path}/regenerate`, session);
      expect((await ask("GET", "/api/notes", accessKey)).status).to.equal(401);
      expect((await ask("GET", "/api/notes", renewed.body.data.accessKey)).status).to.equal(200);
      expect((await ask("DELETE", path, session)).status).to.equal(204);
      expect((await ask("GET", "/api/notes", renewed.body.data.accessKey)).status).to.equal(401);
      for (const [method, gone] of [
        ["GET", path],
        ["PUT", path],
        ["DELETE", path],
        ["POST", `${path}/regenerate`],
      ] as const)
        expect((await ask(method, gone, session)).status, method).to.equal(404);
    });

    it("takes an end that is later than now, and keeps one that is over until another one is chosen", async () => {
      const past = "2001-01-31T00:00:00.000Z";
      const saysOf = ({ status, body }: { status: number; body: { error?: { code: string; details: unknown } } }) =>
        [status, body.error?.code, body.error?.details] as const;
      const details = { errors: [{ path: "expiresAt", message: "must be later than now" }] };
      const refused = [400, "PLINTH_TOKENS_INVALID", details];
      const values = { name: "late", type: "read-only" };
      const late = await ask("POST", "/admin/api-tokens", session, { ...values, expiresAt: past });
      expect(saysOf(late)).to.deep.equal(refused);
      expect((await served().tokens.list()).map(({ name }) => name)).not.to.include("late");
      const { documentId } = (await ask("POST", "/admin/api-tokens", session, values)).body.data;
      const path = `/admin/api-tokens/${documentId}`;
      expect(saysOf(await ask("PUT", path, session, { expiresAt: past }))).to.deep.equal(refused);
      expect((await ask("GET", path, session)).body.data.expiresAt).to.equal(null);
      await served().tokens.update(documentId, { expiresAt: past });
      const over = await ask("PUT", path, session, { description: "over", expiresAt: "2001-01-31T00:00:00Z" });
      expect(over.body.data).to.include({ description: "over", expiresAt: past });
      expect((await ask("PUT", path, session, { expiresAt: "2100-01-31" })).body.data.expiresAt).to.match(/^2100/);
      await served().tokens.revoke(documentId);
    });

    it("refuses a body that chooses a key, an id or a last use", async () => {
      for (const key of ["accessKey", "id", "documentId", "lastUsedAt", "createdAt"]) {
        const { status, body } = await ask("POST", "/admin/api-tokens", session, {
          name: `with ${key}`,
          type: "read-only",
          [key]: "1",
        });
        expect([status, body.error.details.errors[0].path]).to.deep.equal([400, key]);
      }
      expect((await ask("POST", "/admin/api-tokens", session, { name: { $ne: 1 }, type: ["custom"] })).status).to.equal(
        400,
      );
      expect((await ask("POST", "/admin/api-tokens", session, [1])).status).to.equal(400);
      expect((await ask("POST", "/admin/api-tokens", session)).status).to.equal(400);
    });

    it("lists the actions that can be granted, and none of its own", async () => {
      const { body } = await ask("GET", "/admin/permissions", session);
      expect(body.data).to.deep.include({ action: "api::note.note.find", routes: ["GET /api/notes"] });
      expect(JSON.stringify(body.data)).not.to.include("/admin");
    });

    it("lists what is done with drafts as well, which has no routes", async () => {
      const { body } = await ask("GET", "/admin/permissions", session);
      expect(body.data).to.deep.include({ action: "api::post.post.findDrafts", routes: [] });
      expect(body.data.some(({ action }: { action: string }) => action === "api::note.note.findDrafts")).to.equal(
        false,
      );
    });

    it("lists tokens of the configuration by their first characters, and no more of them", async () => {
      const { body, text } = await ask("GET", "/admin/api-tokens", session);
      expect(body.meta.configured).to.deep.equal([{ start: "conf", grant: ["api::note.note.find"] }]);
      expect(text).not.to.include("configured-token");
    });

    it("answers a wrong password and an unknown address alike, in about the same time", async () => {
      const login = async (email: string, password: string) => {
        const since = performance.now();
        const { status, body } = await ask("POST", "/admin/login", "", { email, password });
        return { answer: [status, body.error.message], ms: performance.now() - since };
      };
      const refused = [401, "Invalid email or password"];
      const known: number[] = [];
      const unknown: number[] = [];
      for (let round = 0; round < 5; round++) {
        const wrong = await login(EMAIL, "wrong password");
        const nobody = await login("nobody@example.com", "wrong password");
        expect([wrong.answer, nobody.answer]).to.deep.equal([refused, refused]);
        known.push(wrong.ms);
        unknown.push(nobody.ms);
      }
      expect(Math.min(...unknown) / Math.min(...known)).to.be.within(0.5, 2);
      expect((await login(EMAIL, `${"x".repeat(72)}y`)).answer).to.deep.equal(refused);
    });

    it("takes texts for e-mail address and password, and nothing else", async () => {
      for (const email of [{ $ne: "" }, [EMAIL], 1, null, "", undefined]) {
        const { status } = await ask("POST", "/admin/login", "", { email, password: PASSWORD });
        expect(status, JSON.stringify(email)).to.equal(400);
      }
      expect((await ask("POST", "/admin/login", "", { email: EMAIL, password: { length: 8 } })).status).to.equal(400);
      expect((await ask("POST", "/admin/login", "")).status).to.equal(400);
    });

    it("refuses sessions that were signed otherwise, for another purpose, or are over", async () => {
      const { id, v } = jwt.decode(session) as { id: string; v: number };
      const claims = { id, v };
      const audience = "plinth-admin";
      const [head, , signature] = session.split(".");
      const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${session.split(".")[1]}.`;
      const forged = [
        jwt.sign(claims, "another secret of the tests", { audience }),
        jwt.sign(claims, SALT, { audience }),
        jwt.sign(claims, ADMIN_SECRET),
        jwt.sign(claims, ADMIN_SECRET, { audience: "plinth-users" }),
        jwt.sign(claims, ADMIN_SECRET, { audience, expiresIn: -1 }),
        jwt.sign(claims, ADMIN_SECRET, { audience, algorithm: "HS512" }),
        jwt.sign({ id }, ADMIN_SECRET, { audience }),
        jwt.sign({ id, v: v + 1 }, ADMIN_SECRET, { audience }),
        jwt.sign({ id: "somebody-else", v }, ADMIN_SECRET, { audience }),
        jwt.sign({ id: 1, v }, ADMIN_SECRET, { audience }),
        none,
        `${head}.${Buffer.from(JSON.stringify({ ...claims, aud: audience })).toString("base64url")}.${signature}`,
      ];
      for (const bearer of forged) expect((await ask("GET", "/admin/api-tokens", bearer)).status, bearer).to.equal(401);
    });

    it("is closed at once to who got a new password, and to who was removed", async () => {
      const people = served().plinth.app.service(administrators);
      const login = async (password: string) =>
        (await ask("POST", "/admin/login", "", { email: "eve@example.com", password })).body.token;
      const statusOf = async (bearer: string) => (await ask("GET", "/admin/api-tokens", bearer)).status;
      await people.create("eve@example.com", "first password");
      const first = await login("first password");
      expect(await statusOf(first)).to.equal(200);
      await people.setPassword("EVE@example.com", "second password");
      expect(await statusOf(first)).to.equal(401);
      const second = await login("second password");
      expect(await statusOf(second)).to.equal(200);
      expect(await people.remove("eve@example.com")).to.equal(true);
      expect(await statusOf(second)).to.equal(401);
      await people.create("eve@example.com", "second password");
      expect(await statusOf(second)).to.equal(401);
      expect([
        await people.remove("nobody@example.com"),
        await people.setPassword("nobody@example.com", "12345678"),
      ]).to.deep.equal([false, false]);
    });

    it("is not opened by a password that was replaced while it was compared", async () => {
      const { app } = served().plinth;
      const people = app.service(administrators);
      const email = "overtaken@example.com";
      await people.create(email, PASSWORD);
      duringNextCheck(app, () => people.setPassword(email, "another good password"));
      const { body } = await ask("POST", "/admin/login", "", { email, password: PASSWORD });
      expect((await ask("GET", "/admin/api-tokens", body.token ?? "none")).status).to.equal(401);
      const again = await ask("POST", "/admin/login", "", { email, password: "another good password" });
      expect((await ask("GET", "/admin/api-tokens", again.body.token)).status).to.equal(200);
    });

    it("is for accounts and tokens that are there: commands name the nearest one", async () => {
      const { app } = served().plinth;
      const commands = [
        [adminCommands["admin remove"], { email: "ada@example.con" }, EMAIL],
        [adminCommands["admin password"], { email: "ada@example.con" }, EMAIL],
        [tokenCommands["token revoke"], { "name|id": "contend" }, "content"],
      ] as const;
      for (const [command, given, meant] of commands) {
        const failure = await runCommand(command, app, { arguments: given }).catch((error: Error) => error);
        expect(failure)
          .to.have.property("code")
          .that.matches(/^PLINTH_TOKENS_.*UNKNOWN$/);
        expect((failure as Error).message).to.include(`"${meant}"`);
      }
    });

    it("refuses passwords that are too short or that bcrypt would cut", async () => {
      const people = served().plinth.app.service(administrators);
      for (const password of ["short", "ä".repeat(40)]) {
        const failure = await people.create("long@example.com", password).catch((error: unknown) => error);
        expect(failure).to.include({ code: "PLINTH_INPUT_INVALID" });
      }
      for (const password of ["password123", "long@example.com"]) {
        const failure = await people.create("long@example.com", password).catch((error: unknown) => error);
        expect(failure).to.include({ code: "PLINTH_TOKENS_INVALID" });
      }
    });

    it("shows no password, hash or key in lists, answers and the log", async () => {
      const { plinth, logged } = served();
      const people = await plinth.app.service(administrators).list();
      expect(people[0]).to.have.all.keys("id", "documentId", "email", "createdAt");
      const said = logged.join("\n");
      for (const secret of [PASSWORD, session, admin.accessKey, SALT, ADMIN_SECRET, "$2b$"])
        expect(said).not.to.include(secret);
    });
  });

  describe("logins of administrators", () => {
    const pluginConfigs = { "api-tokens": { salt: SALT, adminSecret: ADMIN_SECRET, loginLimit: 3 } };
    const served = serveTokens(database, { pluginConfigs });

    it("are limited by address, whatever the account and the spelling of the path", async () => {
      const paths = ["/admin/login", "/ADMIN/Login", "/admin/login/", "/admin/login?x=1", "/admin/%6Cogin"];
      const statuses: number[] = [];
      for (const [index, path] of paths.entries()) {
        const answer = await served().ask("POST", path, "", {
          email: `e${index}@example.com`,
          password: "wrong password",
        });
        statuses.push(answer.status);
        if (answer.status === 429) expect(Number(answer.headers.get("retry-after"))).to.be.within(1, 60);
      }
      expect(statuses.filter((status) => status === 401)).to.have.length(3);
      expect(statuses.filter((status) => status === 429).length).to.be.greaterThanOrEqual(1);
    });

    it("are not made another's by headers that claim another address", async () => {
      for (const [index, name] of ["x-forwarded-for", "forwarded", "x-real-ip", "true-client-ip"].entries()) {
        const response = await fetch(`${served().url}/admin/login`, {
          method: "POST",
          headers: { "content-type": "application/json", [name]: `10.0.0.${index}` },
          body: JSON.stringify({ email: `h${index}@example.com`, password: "wrong password" }),
        });
        expect(response.status, name).to.equal(429);
      }
    });
  });

  describe("guesses at an administrator from many addresses", () => {
    const pluginConfigs = { "api-tokens": { salt: SALT, adminSecret: ADMIN_SECRET, loginLimit: 3 } };
    const config = { server: { host: "127.0.0.1", port: 0, proxy: true }, database: database.config() };
    const served = serveTokens(database, { pluginConfigs, config });
    const login = async (address: string, password = "wrong password") => {
      const response = await fetch(`${served().url}/admin/login`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": address },
        body: JSON.stringify({ email: "guessed@example.com", password }),
      });
      return response.status;
    };

    it("are those of one address within one /64 network, end across networks, and do not lock the owner out", async () => {
      await served().plinth.app.service(administrators).create("guessed@example.com", PASSWORD);
      const near: number[] = [];
      for (let n = 1; n <= 10; n++) near.push(await login(`2001:db8:1:1::${n}`));
      expect(near.filter((status) => status === 401)).to.have.length(3);
      expect(await login("192.0.2.1", PASSWORD)).to.equal(200);
      const far: number[] = [];
      for (let n = 1; n <= 20; n++) far.push(await login(`2001:db8:2:${n}::1`));
      expect(far.filter((status) => status === 401)).to.have.length(9);
      expect(await login("198.51.100.1", PASSWORD)).to.equal(200);
      expect(await login("192.0.2.1", PASSWORD)).to.equal(200);
    });
  });
});
