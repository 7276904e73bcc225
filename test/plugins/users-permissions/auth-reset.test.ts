import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { USER } from "#plugins/users-permissions/src/content-types.js";
import { eitherDatabase } from "../../databases.js";
import { type AuthApp, PASSWORD, serveAuthApp } from "./auth-app.js";

const FORGOT = "/api/auth/forgot-password";
const RESET = "/api/auth/reset-password";
const LOGIN = "/api/auth/local";
const SEND = "/api/auth/send-email-confirmation";
const NEW = "another-Passw0rd";

const handleOf = ({ plinth }: AuthApp) => plinth.app.plugin("users-permissions");

/** The link in the latest mail that has one with this parameter, once all mails are out: they overtake each other. */
async function latestLink(app: AuthApp, parameter: "code" | "confirmation"): Promise<URL> {
  await handleOf(app).service("auth").settle();
  const links = handleOf(app)
    .service("mailer")
    .kept()
    .flatMap(({ text }) => /https?:\S+/.exec(text) ?? []);
  return new URL(links.findLast((link) => new URL(link).searchParams.has(parameter)) ?? "");
}

async function codeFor(app: AuthApp, username: string): Promise<string> {
  await app.post(FORGOT, { email: `${username}@example.com` });
  return (await latestLink(app, "code")).searchParams.get("code") ?? "";
}

const bodyOf = (code: unknown) => ({ code, password: NEW, passwordConfirmation: NEW });

describe("a forgotten password", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, {
      config: { resetPassword: { url: "https://app.example.com/reset?theme=dark" } },
    });

    it("is reset with the code of the mail, once, and all tokens are over", async () => {
      const { jwt } = await served().register("ada");
      const code = await codeFor(served(), "ada");
      const reset = await served().post(RESET, bodyOf(code));
      expect(reset.status).to.equal(200);
      expect(reset.body.user.username).to.equal("ada");
      expect((await served().ask("GET", "/api/users/me", { token: reset.body.jwt })).status).to.equal(200);
      expect((await served().ask("GET", "/api/users/me", { token: jwt })).status).to.equal(401);
      const again = await served().post(RESET, bodyOf(code));
      expect(again.status).to.equal(400);
      expect(again.body.error.message).to.equal("Incorrect code provided");
      expect((await served().post(LOGIN, { identifier: "ada", password: NEW })).status).to.equal(200);
    });

    it("is reset by one of several requests that come with one code at one time", async () => {
      await served().register("race");
      const code = await codeFor(served(), "race");
      const answers = await Promise.all([1, 2, 3, 4].map(() => served().post(RESET, bodyOf(code))));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400, 400]);
    });

    it("cannot be reset with an older code, nor with what is stored of one", async () => {
      await served().register("older");
      const older = await codeFor(served(), "older");
      const newer = await codeFor(served(), "older");
      const row = await served().plinth.app.db.model(USER).query().findOne({ username: "older" });
      const stored = String(row?.["reset_password_token"]);
      expect(newer).to.not.include(stored);
      for (const code of [older, stored, newer.toUpperCase(), `${newer} `, newer.slice(0, -1)]) {
        expect((await served().post(RESET, bodyOf(code))).status, code).to.equal(400);
      }
      expect((await served().post(RESET, bodyOf(newer))).status).to.equal(200);
    });

    it("cannot be reset with anything but a text in place of the code", async () => {
      await served().register("typed");
      const code = await codeFor(served(), "typed");
      const hostile = [{ $ne: null }, { $notNull: true }, [code], { 0: code }, null, true, 0, "", "%", "\u0000"];
      for (const value of hostile) {
        expect((await served().post(RESET, bodyOf(value))).status, JSON.stringify(value)).to.equal(400);
      }
      const text = await served().ask("POST", RESET, {
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      expect(text.status).to.equal(400);
      expect((await served().post(RESET, bodyOf(code))).status).to.equal(200);
    });

    it("is answered alike for known and unknown addresses, without waiting for the mail", async () => {
      await served().register("known");
      const before = handleOf(served()).service("mailer").kept().length;
      const known = await served().post(FORGOT, { email: "KNOWN@example.com" });
      const unknown = await served().post(FORGOT, { email: "unknown@example.com" });
      expect([known.status, known.body]).to.deep.equal([unknown.status, unknown.body]);
      expect(known.body).to.deep.equal({ ok: true });
      await handleOf(served()).service("auth").settle();
      const sent = handleOf(served()).service("mailer").kept().slice(before);
      expect(sent.map(({ to }) => to)).to.deep.equal(["known@example.com"]);
    });

    it("leads where the configuration says, whatever the request's headers say", async () => {
      await served().register("link");
      const headers = {
        "x-forwarded-host": "evil.example",
        origin: "https://evil.example",
        referer: "https://evil.example",
      };
      await served().post(FORGOT, { email: "link@example.com", url: "https://evil.example" }, { headers });
      const link = await latestLink(served(), "code");
      expect(`${link.origin}${link.pathname}`).to.equal("https://app.example.com/reset");
      expect(link.searchParams.get("theme")).to.equal("dark");
    });

    it("sends no code to accounts that are blocked or have no password here", async () => {
      const users = handleOf(served()).service("users");
      await users.update((await served().register("barred")).user.id, { blocked: true });
      await users.update((await served().register("elsewhere")).user.id, { provider: "github" });
      const before = handleOf(served()).service("mailer").kept().length;
      for (const name of ["barred", "elsewhere"]) await served().post(FORGOT, { email: `${name}@example.com` });
      await handleOf(served()).service("auth").settle();
      expect(handleOf(served()).service("mailer").kept()).to.have.length(before);
    });

    it("shows no code in a log", async () => {
      await served().register("logged");
      const code = await codeFor(served(), "logged");
      expect(served().log.join("")).to.include("was kept").and.not.include(code);
    });
  });
});

