/** Tests of requests to sign in, refresh and sign out that still have an old token with them. */
import { graphqlPlugin } from "@plinth/plugin-graphql";
import { expect } from "chai";
import jsonwebtoken from "jsonwebtoken";
import { eitherDatabase } from "../../databases.js";
import { ADMIN, PASSWORD, SECRET, serveAuthApp } from "./auth-app.js";

const UNKNOWN = "eyJ.not-a-token.of-ours";

eitherDatabase(import.meta.url, (database) => {
  describe("Credentials that have expired", () => {
    const served = serveAuthApp(database, {
      config: { jwtManagement: "refresh" },
      setup: { plugins: [graphqlPlugin] },
    });
    /** Somebody who is signed in, with their access token as it is after it has expired. */
    const register = async (name: string) => {
      const signedIn = await served().register(name);
      return { ...signedIn, expired: expiredOf(signedIn.jwt) };
    };
    const expiredOf = (token: string, secret = SECRET): string => {
      const { iat: _iat, exp: _exp, ...claims } = jsonwebtoken.decode(token) as jsonwebtoken.JwtPayload;
      return jsonwebtoken.sign(claims, secret, { expiresIn: -60 });
    };
    const isOpen = async (refreshToken: string) =>
      (await served().post("/api/auth/refresh", { refreshToken })).status === 200;

    it("are no obstacle to signing in, refreshing, registering and asking for mails", async () => {
      const { expired, refreshToken } = await register("comes-back");
      const email = "comes-back@example.com";
      const bodies: Readonly<Record<string, object>> = {
        "/api/auth/local": { identifier: "comes-back", password: PASSWORD },
        "/api/auth/forgot-password": { email },
        "/api/auth/send-email-confirmation": { email: "unknown@example.com" },
      };
      const { jwt: ended, refreshToken: its } = await register("signed-out");
      await served().post("/api/auth/logout", {}, { token: ended });
      expect(await isOpen(its)).to.equal(false);
      for (const token of [expired, ended]) {
        for (const [path, body] of Object.entries(bodies)) {
          const answer = await served().post(path, body, { token });
          expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).to.equal(200);
        }
        const reset = { code: "none", password: PASSWORD, passwordConfirmation: PASSWORD };
        expect((await served().post("/api/auth/reset-password", reset, { token })).status).to.equal(400);
        const confirmation = await served().ask("GET", "/api/auth/email-confirmation?confirmation=none", { token });
        expect(confirmation.status).to.equal(400);
      }
      const refreshed = await served().post("/api/auth/refresh", { refreshToken }, { token: expired });
      expect(refreshed.status).to.equal(200);
      const account = { username: "somebody-new", email: "new@example.com", password: PASSWORD };
      expect((await served().post("/api/auth/local/register", account, { token: expired })).status).to.equal(200);
    });

    it("are refused everywhere else, and valid ones are asked for their rights as before", async () => {
      const { expired, jwt } = await register("elsewhere");
      const statusOf = async (method: string, path: string, token: string, body?: object) =>
        (await served().ask(method, path, { token, ...(body ? { body } : {}) })).status;
      for (const token of [expired, UNKNOWN]) {
        expect(await statusOf("GET", "/api/users/me", token)).to.equal(401);
        expect(await statusOf("GET", "/api/auth/sessions", token)).to.equal(401);
        expect(await statusOf("POST", "/api/auth/change-password", token, {})).to.equal(401);
      }
      for (const path of ["/api/auth/local", "/api/auth/refresh", "/api/auth/logout", "/api/auth/forgot-password"])
        expect(await statusOf("POST", path, UNKNOWN, {}), `${path} with a token that is not ours`).to.equal(401);
      const { body } = await served().ask("GET", "/api/users/me", { token: expired });
      expect(body.error).to.include({ message: "Missing or invalid credentials", code: "PLINTH_USERS_TOKEN_EXPIRED" });
      const login = { identifier: "elsewhere", password: PASSWORD };
      expect(await statusOf("POST", "/api/auth/local", jwt, login)).to.equal(403);
      expect(await statusOf("POST", "/api/auth/local", ADMIN, login)).to.equal(200);
      expect((await served().post("/api/auth/logout", {})).status, "without credentials").to.equal(403);
      expect((await served().post("/api/auth/logout", {}, { token: ADMIN })).status, "of no user").to.equal(401);
    });

    it("end their own session when their user signs out, and no other", async () => {
      const first = await register("signs-out");
      const { body: second } = await served().post("/api/auth/local", { identifier: "signs-out", password: PASSWORD });
      const all = await served().post("/api/auth/logout", { scope: "all" }, { token: first.expired });
      expect(all.status, "all sessions").to.equal(401);
      const answer = await served().post("/api/auth/logout", {}, { token: first.expired });
      expect(answer).to.deep.include({ status: 200, body: { ok: true } });
      expect(await isOpen(first.refreshToken)).to.equal(false);
      expect(await isOpen(second.refreshToken)).to.equal(true);
    });

    it("end the session of the refresh token that comes with them, where their own has ended", async () => {
      const { expired: token, refreshToken: ended } = await register("sends-both");
      const { refreshToken } = await register("sends-its-own");
      const { refreshToken: other } = await register("sends-none");
      const signOut = (body: object) => served().post("/api/auth/logout", body, { token });
      await signOut({});
      expect(await isOpen(ended)).to.equal(false);
      const [sid] = other.split(".");
      for (const wrong of [undefined, 7, "x", `${sid}.${"0".repeat(64)}`])
        expect((await signOut({ refreshToken: wrong })).body).to.deep.equal({ ok: true });
      expect((await signOut({ refreshToken })).body).to.deep.equal({ ok: true });
      expect(await isOpen(refreshToken)).to.equal(false);
      expect(await isOpen(other)).to.equal(true);
    });

    it("that somebody else has made are none of ours, and end nothing", async () => {
      const { jwt, refreshToken } = await register("target");
      const forged = expiredOf(jwt, "another secret that is long enough too");
      expect((await served().post("/api/auth/logout", {}, { token: forged })).status).to.equal(401);
      expect(await isOpen(refreshToken)).to.equal(true);
    });

    it("are no obstacle to mutations that sign in, and refused with every other operation", async () => {
      const { expired } = await register("over-graphql");
      const login = `login(input: { identifier: "over-graphql", password: "${PASSWORD}" }) { jwt }`;
      const send = (query: string, more: object = {}) =>
        served().post("/graphql", { query, ...more }, { token: expired });
      const answer = await send(`mutation { ${login} }`);
      expect(answer.body.data.login.jwt, JSON.stringify(answer.body)).to.be.a("string");
      const named = `mutation In { ${login} } mutation Out { changePassword(currentPassword: "a", password: "b", passwordConfirmation: "b") { jwt } }`;
      expect((await send(named, { operationName: "In" })).body.data.login.jwt).to.be.a("string");
      const refused = [
        send("{ me { username } }"),
        send(named, { operationName: "Out" }),
        send(named),
        send(
          `mutation { ${login} changePassword(currentPassword: "a", password: "b", passwordConfirmation: "b") { jwt } }`,
        ),
        send(`mutation { ... on Mutation { ${login} } }`),
        send("mutation {"),
        send(`mutation ${"{ a ".repeat(2_000)}`),
      ];
      for (const { status, body } of await Promise.all(refused)) {
        expect(status, JSON.stringify(body)).to.equal(401);
      }
    });
  });
});
