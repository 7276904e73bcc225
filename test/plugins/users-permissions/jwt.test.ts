import { randomBytes } from "node:crypto";
import { expect } from "chai";
import jsonwebtoken from "jsonwebtoken";
import { USER } from "#plugins/users-permissions/src/content-types.js";
import { jwt, users } from "@plinth/plugin-users-permissions";
import { eitherDatabase } from "../../databases.js";
import { ADMIN, PASSWORD, SECRET, serveAuthApp, startAuthApp } from "./auth-app.js";

const ME = "/api/users/me";
const UNKNOWN = { status: 401, message: "Missing or invalid credentials" };
const REFUSED = { status: 401, message: "Invalid credentials" };

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

eitherDatabase(import.meta.url, (database) => {
  describe("the token of a user", () => {
    const served = serveAuthApp(database);
    const answerTo = async (token: string) => {
      const { status, body } = await served().ask("GET", ME, { token });
      return { status, message: body.error?.message };
    };
    const payloadOf = (token: string) => jsonwebtoken.decode(token) as Record<string, unknown>;

    it("holds for thirty days, is signed with HS256, and says no more than id and session version", async () => {
      const { jwt: token, user } = await served().register("holder");
      const { header, payload } = jsonwebtoken.decode(token, { complete: true }) ?? {};
      expect(header).to.deep.equal({ alg: "HS256", typ: "JWT" });
      expect(payload).to.have.all.keys("id", "v", "iat", "exp").and.include({ id: user.id });
      const { exp, iat } = payload as { exp: number; iat: number };
      expect(exp - iat).to.equal(30 * 24 * 60 * 60);
      expect((await answerTo(token)).status).to.equal(200);
    });

    it("is refused when it was changed, is over, or was made by somebody else", async () => {
      const { jwt: token } = await served().register("victim");
      const { id, v } = payloadOf(token);
      const [header, payload, signature] = token.split(".");
      const sign = (claims: object, secret = SECRET, options = {}) =>
        jsonwebtoken.sign(claims, secret, { expiresIn: 60, ...options });
      const forged = {
        "another payload": `${header}.${base64({ id, v, exp: 4_000_000_000 })}.${signature}`,
        "no signature": `${header}.${payload}.`,
        "alg none": `${base64({ alg: "none", typ: "JWT" })}.${payload}.`,
        "alg None": `${base64({ alg: "None" })}.${payload}.${signature}`,
        "another algorithm": sign({ id, v }, SECRET, { algorithm: "HS512" }),
        "another secret": sign({ id, v }, randomBytes(32).toString("hex")),
        "an empty secret's signature": `${header}.${payload}.${Buffer.alloc(32).toString("base64url")}`,
        "it is over": sign({ id, v }, SECRET, { expiresIn: -1 }),
        "without an end": jsonwebtoken.sign({ id, v }, SECRET),
        "not valid yet": sign({ id, v }, SECRET, { notBefore: 60 }),
        "another issuer": sign({ id, v }, SECRET, { issuer: "another" }),
        "another plugin's claims": sign({ id, v, kind: "admin" }),
        "without a session version": sign({ id }),
        "an object as id": sign({ id: { $ne: 0 }, v }),
        "a text as id": sign({ id: String(id), v }),
        "no token": "a.b.c",
      };
      for (const [what, bearer] of Object.entries(forged)) expect(await answerTo(bearer), what).to.deep.equal(UNKNOWN);
      expect((await answerTo(token)).status).to.equal(200);
    });

    it("is out as soon as the user is blocked", async () => {
      const { jwt: token, user } = await served().register("blocked");
      expect((await answerTo(token)).status).to.equal(200);
      await served().ask("PUT", `/api/users/${user.id}`, { token: ADMIN, body: { blocked: true } });
      expect(await answerTo(token)).to.deep.equal(REFUSED);
    });

    it("stays out when the user is no longer blocked: sessions ended then", async () => {
      const { jwt: token, user } = await served().register("unblocked");
      for (const blocked of [true, false])
        await served().ask("PUT", `/api/users/${user.id}`, { token: ADMIN, body: { blocked } });
      expect(await answerTo(token)).to.deep.equal(REFUSED);
    });

    it("is out as soon as there is a new password, by whatever way, also within the second it was issued in", async () => {
      const ways: Readonly<Record<string, (user: { id: number; documentId: string }) => Promise<unknown>>> = {
        rest: ({ id }) => served().ask("PUT", `/api/users/${id}`, { token: ADMIN, body: { password: "Another-1" } }),
        service: ({ id }) => served().plinth.app.service(users).setPassword(id, "Another-1"),
        document: ({ documentId }) =>
          served()
            .plinth.app.documents(USER)
            .update({ documentId, data: { password: "Another-1" } }),
      };
      for (const [way, change] of Object.entries(ways)) {
        const { jwt: token, user } = await served().register(`password-${way}`);
        expect((await answerTo(token)).status, way).to.equal(200);
        await change(user);
        expect(await answerTo(token), way).to.deep.equal(REFUSED);
      }
    });

    it("is out when the user is deleted, also when somebody else gets that id", async () => {
      const { jwt: token, user } = await served().register("deleted");
      expect((await answerTo(token)).status).to.equal(200);
      await served().ask("DELETE", `/api/users/${user.id}`, { token: ADMIN });
      expect(await answerTo(token)).to.deep.equal(REFUSED);
      const { app } = served().plinth;
      await app.db.query({ text: `alter table up_users alter column id restart with ${user.id}`, values: [] });
      const heir = await served().register("heir");
      expect(heir.user.id).to.equal(user.id);
      expect(await answerTo(token)).to.deep.equal(REFUSED);
      expect((await answerTo(heir.jwt)).status).to.equal(200);
    });

    it("costs no statement once its user is known", async () => {
      const { jwt: token } = await served().register("regular");
      await answerTo(token);
      const { db } = served().plinth.app;
      const before = db.statementCount;
      expect((await served().ask("GET", "/api/users", { token })).status).to.equal(403);
      expect((await served().ask("GET", "/api/users")).status).to.equal(403);
      expect(db.statementCount).to.equal(before);
    });

    it("is believed with an older secret, and signed with the first", async () => {
      const config = { jwtSecret: ["the new secret of the tests", SECRET] };
      const rotated = await startAuthApp(database, { config });
      const account = await rotated.plinth.app.service(users).create({
        username: "rotating",
        email: "rotating@example.com",
        password: PASSWORD,
      });
      const { sessionVersion: v, id } = account;
      const old = jsonwebtoken.sign({ id, v }, SECRET, { expiresIn: 60 });
      expect((await rotated.ask("GET", ME, { token: old })).status).to.equal(200);
      const fresh = rotated.plinth.app.service(jwt).issue(account);
      expect(() => jsonwebtoken.verify(fresh, SECRET)).to.throw("invalid signature");
      expect((await rotated.ask("GET", ME, { token: fresh })).status).to.equal(200);
      await rotated.plinth.stop();
    });

    it("cannot be made in production without a secret: the app does not start", async () => {
      const config = { jwtSecret: "" };
      const error = await startAuthApp(database, { config, environment: "production" }).catch(
        (cause: unknown) => cause,
      );
      expect(String(error)).to.match(/JWT_SECRET/);
    });
  });
});
