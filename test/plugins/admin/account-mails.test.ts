import { expect } from "chai";
import { accountMails } from "#plugins/admin/src/accounts/account-mails.js";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { auditPlugin, audit } from "@plinth/plugin-audit";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { eitherDatabase } from "../../databases.js";
import { type Answered, serveAdmin, startAdminApp } from "./serve-admin.js";
import { administratorOf, PASSWORD, signIn } from "./sign-in.js";

type Sent = Readonly<Record<string, string>>;
const PAGE: Sent = { "sec-fetch-site": "same-origin" };
const ADMINISTRATOR = "plugin::api-tokens.admin";
const plugins = [contentApiPlugin, apiTokensPlugin, usersPermissionsPlugin, auditPlugin, adminPlugin];
const USERS = { jwtSecret: "a secret that only the tests of the page know" };
const saysOf = ({ status, body }: Answered) => [status, body?.error?.code];

eitherDatabase(import.meta.url, (database) => {
  describe("mails about accounts", () => {
    const served = serveAdmin(database, {
      plugins,
      pluginConfigs: { "api-tokens": { loginLimit: 1000 }, "users-permissions": USERS },
    });
    const ask = (method: string, path: string, headers: Sent = PAGE, body?: unknown) =>
      served().ask(method, `/admin/api${path}`, headers, body);
    const mailer = () => served().plinth.app.plugin("users-permissions").service("mailer");
    const mailsTo = async (address: string) => {
      await served().plinth.app.service(accountMails).settle();
      return mailer()
        .kept()
        .filter(({ to }) => to === address);
    };
    const actsOf = async (action: string) => {
      await served().plinth.app.service(accountMails).settle();
      return (await served().plinth.app.service(audit).list({ action })).entries;
    };
    const acts = async (...actions: readonly string[]) =>
      (await Promise.all(actions.map(actsOf))).map((entries) => entries.length);

    it("carry invitations, in the language of who invites; a mail that is kept here is shown as a link as well", async () => {
      const { app } = served().plinth;
      const headers = await signIn(app, "super");
      const { documentId } = await administratorOf(app, "super");
      await app.documents(ADMINISTRATOR).update({ documentId, data: { language: "de" } });
      const { body } = await ask("POST", "/invitations", headers, { email: "grace@example.com", role: "editor" });
      expect(body.isSent).to.equal(true);
      const [mail] = await mailsTo("grace@example.com");
      expect(mail?.subject).to.equal("Einladung zu Plinth");
      expect(mail?.text).to.include(body.link).and.to.include("72 Stunden");
      await app.documents(ADMINISTRATOR).update({ documentId, data: { language: null } });
      expect((await actsOf("account.invite"))[0]).to.deep.include({ actor: { kind: "admin", id: documentId } });
      expect((await actsOf("account.invite"))[0]?.details).to.include({ role: "editor" });
    });

    it("carry links for forgotten passwords, alike for known and unknown addresses, and at most three an hour", async () => {
      const { app } = served().plinth;
      expect((await ask("GET", "/entrance")).body.canReset).to.equal(true);
      const { documentId, email } = await administratorOf(app, "forgetful");
      const { documentId: away } = await administratorOf(app, "away");
      await app.documents(ADMINISTRATOR).update({ documentId: away, data: { isActive: false } });
      const forgot = (address: string) => ask("POST", "/password/forgot", PAGE, { email: address });
      const answers = [
        await forgot("FORGETFUL@example.com"),
        await forgot("nobody@example.com"),
        await forgot("away@example.com"),
      ];
      const same = answers.map(({ status, text, headers }) => [status, text, [...headers.keys()].sort()]);
      expect(same[1]).to.deep.equal(same[0]);
      expect(same[2]).to.deep.equal(same[0]);
      expect(same[0]?.[0]).to.equal(204);
      expect(await mailsTo("nobody@example.com")).to.deep.equal([]);
      expect(await mailsTo("away@example.com")).to.deep.equal([]);
      const [mail] = await mailsTo(email);
      const code = /http:\/\/localhost:0\/admin\/reset#([\w-]+)/.exec(mail?.text ?? "")?.[1];
      expect((await ask("POST", "/password/reset", PAGE, { code, password: "another good one" })).status).to.equal(204);
      expect((await ask("POST", "/session", PAGE, { email, password: "another good one" })).status).to.equal(200);
      expect((await mailsTo(email)).at(-1)?.subject).to.equal("Plinth: Your password was changed");
      for (let times = 0; times < 5; times += 1) await forgot(email);
      expect((await mailsTo(email)).filter(({ subject }) => subject === "Plinth: a new password")).to.have.length(3);
      const noted = await actsOf("auth.password-forgot");
      expect(noted.some((entry) => entry.documentId === documentId)).to.equal(true);
      expect(await acts("auth.password-reset")).to.deep.equal([1]);
    });

    it("come to whom a request names, at an address that it does not name: a link leads to this server", async () => {
      const { email } = await administratorOf(served().plinth.app, "poisoned");
      const evil = {
        "sec-fetch-site": "",
        origin: "http://evil.example",
        host: "evil.example",
        "x-forwarded-host": "evil.example",
      };
      await ask("POST", "/password/forgot", evil, { email });
      await ask("POST", "/password/forgot", { ...PAGE, "x-forwarded-host": "evil.example" }, { email });
      const mails = await mailsTo(email);
      expect(mails).to.have.length.within(1, 2);
      for (const { text } of mails) expect(text).not.to.include("evil.example");
    });

    it("are asked for twenty times an hour from one address", async () => {
      const forgot = () => ask("POST", "/password/forgot", PAGE, { email: "nobody@example.com" });
      let answer = await forgot();
      for (let times = 0; times < 25 && answer.status === 204; times += 1) answer = await forgot();
      expect(saysOf(answer)).to.deep.equal([429, "PLINTH_ADMIN_TOO_MANY_REQUESTS"]);
      expect(Number(answer.headers.get("retry-after"))).to.be.within(1, 3600);
    });

    it("tell of what protects an account, as the log does: second factors on, off and reset, passwords, addresses", async () => {
      const { app } = served().plinth;
      const { documentId, email } = await administratorOf(app, "told");
      const headers = await signIn(app, "told");
      const { confirmation } = (await ask("POST", "/account/confirm", headers, { password: PASSWORD })).body;
      const sure = { ...headers, "x-plinth-confirmation": confirmation };
      const { TOTP } = await import("otpauth");
      const add = async () => {
        const { secret, ticket } = (await ask("POST", "/account/totp", sure)).body;
        return ask("PUT", "/account/totp", sure, { ticket, code: new TOTP({ secret }).generate() });
      };
      const { recoveryCodes } = (await add()).body;
      const half = await ask("POST", "/session", PAGE, { email, password: PASSWORD });
      expect((await actsOf("auth.sign-in")).filter((entry) => entry.documentId === documentId)).to.deep.equal([]);
      const cookie = half.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      await ask("POST", "/session/second-factor", { ...PAGE, cookie }, { totp: "000000" });
      await ask("POST", "/session/second-factor", { ...PAGE, cookie }, { recovery: recoveryCodes[0] });
      await ask("POST", "/account/recovery-codes", sure);
      await ask("DELETE", "/account/totp", sure);
      await add();
      const asSuper = await signIn(app, "super");
      await ask("DELETE", `/accounts/${documentId}/second-factor`, asSuper);
      await ask("PUT", `/accounts/${documentId}`, asSuper, { role: "editor" });
      const mine = await signIn(app, "told");
      await ask("PUT", "/account/password", mine, { old: PASSWORD, password: "another good one" });
      await ask("PUT", "/account/email", mine, { email: "new@example.com", password: "another good one" });
      const subjects = (await mailsTo(email)).map(({ subject }) => subject.replace("Plinth: ", ""));
      expect(subjects).to.have.members([
        "A second factor was added to your account",
        "A recovery code of your account was used",
        "Your recovery codes were replaced by new ones",
        "A second factor was removed from your account",
        "A second factor was added to your account",
        "An administrator has reset your second factor",
        "Your password was changed",
        "Your account has another e-mail address now",
      ]);
      expect((await mailsTo("new@example.com")).map(({ subject }) => subject)).to.have.length(1);
      const about = async (action: string) => (await actsOf(action)).filter((entry) => entry.documentId === documentId);
      const signIns = (await about("auth.sign-in")).map(({ result, details }) => [result, details?.["code"]]);
      expect(signIns).to.have.deep.members([
        ["refused", "PLINTH_ADMIN_SECOND_FACTOR_WRONG"],
        ["accepted", undefined],
      ]);
      for (const action of [
        "auth.recovery-codes",
        "auth.second-factor-off",
        "auth.second-factor-reset",
        "auth.password-change",
        "auth.email-change",
        "account.change",
      ])
        expect(await about(action), action).to.have.length(1);
      expect(await about("auth.second-factor-on")).to.have.length(2);
      const [reset] = await about("auth.second-factor-reset");
      expect(reset?.actor?.id).to.equal((await administratorOf(app, "super")).documentId);
    });
  });

  describe("mails about recovery codes", () => {
    const served = serveAdmin(database, {
      plugins,
      pluginConfigs: { "api-tokens": { loginLimit: 1000 }, "users-permissions": USERS },
    });
    const ask = (method: string, path: string, headers: Sent = PAGE, body?: unknown) =>
      served().ask(method, `/admin/api${path}`, headers, body);
    const told = async (address: string) => {
      const { app } = served().plinth;
      await app.service(accountMails).settle();
      const mails = app.plugin("users-permissions").service("mailer").kept();
      return mails.filter(({ to }) => to === address).map(({ subject }) => subject.replace("Plinth: ", ""));
    };
    const USED = "A recovery code of your account was used";
    const ADDED = "A second factor was added to your account";

    it("tell of each that is used, wherever it is typed, and of new ones, which end all other sessions", async () => {
      const { app } = served().plinth;
      const { TOTP } = await import("otpauth");
      const { email } = await administratorOf(app, "recovering");
      const headers = await signIn(app, "recovering");
      const { confirmation } = (await ask("POST", "/account/confirm", headers, { password: PASSWORD })).body;
      const sure = { ...headers, "x-plinth-confirmation": confirmation };
      const { secret, ticket } = (await ask("POST", "/account/totp", sure)).body;
      const codeOf = (shift: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + shift * 30_000 });
      const { recoveryCodes } = (await ask("PUT", "/account/totp", sure, { ticket, code: codeOf(-1) })).body;
      const half = async () => {
        const answer = await ask("POST", "/session", PAGE, { email, password: PASSWORD });
        return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      };
      const prove = async (proof: object) =>
        (await ask("POST", "/session/second-factor", { ...PAGE, cookie: await half() }, proof)).status;

      expect(await prove({ recovery: codeOf(0) })).to.equal(200);
      expect(await told(email), "a code of the app is none").to.deep.equal([ADDED]);
      expect(await prove({ totp: recoveryCodes[0] })).to.equal(200);
      expect(await told(email)).to.deep.equal([ADDED, USED]);
      const credentials = { email, password: PASSWORD, code: recoveryCodes[1] };
      const { body } = await served().ask("POST", "/admin/login", {}, credentials);
      expect(await told(email)).to.deep.equal([ADDED, USED, USED]);
      const bearer = { authorization: `Bearer ${body.token}` };
      expect((await ask("GET", "/model", bearer)).status).to.equal(200);

      const other = await signIn(app, "recovering");
      const underWay = await half();
      expect((await ask("POST", "/account/recovery-codes", sure)).body.recoveryCodes).to.have.length(10);
      expect((await told(email)).at(-1)).to.equal("Your recovery codes were replaced by new ones");
      for (const ended of [other, bearer]) expect((await ask("GET", "/model", ended)).status).to.equal(401);
      const late = await ask("POST", "/session/second-factor", { ...PAGE, cookie: underWay }, { totp: codeOf(1) });
      expect(saysOf(late)).to.deep.equal([403, "PLINTH_ADMIN_TICKET_INVALID"]);
      expect((await ask("GET", "/model", sure)).status, "this session goes on").to.equal(200);
    });
  });

  describe("without a mail server, in production", () => {
    const secrets = { salt: "a-salt-of-the-tests-only", adminSecret: "a-secret-of-the-tests-only" };
    const start = (config: object) =>
      startAdminApp(database, {
        plugins,
        environment: "production",
        pluginConfigs: { "api-tokens": secrets, "users-permissions": USERS },
        config: { server: { port: 0, ...config }, database: database.config() },
      });

    it("links are shown to who makes them, and forgotten passwords are not offered", async () => {
      const { plinth, ask } = await start({ url: "https://cms.example.com" });
      const headers = Object.entries(await signIn(plinth.app, "super"));
      const by = Object.fromEntries(
        headers.map(([name, value]) => [name, value.replace("plinth-admin=", "__Host-plinth-admin=")]),
      );
      expect((await ask("GET", "/admin/api/entrance", PAGE)).body.canReset).to.equal(false);
      expect(saysOf(await ask("POST", "/admin/api/password/forgot", PAGE, { email: "x@example.com" }))).to.deep.equal([
        409,
        "PLINTH_ADMIN_NO_MAIL",
      ]);
      const { body } = await ask("POST", "/admin/api/invitations", by, { email: "prod@example.com", role: "editor" });
      expect(body.isSent).to.equal(false);
      expect(body.link).to.match(/^https:\/\/cms\.example\.com\/admin\/invited#/);
      await plinth.stop();
    });
  });

  describe("with a mail server that fails", () => {
    it("who invites gets the link, and the log the reason", async () => {
      const { plinth, ask, logged } = await startAdminApp(database, {
        plugins,
        pluginConfigs: {
          "api-tokens": { loginLimit: 1000 },
          "users-permissions": { ...USERS, mail: { smtp: "smtp://127.0.0.1:1", from: "cms@example.com" } },
        },
      });
      const headers = await signIn(plinth.app, "super");
      const { body } = await ask("POST", "/admin/api/invitations", headers, {
        email: "fail@example.com",
        role: "editor",
      });
      expect(body.isSent).to.equal(false);
      expect(body.link).to.include("/admin/invited#");
      expect(logged.join("\n")).to.include("A mail could not be sent: invitation");
      await plinth.stop();
    });
  });
});
