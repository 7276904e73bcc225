import { expect } from "chai";
import { administrators } from "@plinth/plugin-api-tokens";
import { eitherDatabase } from "../../databases.js";
import { type Answered, serveAdmin } from "./serve-admin.js";
import { administratorOf, PASSWORD, signIn } from "./sign-in.js";

type Sent = Readonly<Record<string, string>>;
const PAGE: Sent = { "sec-fetch-site": "same-origin" };
const ADMINISTRATOR = "plugin::api-tokens.admin";
const saysOf = ({ status, body }: Answered) => [status, body?.error?.code];

const ROLES = {
  // Looks after accounts, and may do what editors may; but for API tokens.
  manager: ["api::*.*", "plugin::upload.*", "plugin::schedule.*", "plugin::admin.accounts"],
  reader: ["api::article.article.find"],
  keyholder: ["plugin::admin.tokens"],
  // Less than the manager in every way.
  own: [{ action: "api::article.article.update", where: { createdBy: { id: "{{user.id}}" } }, fields: ["title"] }],
};

eitherDatabase("postgres", (database) => {
  describe("accounts of administrators", () => {
    const pluginConfigs = { "api-tokens": { loginLimit: 1000 }, admin: { roles: ROLES } };
    const served = serveAdmin(database, { pluginConfigs });
    const ask = (method: string, path: string, headers: Sent = PAGE, body?: unknown) =>
      served().ask(method, `/admin/api${path}`, headers, body);
    const as = (role: string) => signIn(served().plinth.app, role);
    const idOf = async (role: string) => (await administratorOf(served().plinth.app, role)).documentId;
    const stored = async (documentId: string) => served().plinth.app.documents(ADMINISTRATOR).findOne({ documentId });

    it("are listed with role, state, second factor and when they were seen, and say what the caller may change", async () => {
      for (const role of ["editor", "author", "keyholder"]) await idOf(role);
      const headers = await as("manager");
      await as("super");
      const { data, roles, hasMail } = (await ask("GET", "/accounts", headers)).body;
      const of = (email: string) => data.find((each: { email: string }) => each.email === email);
      expect(of("manager@example.com")).to.include({ isMe: true, mayChange: false, role: "manager", isActive: true });
      expect(of("editor@example.com")).to.include({ mayChange: true, lastSeenAt: null });
      expect(of("super@example.com").mayChange).to.equal(false);
      expect(of("keyholder@example.com").mayChange).to.equal(false);
      expect(Date.parse(of("super@example.com").lastSeenAt)).to.be.closeTo(Date.now(), 60_000);
      expect(of("super@example.com").secondFactor).to.deep.equal([]);
      const given = roles
        .filter(({ mayGive }: { mayGive: boolean }) => mayGive)
        .map(({ name }: { name: string }) => name);
      expect(given).to.have.members(["editor", "author", "manager", "reader", "own"]);
      expect(hasMail).to.equal(false);
    });

    it("get another role, are deactivated and come back, and their sessions end each time", async () => {
      const headers = await as("super");
      const id = await idOf("moving");
      for (const changes of [{ role: "reader" }, { isActive: false }, { isActive: true, role: "author" }]) {
        const theirs = await as("moving");
        expect((await ask("PUT", `/accounts/${id}`, headers, changes)).status).to.equal(204);
        expect((await ask("GET", "/boot", theirs)).status).to.equal(401);
        expect(await stored(id)).to.include(changes);
      }
      const same = await as("moving");
      expect((await ask("PUT", `/accounts/${id}`, headers, { role: "author" })).status).to.equal(204);
      expect((await ask("GET", "/boot", same)).status, "the same role is no change").to.equal(200);
    });

    it("are removed with what is theirs alone; what they wrote stays, and names nobody", async () => {
      const { app } = served().plinth;
      const writer = await signIn(app, "author");
      const path = "/content/api::article.article";
      const made = await ask("POST", path, { ...writer, "if-none-match": "*" }, { data: { title: "Stays" } });
      const article = `${path}/${made.body.data.documentId}`;
      await ask("PUT", "/working-copies/api::article.article/new", writer, {
        changes: { title: "x" },
        device: "laptop",
      });
      const id = await idOf("author");
      const view = { account: id, contentType: "api::article.article", state: {}, roles: [] };
      for (const more of [{ name: "Mine" }, { name: "Ours", isShared: true, roles: ["editor"] }])
        await app.documents("plugin::admin.view").create({ data: { ...view, ...more } });
      await ask("PUT", "/preferences/theme", writer, { value: "dark" });
      expect((await ask("DELETE", `/accounts/${id}`, await as("super"))).status).to.equal(204);
      expect((await ask("GET", "/boot", writer)).status).to.equal(401);
      expect((await ask("DELETE", `/accounts/${id}`, await as("super"))).status).to.equal(404);
      const kept = (await ask("GET", article, await as("editor"))).body.data;
      expect([kept.title, kept._facts.createdBy]).to.deep.equal(["Stays", null]);
      const views = (
        await app.documents("plugin::admin.view").findMany({ filters: { account: id }, withPrivate: true })
      ).map(({ name }) => name);
      expect(views, "what is shared is of use to others").to.deep.equal(["Ours"]);
      for (const uid of ["plugin::admin.session", "plugin::admin.working-copy", "plugin::admin.preference"])
        expect(await app.documents(uid).findMany({ filters: { account: id }, withPrivate: true }), uid).to.deep.equal(
          [],
        );
    });

    it("keep one super who is active: two who take each other's place at the same time are one too many", async () => {
      const { app } = served().plinth;
      const rounds = { demoted: { role: "editor" }, deactivated: { isActive: false }, removed: undefined };
      for (const [name, changes] of Object.entries(rounds)) {
        const { documentId: second } = await administratorOf(app, name);
        await app.documents(ADMINISTRATOR).update({ documentId: second, data: { role: "super" } });
        const first = await idOf("super");
        const [mine, theirs] = [await as("super"), await as(name)];
        const take = (id: string, headers: Sent) =>
          changes ? ask("PUT", `/accounts/${id}`, headers, changes) : ask("DELETE", `/accounts/${id}`, headers);
        const answers = await Promise.all([take(second, mine), take(first, theirs)]);
        const supers = await app.documents(ADMINISTRATOR).findMany({ filters: { role: "super", isActive: true } });
        expect(supers, name).to.have.length(1);
        const [lost] = answers.filter(({ status }) => status !== 204);
        // Whoever came second was no super any more, or was the last one.
        expect([401, 403, 409], name).to.include(lost?.status);
        // The next round begins with the one that every other test knows.
        if (await stored(first))
          await app.documents(ADMINISTRATOR).update({ documentId: first, data: { role: "super", isActive: true } });
        if (await stored(second)) await app.documents(ADMINISTRATOR).delete({ documentId: second });
      }
    });

    it("keep the last super also where somebody else with as much power takes it away", async () => {
      const { app } = served().plinth;
      const headers = await as("super");
      const { documentId } = await administratorOf(app, "second");
      await app.documents(ADMINISTRATOR).update({ documentId, data: { role: "super" } });
      const second = await signIn(app, "second");
      const first = await idOf("super");
      expect((await ask("PUT", `/accounts/${documentId}`, headers, { isActive: false })).status).to.equal(204);
      await app.documents(ADMINISTRATOR).update({ documentId, data: { isActive: true, role: "super" } });
      expect((await ask("GET", "/accounts", second)).status).to.equal(401);
      const everything = { name: "all-but-name", grant: ["*"] };
      await app.documents("plugin::admin.role").create({ data: everything });
      const { documentId: third } = await administratorOf(app, "all-but-name");
      await app.documents(ADMINISTRATOR).delete({ documentId });
      const equal = await signIn(app, "all-but-name");
      for (const changes of [{ role: "editor" }, { isActive: false }])
        expect(saysOf(await ask("PUT", `/accounts/${first}`, equal, changes))).to.deep.equal([
          409,
          "PLINTH_ADMIN_LAST_SUPER",
        ]);
      expect(saysOf(await ask("DELETE", `/accounts/${first}`, equal))).to.deep.equal([409, "PLINTH_ADMIN_LAST_SUPER"]);
      await app.documents(ADMINISTRATOR).delete({ documentId: third });
    });

    it("are not taken from oneself", async () => {
      const headers = await as("super");
      const id = await idOf("super");
      for (const [method, path, body] of [
        ["PUT", `/accounts/${id}`, { role: "editor" }],
        ["PUT", `/accounts/${id}`, { isActive: false }],
        ["DELETE", `/accounts/${id}`],
        ["POST", `/accounts/${id}/reset-link`],
        ["DELETE", `/accounts/${id}/second-factor`],
      ] as const)
        expect(saysOf(await ask(method, path, headers, body)), `${method} ${path}`).to.deep.equal([
          409,
          "PLINTH_ADMIN_OWN_ACCOUNT",
        ]);
    });

    it("are given no more than who gives has, by no way there is", async () => {
      const { app } = served().plinth;
      const headers = await as("manager");
      const [above, keyholder, below] = [await idOf("super"), await idOf("keyholder"), await idOf("reader")];
      const invite = { email: "eve@example.com", role: "super" };
      const asSuper = await as("super");
      const invited = (await ask("POST", "/invitations", asSuper, invite)).body.invitation.id;
      const before = JSON.stringify(await app.documents(ADMINISTRATOR).findMany({ sort: "id" }));
      const attempts: readonly (readonly [string, string, unknown?])[] = [
        ["PUT", `/accounts/${below}`, { role: "super" }],
        ["PUT", `/accounts/${below}`, { role: "keyholder" }],
        ["PUT", `/accounts/${above}`, { role: "reader" }],
        ["PUT", `/accounts/${above}`, { isActive: false }],
        ["PUT", `/accounts/${keyholder}`, { isActive: false }],
        ["DELETE", `/accounts/${above}`],
        ["POST", `/accounts/${above}/reset-link`],
        ["POST", `/accounts/${keyholder}/reset-link`],
        ["DELETE", `/accounts/${above}/second-factor`],
        ["GET", `/accounts/${above}/sessions`],
        ["DELETE", `/accounts/${above}/sessions`],
        ["POST", "/invitations", invite],
        ["POST", "/invitations", { ...invite, role: "keyholder" }],
        ["POST", `/invitations/${invited}/resend`],
        ["DELETE", `/invitations/${invited}`],
      ];
      for (const [method, path, body] of attempts)
        expect(saysOf(await ask(method, path, headers, body)), `${method} ${path}`).to.deep.equal([
          403,
          "PLINTH_ADMIN_GRANTS_MORE",
        ]);
      const unknown = await ask("PUT", `/accounts/${below}`, headers, { role: "unheard-of" });
      expect(saysOf(unknown)).to.deep.equal([404, "PLINTH_ADMIN_UNKNOWN_ROLE"]);
      expect(JSON.stringify(await app.documents(ADMINISTRATOR).findMany({ sort: "id" }))).to.equal(before);
      const { accessKey } = await app.plugin("api-tokens").service("tokens").create({ name: "machine", type: "admin" });
      const machine = { authorization: `Bearer ${accessKey}` };
      for (const [method, path, body] of attempts.filter(([, path]) => !path.endsWith("/sessions")))
        expect((await ask(method, path, machine, body)).status, `${method} ${path}`).to.equal(403);
    });

    it("have a role that was just taken from them, whatever their session still remembers", async () => {
      const { app } = served().plinth;
      const headers = await as("manager");
      const id = await idOf("manager");
      const below = await idOf("reader");
      expect((await ask("GET", "/boot", headers)).status).to.equal(200);
      const table = app.model.contentTypes.get(ADMINISTRATOR)?.table;
      const become = (role: string) =>
        app.db.query({ text: `update "${table}" set role = $2 where document_id = $1`, values: [id, role] });
      // Past the documents, as another process would see it before the message comes.
      await become("reader");
      const answer = await ask("PUT", `/accounts/${below}`, headers, { role: "editor" });
      await become("manager");
      expect(saysOf(answer)).to.deep.equal([403, "PLINTH_ADMIN_GRANTS_MORE"]);
    });

    it("have sessions that those above them see and end, one by one or all", async () => {
      const headers = await as("manager");
      const id = await idOf("reader");
      const [first, second, third] = [await as("reader"), await as("reader"), await as("reader")];
      const { data } = (await ask("GET", `/accounts/${id}/sessions`, headers)).body;
      expect(data).to.have.length(3);
      expect((await ask("DELETE", `/accounts/${id}/sessions/${data[2].id}`, headers)).status).to.equal(204);
      expect((await ask("DELETE", `/accounts/${id}/sessions/${data[2].id}`, headers)).status).to.equal(404);
      expect((await ask("GET", "/boot", first)).status).to.equal(401);
      expect((await ask("GET", "/boot", second)).status).to.equal(200);
      expect((await ask("DELETE", `/accounts/${id}/sessions`, headers)).status).to.equal(204);
      for (const ended of [second, third]) expect((await ask("GET", "/boot", ended)).status).to.equal(401);
      expect((await ask("GET", `/accounts/${id}/sessions`, headers)).body.data).to.deep.equal([]);
    });

    it("are invited by a link that is shown once, which makes the account with its role", async () => {
      const headers = await as("manager");
      const sent = await ask(
        "POST",
        "/invitations",
        { ...headers, origin: served().url },
        { email: "Grace@example.com", role: "editor" },
      );
      expect([sent.status, sent.body.isSent]).to.deep.equal([201, false]);
      const { link } = sent.body;
      expect(link).to.match(/^http:\/\/127\.0\.0\.1:\d+\/admin\/invited#[\w-]{43}$/);
      const code = link.split("#")[1];
      const [open] = (await ask("GET", "/invitations", headers)).body.data;
      expect(open).to.include({ email: "grace@example.com", role: "editor", invitedBy: "manager@example.com" });
      expect(JSON.stringify(open)).not.to.include(code);
      expect(Date.parse(open.expiresAt) - Date.now()).to.be.closeTo(3 * 24 * 3600_000, 60_000);
      const look = await ask("POST", "/invitations/look", PAGE, { code });
      expect(look.body).to.deep.equal({ email: "grace@example.com", role: "editor" });
      const accept = (more: object = {}) =>
        ask("POST", "/invitations/accept", PAGE, { code, name: "Grace Hopper", password: PASSWORD, ...more });
      for (const password of ["short", "password1234", "grace-hopper", "gracehopper1", "Plinth-Grace-1"])
        expect((await accept({ password })).body.error.details.errors[0].path, password).to.equal("password");
      expect((await accept({ name: "  " })).status).to.equal(400);
      const answers = await Promise.all([accept(), accept()]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 403]);
      expect(answers.find(({ status }) => status === 200)?.body.user).to.include({
        name: "Grace Hopper",
        role: "editor",
      });
      expect(saysOf(await ask("POST", "/invitations/look", PAGE, { code }))).to.deep.equal([
        403,
        "PLINTH_ADMIN_LINK_INVALID",
      ]);
      const twice = await ask("POST", "/invitations", headers, { email: "grace@example.com", role: "editor" });
      expect(saysOf(twice)).to.deep.equal([409, "PLINTH_ADMIN_ACCOUNT_EXISTS"]);
      expect((await ask("POST", "/invitations", headers, { email: "no address", role: "editor" })).status).to.equal(
        400,
      );
    });

    it("are invited again by another link, and not at all once that is taken back or has expired", async () => {
      const { app } = served().plinth;
      const headers = await as("manager");
      const codeOf = ({ body }: Answered) => String(body.link).split("#")[1];
      const first = await ask("POST", "/invitations", headers, { email: "again@example.com", role: "editor" });
      const same = await ask("POST", "/invitations", headers, { email: "AGAIN@example.com", role: "author" });
      const mine = (await ask("GET", "/invitations", headers)).body.data.filter(
        ({ email }: { email: string }) => email === "again@example.com",
      );
      expect(mine.map(({ role }: { role: string }) => role)).to.deep.equal(["author"]);
      const resent = await ask("POST", `/invitations/${mine[0].id}/resend`, headers);
      const looks = [first, same, resent].map((answer) =>
        ask("POST", "/invitations/look", PAGE, { code: codeOf(answer) }),
      );
      expect((await Promise.all(looks)).map(({ status }) => status)).to.deep.equal([403, 403, 200]);
      const { id: documentId } = resent.body.invitation;
      const past = new Date(Date.now() - 1000).toISOString();
      await app.documents("plugin::admin.invitation").update({ documentId, data: { expiresAt: past } });
      const late = await ask("POST", "/invitations/accept", PAGE, {
        code: codeOf(resent),
        name: "X",
        password: PASSWORD,
      });
      expect(saysOf(late)).to.deep.equal([403, "PLINTH_ADMIN_LINK_INVALID"]);
      const shown = (await ask("GET", "/invitations", headers)).body.data;
      expect(
        shown.some(({ id }: { id: string }) => id === documentId),
        "to be sent again",
      ).to.equal(true);
      expect((await ask("DELETE", `/invitations/${documentId}`, headers)).status).to.equal(204);
      expect((await ask("DELETE", `/invitations/${documentId}`, headers)).status).to.equal(404);
    });

    it("get a new password by a link that somebody above them makes, once and while the old one is there", async () => {
      const { app } = served().plinth;
      const headers = await as("manager");
      const { documentId: id, email } = await administratorOf(app, "forgetful");
      await app.documents(ADMINISTRATOR).update({ documentId: id, data: { role: "reader" } });
      const make = async () =>
        String((await ask("POST", `/accounts/${id}/reset-link`, headers)).body.link).split("#")[1];
      const reset = (code: string | undefined, password: string) =>
        ask("POST", "/password/reset", PAGE, { code, password });
      const [code, unused] = [await make(), await make()];
      expect((await reset(code, "forgetful123")).body.error.details.errors[0].path).to.equal("password");
      const theirs = await as("forgetful");
      expect((await reset(code, "a password of its own")).status).to.equal(204);
      expect((await ask("GET", "/boot", theirs)).status).to.equal(401);
      for (const used of [code, unused, "x".repeat(50), ""])
        expect([400, 403], String(used)).to.include((await reset(used, "a password of its own")).status);
      expect(saysOf(await reset(unused, "a password of its own"))).to.deep.equal([403, "PLINTH_ADMIN_RESET_INVALID"]);
      const login = (password: string) => ask("POST", "/session", PAGE, { email, password });
      expect([(await login(PASSWORD)).status, (await login("a password of its own")).status]).to.deep.equal([401, 200]);
      const gone = await make();
      await app.documents(ADMINISTRATOR).update({ documentId: id, data: { isActive: false } });
      expect((await reset(gone, "a password of its own")).status).to.equal(403);
    });

    it("of one's own have a name, a language, an address and a password, each changed with what it takes", async () => {
      const { app } = served().plinth;
      await as("self");
      const [mine, other] = [await as("self"), await as("self")];
      const changed = await ask("PUT", "/account", mine, { name: "Selma", language: "de-CH" });
      expect(changed.body.data).to.include({ name: "Selma", language: "de-CH", passwordLength: 12 });
      expect((await ask("GET", "/boot", mine)).body.user).to.include({ name: "Selma", language: "de-CH" });
      for (const body of [{ name: "" }, { language: "../de" }, { role: "super" }, { isActive: true }])
        expect((await ask("PUT", "/account", mine, body)).status, JSON.stringify(body)).to.equal(400);
      const email = (address: string, password: string) =>
        ask("PUT", "/account/email", mine, { email: address, password });
      const wrong = await email("selma@example.com", "not the password");
      expect([wrong.status, wrong.body.error.details.errors[0].path]).to.deep.equal([400, "password"]);
      expect((await email("manager@example.com", PASSWORD)).body.error.code).to.equal("PLINTH_DOCUMENT_NOT_UNIQUE");
      expect((await email("Selma@example.com", PASSWORD)).body.data.email).to.equal("selma@example.com");
      expect((await ask("GET", "/boot", other)).status, "other sessions end").to.equal(401);
      const third = await signIn(app, "self").catch(() => undefined);
      expect(third).to.not.equal(undefined);
      const password = (old: string, next: string) => ask("PUT", "/account/password", mine, { old, password: next });
      expect((await password("wrong", "a sentence of mine")).body.error.details.errors[0].path).to.equal("old");
      for (const weak of ["short", "selmaselmaselma", "111111111111"])
        expect((await password(PASSWORD, weak)).body.error.details.errors[0].path, weak).to.equal("password");
      expect((await password(PASSWORD, "a sentence of mine")).status).to.equal(204);
      expect((await ask("GET", "/boot", mine)).status, "this session goes on").to.equal(200);
      const signedIn = await ask("POST", "/session", PAGE, {
        email: "selma@example.com",
        password: "a sentence of mine",
      });
      const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
      expect((await ask("GET", "/sessions", mine)).body.data).to.have.length(2);
      expect((await ask("GET", "/sessions", mine)).body.data[0]).to.include({
        network: "127.0.0.0/24",
        isCurrent: false,
      });
      expect((await ask("DELETE", "/sessions", mine)).status).to.equal(204);
      expect((await ask("GET", "/boot", { ...PAGE, cookie })).status).to.equal(401);
      expect((await ask("GET", "/sessions", mine)).body.data).to.have.length(1);
    });

    it("follow the rules of passwords wherever they come from, and their length is said before anybody signs in", async () => {
      const people = served().plinth.app.service(administrators);
      const refused = await people.create("weak@example.com", "elevenchars").catch((error: unknown) => error);
      expect(refused).to.include({ code: "PLINTH_ADMIN_INVALID" });
      const changed = await people.setPassword("super@example.com", "super-example").catch((error: unknown) => error);
      expect(changed).to.include({ code: "PLINTH_ADMIN_INVALID" });
      expect((await ask("GET", "/entrance")).body).to.deep.equal({ passwordLength: 12, canReset: false });
      const forgot = await ask("POST", "/password/forgot", PAGE, { email: "super@example.com" });
      expect(saysOf(forgot)).to.deep.equal([409, "PLINTH_ADMIN_NO_MAIL"]);
    });
  });
});
