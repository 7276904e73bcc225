import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ADMIN, type AuthApp, PASSWORD, serveAuthApp } from "./auth-app.js";

const FORGOT = "/api/auth/forgot-password";
const RESET = "/api/auth/reset-password";

const permissions = {
  public: ["plugin::users-permissions.auth.sendEmailConfirmation"],
  authenticated: [
    "plugin::users-permissions.user.me",
    { action: "plugin::users-permissions.user.update", where: { id: "{{user.id}}" } },
  ],
};

const handleOf = ({ plinth }: AuthApp) => plinth.app.plugin("users-permissions");

/** The mails to an address, once all are out. */
async function mailsTo(app: AuthApp, address: string) {
  await handleOf(app).service("auth").settle();
  return handleOf(app)
    .service("mailer")
    .kept()
    .filter(({ to }) => to === address);
}

/** What a link in the latest mail to an address has under a name. */
async function inLink(app: AuthApp, address: string, name: "code" | "confirmation"): Promise<string> {
  const links = (await mailsTo(app, address)).flatMap(({ text }) => /https?:\S+/.exec(text) ?? []);
  return new URL(links.findLast((link) => link.includes(`${name}=`)) ?? "").searchParams.get(name) ?? "";
}

eitherDatabase(import.meta.url, (database) => {
  describe("another e-mail address, where addresses have to be confirmed", () => {
    const served = serveAuthApp(database, {
      appConfig: { permissions, access: { tokens: { [ADMIN]: "all" } } },
      config: { emailConfirmation: { enabled: true } },
    });
    const address = (name: string) => `${name}@example.com`;
    const put = (id: number, body: object, token: string) => served().ask("PUT", `/api/users/${id}`, { token, body });
    /** A user whose address is confirmed, and a token. */
    const confirmedUser = async (name: string) => {
      const { user } = await served().register(name);
      const confirmation = await inLink(served(), address(name), "confirmation");
      await served().ask("GET", `/api/auth/email-confirmation?confirmation=${confirmation}`);
      const { body } = await served().post("/api/auth/local", { identifier: name, password: PASSWORD });
      return { id: user.id as number, jwt: body.jwt as string };
    };

    it("is unconfirmed, is sent a token, and the old one is told", async () => {
      const { id, jwt } = await confirmedUser("bob");
      const changed = await put(id, { email: "Ceo@Example.org" }, jwt);
      expect([changed.status, changed.body.email, changed.body.confirmed]).to.deep.equal([
        200,
        "ceo@example.org",
        false,
      ]);
      const login = await served().post("/api/auth/local", { identifier: "bob", password: PASSWORD });
      expect(login.body.error.message).to.equal("Your account email is not confirmed");
      const [notice] = (await mailsTo(served(), address("bob"))).slice(-1);
      expect(notice?.subject).to.equal("Your e-mail address was changed");
      expect(notice?.text).to.not.include("ceo@example.org");
      const confirmation = await inLink(served(), "ceo@example.org", "confirmation");
      const confirmed = await served().ask("GET", `/api/auth/email-confirmation?confirmation=${confirmation}`);
      expect([confirmed.status, confirmed.body.confirmed]).to.deep.equal([200, true]);
    });

    it("ends the codes that were sent to the old one", async () => {
      const { id, jwt } = await confirmedUser("carol");
      await served().post(FORGOT, { email: address("carol") });
      const code = await inLink(served(), address("carol"), "code");
      await put(id, { email: "carol@example.org" }, jwt);
      const reset = await served().post(RESET, { code, password: PASSWORD, passwordConfirmation: PASSWORD });
      expect([reset.status, reset.body.error.message]).to.deep.equal([400, "Incorrect code provided"]);
    });

    it("is not confirmed by a token that was sent to the old one", async () => {
      const { user } = await served().register("dave");
      const confirmation = await inLink(served(), address("dave"), "confirmation");
      await put(user.id, { email: "boss@victim.example" }, ADMIN);
      const used = await served().ask("GET", `/api/auth/email-confirmation?confirmation=${confirmation}`);
      expect(used.status).to.equal(400);
      expect((await mailsTo(served(), address("dave"))).map(({ subject }) => subject)).to.not.include(
        "Your e-mail address was changed",
      );
    });

    it("is not confirmed by those who give it to themselves, at once or later", async () => {
      const { id, jwt } = await confirmedUser("erin");
      expect((await put(id, { email: "erin@example.org", confirmed: true }, jwt)).body.confirmed).to.equal(false);
      expect((await put(id, { confirmed: true }, jwt)).body.confirmed).to.equal(false);
    });

    it("may be written as confirmed by who may write users, and in code", async () => {
      const { id } = await confirmedUser("frank");
      const changed = await put(id, { email: "frank@example.org", confirmed: true }, ADMIN);
      expect([changed.status, changed.body.confirmed]).to.deep.equal([200, true]);
      expect((await put(id, { email: "frank@example.net" }, ADMIN)).body.confirmed).to.equal(false);
      const users = handleOf(served()).service("users");
      const account = await users.update(id, { email: "frank@example.com", confirmed: true });
      expect(account?.confirmed).to.equal(true);
    });

    it("is none when it is the same in other letters", async () => {
      const { id, jwt } = await confirmedUser("grace");
      const same = await put(id, { email: "GRACE@example.com", username: "grace2" }, jwt);
      expect([same.status, same.body.confirmed, same.body.username]).to.deep.equal([200, true, "grace2"]);
      expect(await mailsTo(served(), address("grace"))).to.have.length(1);
    });

    it("needs the right password where one is sent along", async () => {
      const { id, jwt } = await confirmedUser("heidi");
      const wrong = await put(id, { email: "heidi@example.org", currentPassword: "wrong-password" }, jwt);
      expect([wrong.status, wrong.body.error.code]).to.deep.equal([400, "PLINTH_AUTH_WRONG_PASSWORD"]);
      const right = await put(id, { email: "heidi@example.org", currentPassword: PASSWORD }, jwt);
      expect(right.status).to.equal(200);
    });
  });

  describe("another e-mail address, where the password is asked for", () => {
    const served = serveAuthApp(database, {
      appConfig: { permissions, access: { tokens: { [ADMIN]: "all" } } },
      config: { emailChange: { requirePassword: true }, rateLimit: { max: 4, interval: 600 } },
    });

    it("is refused without it to users themselves, not to others, and guesses are counted", async () => {
      const { user, jwt } = await served().register("ivan");
      const put = (body: object, token = jwt) => served().ask("PUT", `/api/users/${user.id}`, { token, body });
      const without = await put({ email: "ivan@example.org" });
      expect([without.status, without.body.error.message]).to.deep.equal([400, "currentPassword is a required field"]);
      expect((await put({ email: "ivan@example.com", username: "ivan2" })).status).to.equal(200);
      const right = await put({ email: "ivan@example.org", currentPassword: PASSWORD });
      expect([right.status, right.body.confirmed]).to.deep.equal([200, true]);
      expect((await put({ email: "ivan@example.net" }, ADMIN)).status).to.equal(200);
      const guess = () => put({ email: "ivan@example.com", currentPassword: "wrong-password" });
      const statuses = [await guess(), await guess(), await guess()].map(({ status }) => status);
      expect(statuses).to.deep.equal([400, 400, 429]);
    });
  });
});
