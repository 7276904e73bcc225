import { onAct, unlimited } from "@plinth/core/access";
import { administrators, apiTokens } from "@plinth/plugin-api-tokens";
import type { AuditEntry } from "@plinth/plugin-audit";
import { releases, schedules } from "@plinth/plugin-schedule";
import { roles } from "@plinth/plugin-users-permissions";
import { expect } from "chai";
import { runTold, tellingCommand } from "#core/cli/tell-command.js";
import { eventually } from "../../core/database/driver/note-app.js";
import { tripsOf } from "../../core/database/trips-of.js";
import { eitherDatabase } from "../../databases.js";
import { ARTICLE, type AuditApp, DRAFT, NOTE, startAuditApp } from "./audit-app.js";

const PASSWORD = "Analytical-Engine-1";

const actionsOf = (entries: readonly AuditEntry[]) => entries.map(({ action }) => action);

eitherDatabase(import.meta.url, (database) => {
  describe("the audit log", () => {
    let test: AuditApp;
    before("start an app", async () => {
      test = await startAuditApp(
        database,
        {},
        { pluginConfigs: { "users-permissions": { rateLimit: { max: 1_000 } } } },
      );
    });
    after("stop it", () => test?.stop());

    it("has every write, by whom, over which way, of which attributes, and from which network", async () => {
      let documentId = "";
      const entries = await test.during(async () => {
        const ada = test.as("all", { id: 7, documentId: "ada" });
        const made = await ada.post(
          "/api/notes",
          { data: { text: "quiet words", state: "new" } },
          { headers: { "x-request-id": "first" } },
        );
        documentId = made.body.data.documentId;
        const mutation =
          'mutation($id: ID!) { updateNote(documentId: $id, data: { text: "other words" }) { documentId } }';
        expect((await ada.graphql(mutation, { id: documentId })).body.errors).to.equal(undefined);
        await test.app.documents(NOTE).update({ documentId, data: { text: "three" } });
        await test.app.documents(NOTE).delete({ documentId });
      });
      const shared = { uid: NOTE, documentId, result: "accepted" };
      expect(entries[0]).to.deep.include({
        ...shared,
        action: "document.create",
        transport: "rest",
        requestId: "first",
      });
      expect(entries[0]).to.deep.include({
        attributes: ["state", "text"],
        details: { state: "new" },
        address: "127.0.0.0",
      });
      expect(entries[0]?.actor).to.deep.equal({ kind: "user", id: "ada" });
      expect(entries[1]).to.deep.include({
        ...shared,
        action: "document.update",
        transport: "graphql",
        attributes: ["text"],
      });
      expect(entries[1]).to.deep.include({ actor: { kind: "user", id: "ada" }, address: "127.0.0.0" });
      expect(entries[2]).to.deep.include({ ...shared, action: "document.update", transport: "code" });
      expect(entries[2]).to.not.have.any.keys("actor", "address", "agent", "details");
      expect(entries[3]).to.deep.include({ ...shared, action: "document.delete", details: { state: "new" } });
      expect(JSON.stringify(entries)).to.not.include("words");
      const ids = entries.map(({ id }) => id);
      expect(ids).to.deep.equal(ids.toSorted((a, b) => a - b));
    });

    it("has what is done to drafts and locales", async () => {
      const entries = await test.during(async () => {
        const articles = test.app.documents(ARTICLE);
        const { documentId } = await articles.create({ data: { title: "A", pin: "Secret-123" }, status: "published" });
        await articles.update({ documentId, data: { title: "B" }, locale: "fr" });
        await articles.discardDraft({ documentId });
        await articles.unpublish({ documentId });
        await articles.publish({ documentId });
        await articles.delete({ documentId, locale: "*" });
      });
      expect(entries.map(({ action, locales, attributes }) => [action, locales, attributes])).to.deep.equal([
        ["document.create", ["en"], ["pin", "title"]],
        ["document.publish", ["en"], undefined],
        ["document.create", ["fr"], ["title"]],
        ["document.discard-draft", ["en"], undefined],
        ["document.unpublish", ["en"], undefined],
        ["document.publish", ["en"], undefined],
        ["document.delete", ["en", "fr"], undefined],
      ]);
      expect(JSON.stringify(entries)).to.not.include("Secret-123");
    });

    it("has nothing of what was taken back, was tried out, or is not to be noted", async () => {
      const entries = await test.during(async () => {
        const notes = test.app.documents(NOTE);
        await test.app.db
          .transaction(async () => {
            await notes.create({ data: { text: "never" } });
            throw new TypeError("taken back");
          })
          .catch(() => undefined);
        await notes.create({ data: { text: "tried" }, isTrial: true }).catch(() => undefined);
        await test.app.documents(DRAFT).create({ data: { text: "scratch" } });
      });
      expect(entries).to.deep.equal([]);
    });

    it("takes no round trip in a write", async () => {
      const costOf = async (uid: string) => (await tripsOf(test.app.db.knex, () => write(uid))).length;
      const write = (uid: string) => test.app.documents(uid).create({ data: { text: "x" } });
      for (const uid of [DRAFT, NOTE, DRAFT, NOTE]) await write(uid);
      const free = await costOf(DRAFT);
      expect(free).to.be.greaterThan(0);
      expect(await costOf(NOTE)).to.equal(free);
    });

    it("has users, what roles may do, tokens and administrators, without secrets", async () => {
      let key = "";
      const entries = await test.during(async () => {
        await test.app.service(roles).create({
          name: "Editors",
          permissions: { "api::note": { controllers: { note: { find: { enabled: true } } } } },
        });
        const { accessKey } = await test.app.service(apiTokens).create({ name: "robot", type: "read-only" });
        key = accessKey;
        await test.app.service(administrators).create("grace@example.com", PASSWORD);
        await test.app.service(administrators).setPassword("grace@example.com", `${PASSWORD}-2`);
      });
      const told = entries.map(({ action, uid, details }) => [action, uid, details]);
      expect(told[0]).to.deep.include.members(["document.create", "plugin::users-permissions.role"]);
      expect(told[1]?.[2]).to.have.property("action", "api::note.note.find");
      expect(told[2]).to.deep.equal([
        "document.create",
        "plugin::api-tokens.token",
        { name: "robot", type: "read-only" },
      ]);
      expect(entries.at(-1)?.attributes).to.include("password");
      const text = JSON.stringify(entries);
      expect(text).to.not.include(PASSWORD).and.not.include(key).and.not.include("$2");
    });

    it("has sign-ups, sign-ins and failed ones, passwords, and their accounts", async () => {
      let account = "";
      const entries = await test.during(
        async () => {
          const post = (path: string, body: object) => test.public.post(`/api/auth/${path}`, body);
          const made = await post("local/register", { username: "ada", email: "ada@example.com", password: PASSWORD });
          account = made.body.user.documentId;
          await post("local", { identifier: "ada", password: PASSWORD });
          await post("local", { identifier: "ada", password: "a wrong one" });
          await post("local", { identifier: "my password by mistake", password: "x" });
          await test.withBearer(made.body.jwt).post("/api/auth/change-password", {
            ...{ currentPassword: PASSWORD, password: `${PASSWORD}-2`, passwordConfirmation: `${PASSWORD}-2` },
          });
          await post("forgot-password", { email: "ada@example.com" });
          await post("reset-password", { code: "nonsense", password: PASSWORD, passwordConfirmation: PASSWORD });
          const login = 'mutation { login(input: { identifier: "ada", password: "wrong" }) { jwt } }';
          await test.public.graphql(login);
        },
        { action: "auth.*" },
      );
      // The two have their times by two clocks, which may be apart by as long as a request takes.
      const accepted = entries.filter(({ result }) => result === "accepted");
      const refused = entries.filter(({ result }) => result === "refused");
      expect(actionsOf(accepted)).to.deep.equal([
        ...["auth.register", "auth.sign-in", "auth.password-change", "auth.password-forgot"],
      ]);
      expect(refused.map(({ action, transport }) => `${action} ${transport}`)).to.deep.equal([
        ...["auth.sign-in rest", "auth.sign-in rest", "auth.password-reset rest", "auth.sign-in graphql"],
      ]);
      expect(entries).to.have.length(8);
      const user = { uid: "plugin::users-permissions.user", documentId: account };
      expect(accepted[1]).to.deep.include({ ...user, transport: "rest", actor: { kind: "user", id: account } });
      expect(refused[0]).to.deep.include({ ...user, details: { code: "PLINTH_AUTH_WRONG_CREDENTIALS" } });
      expect(refused[0]?.actor).to.not.have.property("id");
      expect(refused[1]).to.not.have.any.keys("uid", "documentId");
      expect(refused[3]).to.deep.include(user);
      const text = JSON.stringify(await test.entries());
      for (const secret of [PASSWORD, "a wrong one", "mistake", "nonsense", "ada@example.com"])
        expect(text, secret).to.not.include(secret);
    });

    it("has failed sign-ins of every account, also after a flood of other refusals from there", async () => {
      const users = test.app.documents("plugin::users-permissions.user");
      const accounts: string[] = [];
      for (const name of ["usera", "userb", "userc", "victim"]) {
        const data = { username: name, email: `${name}@example.com`, password: PASSWORD, provider: "local" };
        accounts.push((await users.create({ data: { ...data, confirmed: true } })).documentId);
      }
      const entries = await test.during(
        async () => {
          for (let n = 0; n < 120; n += 1)
            await test.withBearer(`none${n}`).get(`/api/${n % 2 ? "notes" : "articles"}`);
          for (let n = 0; n < 120; n += 1) await test.as("none", { id: n, documentId: `eve${n}` }).get("/api/notes");
          for (const name of ["usera", "userb", "userc", "victim", "victim"])
            await test.public.post("/api/auth/local", { identifier: name, password: "a wrong one" });
        },
        { action: "auth.sign-in", result: "refused" },
      );
      expect(entries.map(({ documentId }) => documentId)).to.deep.equal(accounts);
    });

    it("has what administrators do to sign in and out", async () => {
      await test.app.service(administrators).create("mary@example.com", PASSWORD);
      const own = { headers: { "sec-fetch-site": "same-origin" } };
      const entries = await test.during(
        async () => {
          const sign = (password: string) =>
            test.public.post("/admin/api/session", { email: "mary@example.com", password, stay: false }, own);
          expect((await sign("wrong one, this")).status).to.equal(401);
          const { headers } = await sign(PASSWORD);
          const cookie = (headers.get("set-cookie") ?? "").split(";")[0] ?? "";
          await test.public.delete("/admin/api/session", { headers: { ...own.headers, cookie } });
          await test.public.post("/admin/login", { email: "mary@example.com", password: PASSWORD });
        },
        { action: "auth.*" },
      );
      const accepted = entries.filter(({ result }) => result === "accepted");
      const refused = entries.filter(({ result }) => result === "refused");
      expect(actionsOf(refused)).to.deep.equal(["auth.sign-in"]);
      expect(actionsOf(accepted)).to.deep.equal(["auth.sign-in", "auth.sign-out", "auth.sign-in"]);
      expect(new Set(entries.map(({ documentId }) => documentId))).to.have.property("size", 1);
      expect(accepted[0]?.actor).to.deep.equal({ kind: "admin", id: refused[0]?.documentId });
    });

    it("has acts of the app's own code, in their transaction", async () => {
      const act = {
        action: "shop.refund",
        result: "accepted",
        origin: { transport: "code" },
        details: { order: 7 },
      } as const;
      const entries = await test.during(async () => {
        await test.app.db.transaction(async () => void test.app.hooks.notify(onAct, act));
        await test.app.db
          .transaction(async () => {
            void test.app.hooks.notify(onAct, act);
            throw new TypeError("taken back");
          })
          .catch(() => undefined);
        await test.app.hooks.notify(onAct, {
          ...act,
          details: { note: "\u0000\ud800", long: "x".repeat(3_000), none: undefined },
        });
        await test.app.hooks.notify(onAct, { ...act, details: { "a\u0000": { "\ud800": [{ "\u0000b": 1 }] } } });
      });
      expect(actionsOf(entries)).to.deep.equal(["shop.refund", "shop.refund", "shop.refund"]);
      expect(entries[1]?.details).to.deep.equal({ note: "\ufffd", long: { characters: 3_002 } });
      expect(entries[2]?.details).to.deep.equal({ a: { "\ufffd": [{ b: 1 }] } });
    });

    const command = { name: "admin create", options: { email: "x@example.com", password: "hush" }, user: "deploy" };

    it("has commands, with the user of the system, before they run", async () => {
      let seen: readonly AuditEntry[] = [];
      const entries = await test.during(() =>
        tellingCommand(test.app, command, async () => {
          seen = (await test.audit.list({ action: "command.run" })).entries;
          await test.app.documents(NOTE).create({ data: { text: "by a command" } });
        }),
      );
      expect(entries.slice(0, 1)).to.deep.equal(seen.slice(0, 1));
      expect(entries[1]).to.deep.include({
        ...{ action: "document.create", transport: "command", actor: { kind: "system", id: "deploy" } },
      });
      expect(entries[0]).to.deep.include({
        ...{ action: "command.run", result: "accepted", transport: "command" },
        actor: { kind: "system", id: "deploy" },
      });
      expect(entries[0]?.details).to.deep.equal({ command: "admin create", options: ["email", "password"] });
    });

    it("has commands that fail once more", async () => {
      const entries = await test.during(async () => {
        const refused = tellingCommand(test.app, command, () => test.app.documents("api::none.none").findMany());
        await refused.then(
          () => expect.fail("it was done"),
          () => undefined,
        );
        let hasFailed = false;
        await runTold(test.app, command, { fail: () => (hasFailed = true) }, ({ fail }) => void fail());
        expect(hasFailed).to.equal(true);
      });
      expect(entries.map(({ result }) => result)).to.deep.equal(["accepted", "failed", "accepted", "failed"]);
      expect(entries[1]?.details?.["code"]).to.be.a("string");
      expect(entries[3]?.details).to.deep.equal(entries[2]?.details);
    });

    it("has an entry of each document that is imported", async () => {
      const version = (documentId: string, locale: string, id: number) => ({
        ...{ id, documentId, locale, createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
        ...{ publishedAt: null, values: { title: "imported" }, links: {} },
      });
      const versions = [version("one", "en", 901), version("one", "fr", 902), version("two", "en", 903)];
      const entries = await test.during(() => test.app.loader.load(ARTICLE, versions));
      expect(
        entries.map(({ action, documentId, locales, transport }) => [action, documentId, locales, transport]),
      ).to.deep.equal([
        ["document.import", "one", ["en", "fr"], "import"],
        ["document.import", "two", ["en"], "import"],
      ]);
    });

    describe("of what is planned", () => {
      const planned = (documentId: string) => ({ type: ARTICLE, documentId });
      const draft = async () => (await test.app.documents(ARTICLE).create({ data: { title: "A" } })).documentId;
      const told = (entries: readonly AuditEntry[]) =>
        entries.map(({ action, result, details }) => [`${action} ${result}`, details]);
      const at = new Date(Date.now() + 3_600_000);
      const release = (...ids: readonly string[]) => ({
        ...{ name: "Night", actions: ids.map((id) => ({ ...planned(id), action: "publish" as const })) },
      });

      it("has who plans a document, cancels it, and what came of it", async () => {
        const documentId = await draft();
        const ada = test.as("all", { id: 7, documentId: "ada" });
        const actor = { kind: "public", ability: unlimited };
        const service = test.app.service(schedules);
        const entries = await test.during(
          async () => {
            const path = `/api/articles/${documentId}/actions/schedule`;
            // Nobody finds a user of a test again, as whom it could be done later.
            expect((await ada.post(path, { publishAt: at.toISOString() })).status).to.equal(400);
            await service.plan(planned(documentId), { publishAt: at }, { actor });
            await service.plan(planned(documentId), { publishAt: null }, { actor });
            expect((await ada.delete(path)).status).to.equal(204);
            await service.plan(planned(documentId), { unpublishAt: at });
            expect((await ada.delete(path)).status).to.equal(204);
            await service.plan(planned(documentId), { publishAt: new Date(test.app.clock.now() + 50) });
            await eventually(async () => expect(await service.of(planned(documentId))).to.deep.equal([]));
          },
          { action: "schedule.*" },
        );
        expect(told(entries).map(([what]) => what)).to.deep.equal([
          ...["schedule.plan accepted", "schedule.cancel accepted", "schedule.plan accepted"],
          ...["schedule.cancel accepted", "schedule.plan accepted", "schedule.run accepted"],
        ]);
        expect(entries[0]).to.deep.include({ uid: ARTICLE, documentId, locales: ["en"], actor: { kind: "public" } });
        expect(entries[0]?.details).to.deep.equal({ action: "publish", at: at.toISOString() });
        expect(entries[3]).to.deep.include({ transport: "rest", actor: { kind: "user", id: "ada" } });
        expect(entries[3]?.details).to.deep.equal({ action: "unpublish" });
        expect(entries[5]).to.deep.include({ transport: "code", details: { action: "publish" } });
      });

      it("has releases, how they ended, and why one was refused", async () => {
        const service = test.app.service(releases);
        let [id, other] = [0, 0];
        const ids = [await draft(), await draft()];
        const entries = await test.during(
          async () => {
            ({ id } = await service.create(release(...ids)));
            await service.change(id, { transaction: false });
            await service.schedule(id, at);
            await service.cancel(id);
            expect((await service.run(id)).state).to.equal("done");
            await service.remove(id);
            const gone = await draft();
            other = (await service.create(release(gone))).id;
            await test.app.documents(ARTICLE).delete({ documentId: gone });
            expect((await service.run(other)).state).to.equal("failed");
          },
          { action: "release.*" },
        );
        expect(told(entries)).to.deep.equal([
          ["release.create accepted", { release: id, documents: 2 }],
          ["release.change accepted", { release: id }],
          ["release.schedule accepted", { release: id, at: at.toISOString() }],
          ["release.cancel accepted", { release: id }],
          ["release.start accepted", { release: id }],
          ["release.run accepted", { release: id, documents: 2 }],
          ["release.remove accepted", { release: id }],
          ["release.create accepted", { release: other, documents: 1 }],
          ["release.start accepted", { release: other }],
          ["release.run refused", { release: other, documents: 1, code: "PLINTH_SCHEDULE_DOCUMENT_GONE" }],
        ]);
        expect(JSON.stringify(entries)).to.not.include("Night");
      });
    });
  });
});