describe("an expired code", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, { config: { resetPassword: { lifespan: 1 } } });

    it("resets nothing, and neither does one with a later time written on it", async () => {
      await served().register("late");
      const code = await codeFor(served(), "late");
      await sleep(2000);
      const later = (Math.floor(Date.now() / 1000) + 3600).toString(36);
      for (const tried of [code, `${later}${code.slice(code.indexOf("-"))}`]) {
        expect((await served().post(RESET, bodyOf(tried))).status).to.equal(400);
      }
      expect((await served().post(LOGIN, { identifier: "late", password: PASSWORD })).status).to.equal(200);
    });
  });
});

describe("confirming an e-mail address", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, {
      config: { emailConfirmation: { enabled: true } },
      appConfig: { server: { host: "127.0.0.1", port: 0, url: "https://api.example.com" } },
    });
    const register = (name: string) => served().register(name);

    it("comes before the first login, by the link of the mail, which works once", async () => {
      const registered = await register("ada");
      expect(registered).to.have.all.keys("user");
      const link = await latestLink(served(), "confirmation");
      const refused = await served().post(LOGIN, { identifier: "ada", password: PASSWORD });
      expect(refused.body.error.message).to.equal("Your account email is not confirmed");
      expect(`${link.origin}${link.pathname}`).to.equal("https://api.example.com/api/auth/email-confirmation");
      const path = `${link.pathname}${link.search}`;
      const confirmed = await served().ask("GET", path);
      expect(confirmed.body).to.include({ username: "ada", confirmed: true });
      expect((await served().ask("GET", path)).body.error.message).to.equal("Invalid token");
      expect((await served().post(LOGIN, { identifier: "ada", password: PASSWORD })).status).to.equal(200);
    });

    it("can be asked for again, in the same words for addresses that are nobody's", async () => {
      await register("again");
      const { user } = await register("done");
      await latestLink(served(), "confirmation");
      await handleOf(served()).service("users").update(user.id, { confirmed: true });
      const before = handleOf(served()).service("mailer").kept().length;
      for (const email of ["again@example.com", "done@example.com", "nobody@example.com"]) {
        expect((await served().post(SEND, { email })).body).to.deep.equal({ email, sent: true });
      }
      await handleOf(served()).service("auth").settle();
      expect(handleOf(served()).service("mailer").kept()).to.have.length(before + 1);
    });

    it("is done by a reset too: its code came to the address", async () => {
      await register("resetter");
      const code = await codeFor(served(), "resetter");
      expect((await served().post(RESET, bodyOf(code))).body.user.confirmed).to.equal(true);
    });

    it("takes no objects or lists for a token", async () => {
      await register("listed");
      const link = await latestLink(served(), "confirmation");
      const token = link.searchParams.get("confirmation");
      for (const query of [
        "confirmation[$ne]=x",
        `confirmation[]=${token}`,
        "confirmation=",
        "",
        "confirmation[$notNull]=1",
      ]) {
        expect((await served().ask("GET", `${link.pathname}?${query}`)).status, query).to.equal(400);
      }
      expect((await served().ask("GET", `${link.pathname}${link.search}`)).status).to.equal(200);
    });
  });
});

describe("asking for a confirmation where nobody has to confirm", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database);

    it("is refused for a confirmed address, and answers alike for every other", async () => {
      await served().register("ada");
      const refused = await served().post(SEND, { email: "ada@example.com" });
      expect(refused.status).to.equal(400);
      expect(refused.body.error).to.include({ name: "ApplicationError", message: "Already confirmed" });
      const unknown = await served().post(SEND, { email: "Nobody@example.com" });
      expect(unknown.body).to.deep.equal({ email: "nobody@example.com", sent: true });
    });
  });
});

describe("a confirmation that goes on to a page", () => {
  eitherDatabase(import.meta.url, (database) => {
    const served = serveAuthApp(database, {
      config: { emailConfirmation: { enabled: true, redirectTo: "https://app.example.com/welcome" } },
    });

    it("leads there and nowhere else", async () => {
      await served().register("guest");
      const link = await latestLink(served(), "confirmation");
      const answer = await served().ask("GET", `${link.pathname}${link.search}&redirectTo=https://evil.example`);
      expect(answer.status).to.equal(302);
      expect(answer.headers.get("location")).to.equal("https://app.example.com/welcome");
    });
  });
});
