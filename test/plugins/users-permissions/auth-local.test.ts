import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ADMIN, type Answered, PASSWORD, serveAuthApp } from "./auth-app.js";

const REGISTER = "/api/auth/local/register";
const LOGIN = "/api/auth/local";
const CHANGE = "/api/auth/change-password";

function expectError({ status, body }: Answered, expected: { status: number; name: string; message: string }): void {
  expect({ status, name: body.error?.name, message: body.error?.message }).to.deep.equal(expected);
}

const validation = (message: string) => ({ status: 400, name: "ValidationError", message });
const application = (message: string) => ({ status: 400, name: "ApplicationError", message });

describe("signing in with a password", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, {
      config: { register: { allowedFields: [] } },
      setup: { plugins: [], passwordRounds: 10 },
    });
    const login = (identifier: unknown, password: unknown) => served().post(LOGIN, { identifier, password });

    it("works with the username, and with the e-mail address in any letter case", async () => {
      const { user } = await served().register("ada");
      for (const identifier of ["ada", "ada@example.com", "ADA@Example.com"]) {
        const answer = await login(identifier, PASSWORD);
        expect(answer.status, identifier).to.equal(200);
        expect(answer.body.user).to.deep.equal(user);
        expect(answer.body).to.have.all.keys("jwt", "user");
      }
      expectError(await login("ADA", PASSWORD), validation("Invalid identifier or password"));
    });

    it("gives a token that works, and nothing secret", async () => {
      const { jwt, user } = await served().register("grace");
      const me = await served().ask("GET", "/api/users/me", { token: jwt });
      expect(me.body).to.deep.equal(user);
      const shown = ["id", "documentId", "username", "email", "provider", "confirmed", "blocked"];
      expect(user).to.have.all.keys(...shown, "createdAt", "updatedAt", "publishedAt");
    });

    it("and what is about a person is kept by no cache, refusals included", async () => {
      const { jwt } = await served().register("cecilia");
      const own = await served().ask("GET", "/api/users/me", { token: jwt });
      const list = await served().ask("GET", "/api/users", { token: ADMIN });
      for (const { headers } of [await login("cecilia", PASSWORD), await login("cecilia", "wrong-1"), own, list])
        expect(headers.get("cache-control")).to.equal("no-store");
    });

    it("without a body is a 400", async () => {
      const paths = [LOGIN, REGISTER, "/api/auth/forgot-password", "/api/auth/reset-password"];
      for (const path of [...paths, "/api/auth/send-email-confirmation"]) {
        expect((await served().ask("POST", path)).status, path).to.equal(400);
      }
    });

    it("refuses anything but texts, and says so", async () => {
      const texts = [{ $ne: null }, ["ada"], 1, true, null];
      for (const value of texts) {
        const answer = await login(value, value);
        expect(answer.status, JSON.stringify(value)).to.equal(400);
        expect(answer.body.error.details.errors).to.have.length(2);
      }
      expect((await served().post(LOGIN, ["ada", PASSWORD])).status).to.equal(400);
      expect((await login("ada\u0000", PASSWORD)).status).to.equal(400);
    });

    it("does not tell the name of a blocked account to those who do not know its password", async () => {
      const { user, jwt } = await served().register("mallory");
      await served().plinth.app.plugin("users-permissions").service("users").update(user.id, { blocked: true });
      expectError(await login("mallory", "wrong-password"), validation("Invalid identifier or password"));
      expectError(await login("mallory", PASSWORD), application("Your account has been blocked by an administrator"));
      expectError(await served().ask("GET", "/api/users/me", { token: jwt }), {
        status: 401,
        name: "UnauthorizedError",
        message: "Invalid credentials",
      });
    });

    it("is refused to accounts of another provider", async () => {
      const { user } = await served().register("octocat");
      await served().plinth.app.plugin("users-permissions").service("users").update(user.id, { provider: "github" });
      expectError(await login("octocat", PASSWORD), validation("Invalid identifier or password"));
    });

    it("takes as long for an unknown account as for a wrong password", async () => {
      await served().register("tortoise");
      const [known, unknown] = await timesOf(["tortoise", "nobody-has-this-name"], (name) =>
        login(name, "wrong-password"),
      );
      // Without the comparison for nobody an unknown account is answered in a tenth of the time.
      expect(Number(unknown) / Number(known)).to.be.within(0.5, 2);
    });

    it("of a provider that is unknown or not enabled is a 400", async () => {
      for (const path of [
        "connect/nope",
        "connect/github",
        "connect/",
        "connect/github/callback",
        "auth/github/callback",
      ])
        expectError(await served().ask("GET", `/api/${path}`), application("This provider is disabled"));
      expect((await served().ask("POST", "/api/auth/github/callback", { body: {} })).status).to.equal(405);
    });

    it("asks for a name and a password where the path of providers is that of passwords", async () => {
      const { status, body } = await served().ask("GET", "/api/auth/local/callback");
      expect([status, body.error.message]).to.deep.equal([400, "2 errors occurred"]);
    });
  });
});

