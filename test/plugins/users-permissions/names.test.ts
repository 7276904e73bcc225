import { expect } from "chai";
import { USER } from "#plugins/users-permissions/src/content-types.js";
import { greetedName } from "#plugins/users-permissions/src/mail/templates.js";
import { fillNameKeys } from "#plugins/users-permissions/src/users/name-rules.js";
import { addressKey, nameKey } from "#plugins/users-permissions/src/users/name-key.js";
import { eitherDatabase } from "../../databases.js";
import { ADMIN, PASSWORD, serveAuthApp } from "./auth-app.js";

const REGISTER = "/api/auth/local/register";
const LIKE_ADMIN = ["Admin", "ADMIN", "ａｄｍｉｎ", "аdmin", "admın", "adⅿin", " admin ", "αdmin"];

describe("names that look alike", () => {
  it("have one key, and others have another", () => {
    for (const name of LIKE_ADMIN) expect(nameKey(name), name).to.equal("admin");
    expect(nameKey("Straße  7")).to.equal("strasse 7");
    const names = ["josé", "jose", "adm1n", "ad min", "Жук", "жуки"];
    expect(new Set(names.map(nameKey)).size).to.equal(names.length);
    expect(addressKey("B@xn--bcher-kva.example")).to.equal(addressKey("b@bücher.example"));
  });

  it("are not put into mails where they could be a link", () => {
    const email = "ada@example.com";
    expect(greetedName({ username: "Ada O'Neil", email })).to.equal("Ada O'Neil");
    for (const username of ["https://evil.example", "win.example", "a\nb", "x".repeat(65)])
      expect(greetedName({ username, email }), username).to.equal(email);
  });
});

