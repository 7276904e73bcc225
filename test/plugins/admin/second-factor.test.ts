import { TOTP } from "otpauth";
import { expect } from "chai";
import { resetCommand } from "#plugins/admin/src/second-factor/reset-command.js";
import { administrators } from "@plinth/plugin-api-tokens";
import { eitherDatabase } from "../../databases.js";
import { runCommand } from "../../run-command.js";
import { duringNextCheck } from "../api-tokens/during-check.js";
import { type Answered, serveAdmin } from "./serve-admin.js";
import { administratorOf, PASSWORD, signIn } from "./sign-in.js";
import { SoftwarePasskey } from "./software-passkey.js";

type Sent = Readonly<Record<string, string>>;
const PAGE: Sent = { "sec-fetch-site": "same-origin" };
const ADMINISTRATOR = "plugin::api-tokens.admin";
const PERIOD = 30_000;

/** Cookies that an answer set, as a browser sends them back. */
const cookiesOf = ({ headers }: Answered): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0] ?? "")
    .filter((pair) => !pair.endsWith("="))
    .join("; ");

/** The code of a secret. @param shift - intervals later */
const codeOf = (secret: string, shift = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + shift * PERIOD });

eitherDatabase("postgres", (database) => {
  describe("a second factor", () => {
    const secrets = { "api-tokens": { loginLimit: 1000, adminSecret: "a-secret-of-the-tests-only" } };
    const served = serveAdmin(database, { pluginConfigs: secrets });
    const ask = (method: string, path: string, headers: Sent = PAGE, body?: unknown) =>
      served().ask(method, `/admin/api${path}`, headers, body);
    const site = () => ({ origin: served().url, site: "127.0.0.1" });
    const atPage = (): Sent => ({ ...PAGE, origin: served().url });

    /** Signs in by the form, and gives the password again, as the page does before it changes what protects an account. */
    const confirmed = async (role: string): Promise<Sent> => {
      const headers = await signIn(served().plinth.app, role);
      const { body } = await ask("POST", "/account/confirm", headers, { password: PASSWORD });
      return { ...headers, origin: served().url, "x-plinth-confirmation": body.confirmation };
    };
    const addTotp = async (headers: Sent) => {
      const { secret, ticket, uri } = (await ask("POST", "/account/totp", headers)).body;
      // The code of the interval before counts, so that those of now are left for the test.
      const added = await ask("PUT", "/account/totp", headers, { ticket, code: codeOf(secret, -1) });
      return { secret: String(secret), uri: String(uri), ticket: String(ticket), added };
    };
    const addPasskey = async (headers: Sent, passkey: SoftwarePasskey, name = "Laptop") => {
      const { options, ticket } = (await ask("POST", "/account/passkeys/options", headers)).body;
      const response = passkey.create({ ...site(), challenge: options.challenge });
      return ask("POST", "/account/passkeys", headers, { ticket, name, response });
    };
    const password = async (role: string) => {
      const { email } = await administratorOf(served().plinth.app, role);
      return ask("POST", "/session", atPage(), { email, password: PASSWORD });
    };
    const prove = (half: string, proof: object) =>
      ask("POST", "/session/second-factor", { ...atPage(), cookie: half }, proof);
    const login = async (role: string, code?: string) => {
      const { email } = await administratorOf(served().plinth.app, role);
      return served().ask("POST", "/admin/login", {}, { email, password: PASSWORD, ...(code ? { code } : {}) });
    };
    const saysOf = ({ status, body }: Answered) => [status, body?.error?.code];

    it("by an app asks for a code after the password, which counts once; nothing is open before", async () => {
      const headers = await confirmed("totp");
      const other = await signIn(served().plinth.app, "totp");
      const { secret, uri, added } = await addTotp(headers);
      expect(uri).to.match(/^otpauth:\/\/totp\/Plinth:totp%40example\.com\?issuer=Plinth&secret=[A-Z2-7]{32}&/);
      expect(added.body.recoveryCodes).to.have.length(10);
      expect(added.body.secondFactor).to.include({ hasTotp: true, recoveryLeft: 10, isRequired: false });
      expect((await ask("GET", "/boot", other)).status, "other sessions end").to.equal(401);
      expect((await ask("GET", "/boot", headers)).status, "this one goes on").to.equal(200);

      const half = await password("totp");
      expect([half.status, half.body]).to.deep.equal([200, { secondFactor: ["totp", "recovery"] }]);
      const cookie = cookiesOf(half);
      expect(half.headers.getSetCookie().join()).to.match(/^plinth-admin-half=[^;]+;.*samesite=strict; httponly/i);
      expect((await ask("GET", "/boot", { ...PAGE, cookie })).status, "half opens nothing").to.equal(401);
      expect(saysOf(await prove(cookie, { totp: "000000" }))).to.deep.equal([401, "PLINTH_ADMIN_SECOND_FACTOR_WRONG"]);
      const code = codeOf(secret);
      const whole = await prove(cookie, { totp: code });
      expect([whole.status, whole.body.user.email]).to.deep.equal([200, "totp@example.com"]);
      expect((await ask("GET", "/boot", { ...PAGE, cookie: cookiesOf(whole) })).status).to.equal(200);
      expect(saysOf(await prove(cookie, { totp: codeOf(secret, 1) })), "a half is used once").to.deep.equal([
        403,
        "PLINTH_ADMIN_TICKET_INVALID",
      ]);
      const again = cookiesOf(await password("totp"));
      expect(saysOf(await prove(again, { totp: code })), "and so is a code").to.deep.equal([
        401,
        "PLINTH_ADMIN_SECOND_FACTOR_WRONG",
      ]);
      expect(saysOf(await prove(again, { totp: codeOf(secret, -1) })), "and those before it").to.deep.equal([
        401,
        "PLINTH_ADMIN_SECOND_FACTOR_WRONG",
      ]);
    });

    it("by an app takes one of two equal codes at the same time, and none of other intervals", async () => {
      const { secret } = await addTotp(await confirmed("racer"));
      const halves = [cookiesOf(await password("racer")), cookiesOf(await password("racer"))];
      const code = codeOf(secret);
      const answers = await Promise.all(halves.map((half) => prove(half, { totp: code })));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 401]);
      const left = halves[answers.findIndex(({ status }) => status === 401)] ?? "";
      for (const shift of [-3, 3]) expect((await prove(left, { totp: codeOf(secret, shift) })).status).to.equal(401);
      expect((await prove(left, { totp: codeOf(secret, 1) })).status, "the next one is early, and right").to.equal(200);
    });

    it("is kept encrypted, and recovery codes as hashes; each works once, until they are made anew", async () => {
      const { app } = served().plinth;
      const headers = await confirmed("storing");
      const { secret, added } = await addTotp(headers);
      const codes: readonly string[] = added.body.recoveryCodes;
      const rows = await Promise.all(
        ["authenticator", "recovery-code"].map((name) =>
          app.db.knex(String(app.model.contentTypes.get(`plugin::admin.${name}`)?.table)).select("*"),
        ),
      );
      expect(JSON.stringify(rows)).not.to.include(secret).and.not.to.include(codes[0]);
      const [first = "", second = ""] = codes;
      expect(first).to.match(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
      const typed = first.toUpperCase().replaceAll("-", " ");
      const half = cookiesOf(await password("storing"));
      expect((await prove(half, { recovery: typed })).status).to.equal(200);
      const next = cookiesOf(await password("storing"));
      expect((await prove(next, { recovery: first })).status).to.equal(401);
      const foreign = cookiesOf(await password("totp"));
      expect((await prove(foreign, { recovery: second })).status, "of somebody else").to.equal(401);
      const made = await ask("POST", "/account/recovery-codes", await confirmed("storing"));
      expect(made.body.secondFactor.recoveryLeft).to.equal(10);
      expect((await prove(next, { recovery: second })).status, "and what was under way ends").to.equal(403);
      const last = cookiesOf(await password("storing"));
      expect((await prove(last, { recovery: second })).status).to.equal(401);
      expect((await prove(last, { recovery: made.body.recoveryCodes[9] })).status).to.equal(200);
      const without = await ask("POST", "/account/recovery-codes", await confirmed("nobody"));
      expect(without.status).to.equal(404);
    });

    it("is not changed without the password, nor by the confirmation of another session", async () => {
      const headers = await signIn(served().plinth.app, "careful");
      const other = await confirmed("careful");
      const stolen = { ...headers, "x-plinth-confirmation": other["x-plinth-confirmation"] ?? "" };
      for (const given of [headers, stolen, { ...headers, "x-plinth-confirmation": "x".repeat(80) }])
        expect(saysOf(await ask("POST", "/account/totp", given))).to.deep.equal([403, "PLINTH_ADMIN_CONFIRM_NEEDED"]);
      const wrong = await ask("POST", "/account/confirm", headers, { password: "not the password" });
      expect([wrong.status, wrong.body.error.details.errors[0].path]).to.deep.equal([400, "password"]);
      const { secret, ticket } = (await ask("POST", "/account/totp", other)).body;
      const late = await ask("PUT", "/account/totp", await confirmed("careful"), { ticket, code: codeOf(secret) });
      expect(saysOf(late)).to.deep.equal([403, "PLINTH_ADMIN_TICKET_INVALID"]);
      const mistyped = await ask("PUT", "/account/totp", other, { ticket, code: "000000" });
      expect([mistyped.status, mistyped.body.error.details.errors[0].path]).to.deep.equal([400, "code"]);
      expect((await ask("GET", "/account", other)).body.data.secondFactor.hasTotp).to.equal(false);
    });

    it("by a passkey signs in after the password, and without it from the first screen; an answer counts once", async () => {
      const { documentId } = await administratorOf(served().plinth.app, "holder");
      const passkey = new SoftwarePasskey(documentId);
      const added = await addPasskey(await confirmed("holder"), passkey);
      expect(added.body.secondFactor.passkeys[0]).to.include({ name: "Laptop", site: "127.0.0.1", lastUsedAt: null });
      const half = await password("holder");
      expect(half.body).to.deep.equal({ secondFactor: ["passkey", "recovery"] });
      const asked = await ask("POST", "/session/passkey", { ...atPage(), cookie: cookiesOf(half) }, {});
      expect(asked.body.options.allowCredentials).to.have.length(1);
      const answer = passkey.get({ ...site(), challenge: asked.body.options.challenge });
      const entered = await prove(cookiesOf(asked), { passkey: answer });
      expect(entered.body.user.email).to.equal("holder@example.com");
      expect(saysOf(await prove(cookiesOf(asked), { passkey: answer }))).to.deep.equal([
        403,
        "PLINTH_ADMIN_TICKET_INVALID",
      ]);

      const open = await ask("POST", "/session/passkey", atPage(), { stay: true });
      expect(open.body.options.allowCredentials ?? []).to.deep.equal([]);
      const alone = await prove(cookiesOf(open), {
        passkey: passkey.get({ ...site(), challenge: open.body.options.challenge }),
      });
      expect([alone.status, alone.body.user?.email]).to.deep.equal([200, "holder@example.com"]);
      expect(alone.headers.getSetCookie().join()).to.match(/plinth-admin=[^;]+;[^,]*expires=/i);
      const view = await ask("GET", "/account", { ...PAGE, cookie: cookiesOf(alone) });
      expect(Date.parse(view.body.data.secondFactor.passkeys[0].lastUsedAt)).to.be.closeTo(Date.now(), 60_000);
    });

    it("by a passkey is refused for another site, challenge, account or key, without the user, and for a copy", async () => {
      const { documentId } = await administratorOf(served().plinth.app, "target");
      const passkey = new SoftwarePasskey(documentId);
      await addPasskey(await confirmed("target"), passkey);
      const challenged = async () => {
        const asked = await ask("POST", "/session/passkey", atPage(), {});
        return { half: cookiesOf(asked), challenge: String(asked.body.options.challenge) };
      };
      const refused = async (answer: (challenge: string) => object) => {
        const { half, challenge } = await challenged();
        expect(saysOf(await prove(half, { passkey: answer(challenge) }))).to.deep.equal([
          401,
          "PLINTH_ADMIN_SECOND_FACTOR_WRONG",
        ]);
      };
      const right = await challenged();
      const entered = await prove(right.half, { passkey: passkey.get({ ...site(), challenge: right.challenge }) });
      expect(entered.status).to.equal(200);
      await refused((challenge) => passkey.get({ ...site(), challenge, origin: "https://evil.example" }));
      await refused((challenge) => passkey.get({ ...site(), challenge, site: "evil.example" }));
      await refused((challenge) => passkey.get({ ...site(), challenge, isVerified: false }));
      await refused(() => passkey.get({ ...site(), challenge: "b".repeat(43) }));
      await refused((challenge) => new SoftwarePasskey(documentId).get({ ...site(), challenge }));
      await refused((challenge) => ({ ...passkey.get({ ...site(), challenge }), id: "unknown" }));
      passkey.countAgain();
      await refused((challenge) => passkey.get({ ...site(), challenge }));
      const half = cookiesOf(await password("totp"));
      const asked = await ask("POST", "/session/passkey", { ...atPage(), cookie: half }, {});
      const challenge = String(asked.body.options.challenge);
      expect((await prove(cookiesOf(asked), { passkey: passkey.get({ ...site(), challenge }) })).status).to.equal(401);
      await served()
        .plinth.app.documents(ADMINISTRATOR)
        .update({ documentId, data: { isActive: false } });
      await refused((each) => passkey.get({ ...site(), challenge: each }));
    });

    it("by passkeys has several with names, which their owner alone renames and removes", async () => {
      const headers = await confirmed("owner");
      const kept = new SoftwarePasskey();
      await addPasskey(headers, kept);
      const unverified = async (isVerified: boolean) => {
        const { options, ticket } = (await ask("POST", "/account/passkeys/options", headers)).body;
        const response = kept.create({ ...site(), challenge: options.challenge, isVerified });
        return ask("POST", "/account/passkeys", headers, { ticket, name: "Again", response });
      };
      for (const isVerified of [true, false])
        expect(saysOf(await unverified(isVerified))).to.deep.equal([400, "PLINTH_ADMIN_PASSKEY_REFUSED"]);
      const second = await addPasskey(headers, new SoftwarePasskey(), "Phone");
      expect(second.body).not.to.have.property("recoveryCodes");
      const [{ id }] = second.body.secondFactor.passkeys;
      const foreign = await confirmed("stranger");
      expect((await ask("PUT", `/account/passkeys/${id}`, foreign, { name: "Mine" })).status).to.equal(404);
      expect((await ask("DELETE", `/account/passkeys/${id}`, foreign)).status).to.equal(404);
      const named = await ask("PUT", `/account/passkeys/${id}`, headers, { name: "Old phone" });
      expect(named.body.secondFactor.passkeys.map(({ name }: { name: string }) => name)).to.deep.equal([
        "Old phone",
        "Laptop",
      ]);
      expect((await ask("DELETE", `/account/passkeys/${id}`, headers)).body.secondFactor.passkeys).to.have.length(1);
      const { ticket } = (await ask("POST", "/account/passkeys/options", headers)).body;
      const elsewhere = kept.create({ ...site(), challenge: "x" });
      expect(
        saysOf(await ask("POST", "/account/passkeys", headers, { ticket, name: "X", response: elsewhere }))[0],
      ).to.equal(400);
      const used = await ask("POST", "/account/passkeys", headers, { ticket, name: "X", response: elsewhere });
      expect(saysOf(used)).to.deep.equal([403, "PLINTH_ADMIN_TICKET_INVALID"]);
    });

    it("is asked for by bearers as well: a code, or a recovery code", async () => {
      const { secret, added } = await addTotp(await confirmed("machine"));
      expect(saysOf(await login("machine"))).to.deep.equal([401, "PLINTH_ADMIN_SECOND_FACTOR_NEEDED"]);
      expect(saysOf(await login("machine", "123 456"))).to.deep.equal([401, "PLINTH_ADMIN_SECOND_FACTOR_WRONG"]);
      const code = codeOf(secret);
      const { body } = await login("machine", code);
      const bearer = { authorization: `Bearer ${body.token}` };
      expect((await served().ask("GET", "/admin/api/model", bearer)).status).to.equal(200);
      expect((await login("machine", code)).status).to.equal(401);
      expect((await login("machine", added.body.recoveryCodes[0])).status).to.equal(200);
    });

    it("is taken away by its owner, with its recovery codes, and by an administrator or a command for who lost it", async () => {
      const { app } = served().plinth;
      const headers = await confirmed("leaving");
      await addTotp(headers);
      await addPasskey(headers, new SoftwarePasskey());
      const one = await ask("DELETE", "/account/totp", headers);
      expect(one.body.secondFactor).to.include({ hasTotp: false, recoveryLeft: 10 });
      expect((await ask("DELETE", "/account/totp", headers)).status).to.equal(404);
      const [{ id }] = one.body.secondFactor.passkeys;
      const none = await ask("DELETE", `/account/passkeys/${id}`, headers);
      expect(none.body.secondFactor).to.include({ hasTotp: false, recoveryLeft: 0 });
      expect((await password("leaving")).body.user.email).to.equal("leaving@example.com");

      const lost = await confirmed("lost");
      await addTotp(lost);
      const { documentId, email } = await administratorOf(app, "lost");
      const asSuper = await signIn(app, "super");
      const path = `/accounts/${documentId}/second-factor`;
      expect((await ask("DELETE", path, await signIn(app, "editor"))).status).to.equal(403);
      expect((await ask("DELETE", path, asSuper)).status).to.equal(204);
      expect((await ask("DELETE", path, asSuper)).status).to.equal(404);
      expect((await ask("GET", "/boot", lost)).status, "its sessions end").to.equal(401);
      expect(served().logged.join("\n")).to.include("A second factor was reset");
      await addTotp(await confirmed("lost"));
      const run = (address: string) => runCommand(resetCommand, app, { arguments: { email: address } });
      expect((await run("LOST@example.com")).stdout).to.include("no second factor any more");
      expect((await run(email)).stdout).to.include("has no second factor.");
      expect(await run("x@example.com").catch((error: unknown) => error)).to.include({
        code: "PLINTH_ADMIN_ACCOUNT_UNKNOWN",
      });
      expect((await password("lost")).body.user.email).to.equal(email);
    });

    it("of half a sign-in is none for garbage, for another password since, and for who was deactivated", async () => {
      const { app } = served().plinth;
      const { secret } = await addTotp(await confirmed("changing"));
      const { documentId, email } = await administratorOf(app, "changing");
      for (const cookie of ["", "plinth-admin-half=x", `plinth-admin-half=${"a".repeat(200)}`])
        expect(saysOf(await prove(cookie, { totp: codeOf(secret) }))).to.deep.equal([
          403,
          "PLINTH_ADMIN_TICKET_INVALID",
        ]);
      duringNextCheck(app, () => app.service(administrators).setPassword(email, PASSWORD));
      const overtaken = cookiesOf(await password("changing"));
      expect((await prove(overtaken, { totp: codeOf(secret) })).status, "of a replaced password").to.equal(403);
      const before = cookiesOf(await password("changing"));
      await app.service(administrators).setPassword(email, PASSWORD);
      expect((await prove(before, { totp: codeOf(secret) })).status).to.equal(403);
      const half = cookiesOf(await password("changing"));
      await app.documents(ADMINISTRATOR).update({ documentId, data: { isActive: false } });
      expect((await prove(half, { totp: codeOf(secret) })).status).to.equal(403);
      for (const body of [{}, { totp: 1 }, { totp: "1", recovery: "2" }, { passkey: {} }])
        expect((await prove(half, body)).status).to.equal(400);
    });

    it("takes ten wrong codes in a quarter of an hour, right ones not counted, whatever the address", async () => {
      const { secret } = await addTotp(await confirmed("guessed"));
      const half = cookiesOf(await password("guessed"));
      for (let tries = 0; tries < 10; tries += 1) expect((await prove(half, { totp: "000000" })).status).to.equal(401);
      const limited = await prove(half, { totp: codeOf(secret) });
      expect(saysOf(limited)).to.deep.equal([429, "PLINTH_ADMIN_TOO_MANY_CODES"]);
      expect(Number(limited.headers.get("retry-after"))).to.be.within(1, 900);
      expect(saysOf(await login("guessed", codeOf(secret)))).to.deep.equal([429, "PLINTH_ADMIN_TOO_MANY_CODES"]);
      expect((await password("totp")).status, "others are not limited").to.equal(200);
    });
  });

  describe("a role that requires a second factor", () => {
    const pluginConfigs = {
      "api-tokens": { loginLimit: 1000 },
      admin: { secondFactor: { requiredFor: ["keeper"] }, roles: { keeper: ["api::note.*"] } },
    };
    const served = serveAdmin(database, { pluginConfigs });
    const ask = (method: string, path: string, headers: Sent = PAGE, body?: unknown) =>
      served().ask(method, `/admin/api${path}`, headers, body);
    const SETUP = [403, "PLINTH_ADMIN_SECOND_FACTOR_SETUP"];
    const saysOf = ({ status, body }: Answered) => [status, body?.error?.code];

    it("leads to setting one up before anything else is open, and keeps the last one", async () => {
      const { email } = await administratorOf(served().plinth.app, "keeper");
      const signedIn = await ask("POST", "/session", PAGE, { email, password: PASSWORD });
      expect(signedIn.body).to.include({ mustSetUp: true });
      const headers = { ...PAGE, cookie: cookiesOf(signedIn), "x-plinth-confirmation": signedIn.body.confirmation };
      for (const path of ["/boot", "/model", "/content/api::note.note", "/sessions"])
        expect(saysOf(await ask("GET", path, headers)), path).to.deep.equal(SETUP);
      expect(saysOf(await served().ask("GET", "/admin/api-tokens", headers))).to.deep.equal(SETUP);
      expect((await ask("GET", "/account", headers)).body.data.secondFactor).to.include({ isRequired: true });
      const login = await served().ask("POST", "/admin/login", {}, { email, password: PASSWORD });
      expect(saysOf(login)).to.deep.equal(SETUP);
      const { secret, ticket } = (await ask("POST", "/account/totp", headers)).body;
      expect((await ask("PUT", "/account/totp", headers, { ticket, code: codeOf(secret) })).status).to.equal(200);
      expect((await ask("GET", "/boot", headers)).status).to.equal(200);
      const removed = await ask("DELETE", "/account/totp", headers);
      expect(saysOf(removed)).to.deep.equal([409, "PLINTH_ADMIN_SECOND_FACTOR_REQUIRED"]);
      expect((await ask("GET", "/account", headers)).body.data.secondFactor.hasTotp).to.equal(true);
    });

    it("holds at once for sessions and bearers that are open, when the database asks for one", async () => {
      const { app } = served().plinth;
      const { email } = await administratorOf(app, "writer");
      const data = { name: "writer", grant: ["api::note.*"], requiresSecondFactor: false };
      const { documentId } = await app.documents("plugin::admin.role").create({ data });
      const headers = await signIn(app, "writer");
      const { body } = await served().ask("POST", "/admin/login", {}, { email, password: PASSWORD });
      const bearer = { authorization: `Bearer ${body.token}` };
      for (const given of [headers, bearer]) expect((await ask("GET", "/model", given)).status).to.equal(200);
      await app.documents("plugin::admin.role").update({ documentId, data: { requiresSecondFactor: true } });
      expect(saysOf(await ask("GET", "/model", headers))).to.deep.equal(SETUP);
      expect((await ask("GET", "/model", bearer)).status).to.equal(401);
    });
  });
});