describe("registering", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database);

    it("takes no field that a user may not set", async () => {
      const fields = ["role", "confirmed", "blocked", "provider", "id", "documentId", "sessionVersion", "data"];
      const tokens = ["resetPasswordToken", "confirmationToken", "createdAt", "__proto__x", "constructor"];
      for (const field of [...fields, ...tokens]) {
        const username = `m${field.toLowerCase()}`;
        const body = { username, email: `${username}@example.com`, password: PASSWORD, [field]: 1 };
        expectError(await served().post(REGISTER, body), validation(`Invalid parameters: ${field}`));
        expect((await served().post(LOGIN, { identifier: username, password: PASSWORD })).status).to.equal(400);
      }
    });

    it("twice with one name or one address is refused, whatever the letter case of the address", async () => {
      await served().register("linus");
      const taken = application("Email or Username are already taken");
      const register = (username: string, email: string) =>
        served().post(REGISTER, { username, email, password: PASSWORD });
      expectError(await register("linus", "other@example.com"), taken);
      expectError(await register("other", "LINUS@Example.com"), taken);
      expectError(await register("linus@example.com", "other@example.com"), taken);
      expectError(await register("LINUS@example.com", "other@example.com"), taken);
    });

    it("twice at the same time makes one user", async () => {
      const body = { username: "twin", email: "twin@example.com", password: PASSWORD };
      const answers = await Promise.all([1, 2, 3].map(() => served().post(REGISTER, body)));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400]);
    });

    it("tells of names and passwords that are too short when nothing else is wrong", async () => {
      const short = { username: "ab", password: "abc" };
      expectError(await served().post(REGISTER, short), validation("email is a required field"));
      const both = await served().post(REGISTER, { ...short, email: "short@example.com" });
      expectError(both, validation("2 errors occurred"));
      expect(both.body.error.details.errors[1]).to.deep.equal({
        path: ["password"],
        message: "password must be at least 6 characters",
        name: "ValidationError",
        value: "abc",
      });
    });

    it("refuses passwords by their bytes", async () => {
      const password = "é".repeat(37);
      const answer = await served().post(REGISTER, { username: "bytes", email: "bytes@example.com", password });
      expectError(answer, validation("Password must be less than 73 bytes"));
    });

    it("logs no password and no token", async () => {
      const { jwt } = await served().register("private");
      const log = served().log.join("");
      expect(log).to.include("/api/auth/local/register");
      expect(log).to.not.include(PASSWORD);
      expect(log).to.not.include(jwt);
    });
  });
});

describe("registering in an app with settings", () => {
  eitherDatabase(import.meta.url, (database) => {
    const closed = serveAuthApp(database, { config: { register: { enabled: false } } });

    it("is closed when the configuration says so", async () => {
      const body = { username: "late", email: "late@example.com", password: PASSWORD };
      expectError(await closed().post(REGISTER, body), application("Register action is currently disabled"));
    });
  });
});

describe("changing a password", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database);
    const NEW = "another-Passw0rd";
    const bodyOf = (changes: object = {}) => ({
      currentPassword: PASSWORD,
      password: NEW,
      passwordConfirmation: NEW,
      ...changes,
    });

    it("ends all tokens at once, even of the same second, and gives a new one", async () => {
      const { jwt, user } = await served().register("ken");
      const second = (await served().post(LOGIN, { identifier: "ken", password: PASSWORD })).body.jwt;
      const changed = await served().post(CHANGE, bodyOf(), { token: jwt });
      expect(changed.status).to.equal(200);
      expect(changed.body.user.id).to.equal(user.id);
      for (const token of [jwt, second]) {
        expect((await served().ask("GET", "/api/users/me", { token })).status).to.equal(401);
      }
      expect((await served().ask("GET", "/api/users/me", { token: changed.body.jwt })).status).to.equal(200);
      expect((await served().post(LOGIN, { identifier: "ken", password: PASSWORD })).status).to.equal(400);
      expect((await served().post(LOGIN, { identifier: "ken", password: NEW })).status).to.equal(200);
    });

    it("tells what is wrong in the reference's words, and changes nothing then", async () => {
      const { jwt } = await served().register("dennis");
      const change = (changes: object) => served().post(CHANGE, bodyOf(changes), { token: jwt });
      expectError(
        await change({ currentPassword: "nope-nope" }),
        validation("The provided current password is invalid"),
      );
      expectError(
        await change({ password: PASSWORD, passwordConfirmation: PASSWORD }),
        validation("Your new password must be different than your current password"),
      );
      expectError(await change({ passwordConfirmation: "x" }), validation("Passwords do not match"));
      expectError(
        await change({ password: "p".repeat(73), passwordConfirmation: "p".repeat(73) }),
        validation("Password must be less than 73 bytes"),
      );
      expect((await served().ask("GET", "/api/users/me", { token: jwt })).status).to.equal(200);
    });

    it("is for users only", async () => {
      expectError(await served().post(CHANGE, bodyOf()), { status: 403, name: "ForbiddenError", message: "Forbidden" });
      expectError(
        await served().post(CHANGE, bodyOf(), { token: ADMIN }),
        application("You must be authenticated to reset your password"),
      );
    });
  });
});

/** The shortest of some, in milliseconds: what else the machine does makes times longer, never shorter. */
async function timesOf<Each>(all: readonly Each[], work: (each: Each) => Promise<unknown>): Promise<readonly number[]> {
  const least = all.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 8; round++)
    for (const [at, each] of all.entries()) {
      const start = performance.now();
      await work(each);
      least[at] = Math.min(least[at] as number, performance.now() - start);
    }
  return least;
}