eitherDatabase(import.meta.url, (database) => {
  describe("names of users", () => {
    const served = serveAuthApp(database, { appConfig: { access: { tokens: { [ADMIN]: "all" } } } });
    let count = 0;
    const registerAs = (username: unknown, email = `u${count++}@example.com`, password = PASSWORD) =>
      served().post(REGISTER, { username, email, password });
    const put = (id: number, body: object) => served().ask("PUT", `/api/users/${id}`, { token: ADMIN, body });

    it("that look alike are one name: the second is refused, whoever writes it", async () => {
      const { body } = await registerAs("admin", "admin@example.com");
      for (const name of LIKE_ADMIN) {
        const answer = await registerAs(name);
        expect([answer.status, answer.body.error?.message], name).to.deep.equal([
          400,
          "Email or Username are already taken",
        ]);
      }
      expect((await registerAs("someone", "ａdmin@example.com")).status).to.equal(400);
      const { user } = (await registerAs("another")).body;
      expect((await put(user.id, { username: "Admin" })).body.error.message).to.equal("Username already taken");
      const users = served().plinth.app.plugin("users-permissions").service("users");
      const refusal = await users.update(user.id, { username: "ADMIN" }).catch((error: Error) => error.message);
      expect(refusal).to.equal("This attribute must be unique");
      expect((await put(body.user.id, { username: "Admin" })).body.username).to.equal("Admin");
    });

    it("are refused when two that look alike come at once", async () => {
      const answers = await Promise.all(["Twin", "twin", "ｔwin", "tωin", "TWIN"].map((name) => registerAs(name)));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400, 400, 400]);
      const crossed = await Promise.all([registerAs("x@y.example"), registerAs("other", "x@y.example")]);
      expect(crossed.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
    });

    it("have an end, and nothing invisible in them", async () => {
      const long = await registerAs("n".repeat(255));
      expect([long.status, long.body.error.message]).to.deep.equal([400, "username must be at most 254 characters"]);
      expect((await registerAs("long-address", `${"e".repeat(250)}@example.com`)).status).to.equal(400);
      const unseen = [
        "a\u0000bc",
        "ab\u0007c",
        "abc\u202edef",
        "ab\u200bc",
        "ab\u2066c",
        "abc\u00ad",
        "ab\ufeffc",
        "ab\u2028c",
        "ab\u3164c",
      ];
      for (const name of unseen) expect((await registerAs(name)).status, JSON.stringify(name)).to.equal(400);
      const { user } = (await registerAs("visible")).body;
      expect((await put(user.id, { username: "vis\u200bible" })).status).to.equal(400);
      expect((await put(user.id, { username: "n".repeat(300) })).status).to.equal(400);
      expect((await registerAs("Zoë 李 42")).status).to.equal(200);
    });

    it("that looked alike before stay, and can be written as they are", async () => {
      const { app } = served().plinth;
      const { id } = (await registerAs("old-name", "old@example.com")).body.user;
      const other = (await registerAs("other-name", "other@example.com")).body.user;
      await app.db.query({
        text: "update up_users set username = 'Old-Name', username_key = null, email_key = null where id = $1",
        values: [other.id],
      });
      await fillNameKeys(app);
      expect(served().log.join("")).to.include("Users have names that look alike");
      const changed = await put(other.id, { username: "Old-Name", email: "other2@example.com" });
      expect([changed.status, changed.body.username]).to.deep.equal([200, "Old-Name"]);
      expect((await put(id, { username: "old-name" })).status).to.equal(200);
      const login = await served().post("/api/auth/local", { identifier: "Old-Name", password: PASSWORD });
      expect(login.body.user.id).to.equal(other.id);
    });

    it("are compared by something that nobody reads or writes", async () => {
      const { user } = (await registerAs("keyed")).body;
      const stored = await served()
        .plinth.app.documents(USER)
        .findOne({ documentId: user.documentId, withPrivate: true });
      expect(stored?.["usernameKey"]).to.equal("keyed");
      expect(user).to.not.have.any.keys("usernameKey", "emailKey");
      for (const query of ["filters[usernameKey]=keyed", "sort=emailKey", "fields=usernameKey"])
        expect((await served().ask("GET", `/api/users?${query}`, { token: ADMIN })).status, query).to.equal(400);
      expect((await put(user.id, { usernameKey: "x" })).status).to.equal(400);
    });
  });

  describe("passwords of users", () => {
    const served = serveAuthApp(database, {
      config: { passwords: { minLength: 8 } },
      appConfig: { access: { tokens: { [ADMIN]: "all" } } },
    });
    const register = (username: string, password: string) =>
      served().post(REGISTER, { username, email: `${username}@example.com`, password });
    const message = ({ body }: { body: { error?: { message: string } } }) => body.error?.message;

    it("are refused at the registration when they are common, short or the own name", async () => {
      expect(message(await register("ada", "abc"))).to.equal("password must be at least 6 characters");
      expect(message(await register("ada", "Xk3-v9"))).to.equal("password must be at least 8 characters");
      for (const common of ["password", "12345678", "Qwerty123"])
        expect(message(await register("ada", common)), common).to.equal(
          "password must not be one of the most common ones",
        );
      expect(message(await register("lovelace", "Lovelace"))).to.equal(
        "password must not be the username or the e-mail address",
      );
    });

    it("are refused where they change, and nothing changes then", async () => {
      const { user, jwt } = (await register("grace", PASSWORD)).body;
      const to = (password: string) => ({ password, passwordConfirmation: password });
      const change = await served().post(
        "/api/auth/change-password",
        { currentPassword: PASSWORD, ...to("password1") },
        { token: jwt },
      );
      expect(message(change)).to.match(/most common/);
      const put = await served().ask("PUT", `/api/users/${user.id}`, {
        token: ADMIN,
        body: { password: "grace@example.com" },
      });
      expect(message(put)).to.match(/must not be the username/);
      await served().post("/api/auth/forgot-password", { email: "grace@example.com" });
      const handle = served().plinth.app.plugin("users-permissions");
      await handle.service("auth").settle();
      const code = /code=([\w-]+)/.exec(handle.service("mailer").kept().at(-1)?.text ?? "")?.[1];
      const reset = await served().post("/api/auth/reset-password", { code, ...to("iloveyou") });
      expect(message(reset)).to.match(/most common/);
      expect((await served().post("/api/auth/reset-password", { code, ...to("Another-1") })).status).to.equal(200);
    });
  });
});
