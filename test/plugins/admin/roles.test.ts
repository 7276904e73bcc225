import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { administrators, apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin, startAdminApp } from "./serve-admin.js";
import { administratorOf, PASSWORD, signIn } from "./sign-in.js";

const ROLE = "plugin::admin.role";

eitherDatabase("postgres", (database) => {
  describe("roles of administrators", () => {
    const roles = { editor: ["api::note.*"], keeper: ["plugin::admin.tokens", "api::note.note.find"] };
    const pluginConfigs = { "api-tokens": { loginLimit: 1000 }, admin: { roles } };
    const served = serveAdmin(database, { pluginConfigs });
    const bootOf = async (headers: Readonly<Record<string, string>>) =>
      (await served().ask("GET", "/admin/api/boot", headers)).body;
    const asRole = async (role: string) => bootOf(await signIn(served().plinth.app, role));

    it("are those that are given, as the configuration changes them, and those it adds", async () => {
      expect(Object.keys((await asRole("super")).may)).to.deep.equal(["api::article.article", "api::note.note"]);
      expect(Object.keys((await asRole("editor")).may)).to.deep.equal(["api::note.note"]);
      expect(Object.keys((await asRole("author")).may)).to.deep.equal(["api::article.article", "api::note.note"]);
      const keeper = await asRole("keeper");
      expect([keeper.may, keeper.actions]).to.deep.equal([{ "api::note.note": ["find"] }, ["plugin::admin.tokens"]]);
      expect((await asRole("unheard-of")).may).to.deep.equal({});
    });

    it("are added to by the database, at once and for sessions that are open", async () => {
      const { app } = served().plinth;
      const headers = await signIn(app, "keeper");
      expect((await bootOf(headers)).actions).to.deep.equal(["plugin::admin.tokens"]);
      const data = { name: "keeper", grant: ["api::article.article.find", "plugin::admin.locales"] };
      const { documentId } = await app.documents(ROLE).create({ data });
      const boot = await bootOf(headers);
      expect(boot.actions).to.have.members(["plugin::admin.tokens", "plugin::admin.locales"]);
      expect(Object.keys(boot.may)).to.deep.equal(["api::article.article", "api::note.note"]);
      await app.documents(ROLE).delete({ documentId });
      expect((await bootOf(headers)).actions).to.deep.equal(["plugin::admin.tokens"]);
    });

    it("are refused by the database where they name what does not exist, or would change super", async () => {
      const wrong = [
        { name: "super", grant: [] },
        { name: "typing", grant: ["api::note.note.fnd"] },
        { name: "paging", grant: ["plugin::admin.nothing"] },
        { name: "mine", grant: [{ action: "api::note.note.find", where: { nobody: 1 } }] },
      ];
      for (const data of wrong) {
        const failure = await served()
          .plinth.app.documents(ROLE)
          .create({ data })
          .catch((error: unknown) => error);
        expect(failure, data.name).to.include({ code: "PLINTH_ADMIN_INVALID" });
      }
      const own = [{ action: "api::note.note.find", where: { createdBy: { id: "{{user.id}}" } } }];
      await served()
        .plinth.app.documents(ROLE)
        .create({ data: { name: "mine", grant: own } });
    });

    it("stop the start where the configuration is wrong, with every problem", async () => {
      const wrong = { super: ["api::note.note.find"], odd: ["api::note.note.fnd", "plugin::admin.tokns"] };
      const failure = await startAdminApp(database, { pluginConfigs: { admin: { roles: wrong } } }).catch(
        (e: Error) => e,
      );
      const message = String((failure as Error).message);
      for (const part of ["admin.roles.super", "admin.roles.odd[0]", "admin.roles.odd[1]"])
        expect(message).to.include(part);
      const malformed = await startAdminApp(database, { pluginConfigs: { admin: { roles: { odd: "some" } } } }).catch(
        (error: Error) => error,
      );
      expect(String((malformed as Error).message)).to.include("roles has a mistake at odd: must be");
    });
  });

  describe("what a role is not", () => {
    const roles = { keeper: ["plugin::admin.tokens", "api::note.note.find"] };
    const served = serveAdmin(database, { pluginConfigs: { "api-tokens": { loginLimit: 1000 }, admin: { roles } } });

    it("a bearer of an administrator has the role as well, and one of an API token none", async () => {
      const { app } = served().plinth;
      const tokens = app.plugin("api-tokens").service("tokens");
      const bearerOf = async (role: string) => {
        const { email } = await administratorOf(app, role);
        const { body } = await served().ask("POST", "/admin/login", {}, { email, password: PASSWORD });
        return { authorization: `Bearer ${body.token}` };
      };
      const statusOf = async (path: string, headers: Readonly<Record<string, string>>) =>
        (await served().ask("GET", path, headers)).status;
      expect(await statusOf("/admin/api-tokens", await bearerOf("super"))).to.equal(200);
      expect(await statusOf("/admin/api-tokens", await bearerOf("editor"))).to.equal(403);
      expect(await statusOf("/admin/api/model", await bearerOf("editor"))).to.equal(200);
      const { accessKey } = await tokens.create({ name: "machine", type: "admin" });
      const machine = { authorization: `Bearer ${accessKey}` };
      expect(await statusOf("/admin/api-tokens", machine)).to.equal(200);
      expect(await statusOf("/admin/api/boot", machine)).to.equal(403);
      expect((await served().ask("GET", "/admin/api/model", machine)).body.types).to.deep.equal([]);
    });

    it("that may not do everything gives out no token that may", async () => {
      const { app } = served().plinth;
      const tokens = app.plugin("api-tokens").service("tokens");
      const { documentId: admin } = await tokens.create({ name: "of super", type: "admin" });
      const permissions = ["api::note.note.find"];
      const { documentId: custom } = await tokens.create({ name: "of keeper", type: "custom", permissions });
      const outcome = async (headers: Readonly<Record<string, string>>, method: string, id = "", body = {}) => {
        const answer = await served().ask(method, `/admin/api-tokens${id}`, headers, body);
        return answer.body?.error?.code ?? answer.status;
      };
      const attempts = (headers: Readonly<Record<string, string>>, name: string) => [
        outcome(headers, "POST", "", { name, type: "admin" }),
        outcome(headers, "PUT", `/${custom}`, { type: "admin", permissions: [] }),
        outcome(headers, "PUT", `/${admin}`, { expiresAt: null }),
        outcome(headers, "POST", `/${admin}/regenerate`),
      ];
      const keeper = await signIn(app, "keeper");
      const refused = "PLINTH_ADMIN_GRANTS_MORE";
      expect(await Promise.all(attempts(keeper, "mine"))).to.deep.equal([refused, refused, refused, refused]);
      const names = (await tokens.list()).map(({ name }) => name);
      expect(names).to.include("of super").and.not.include("mine");
      expect((await tokens.find("of keeper"))?.type).to.equal("custom");
      expect(await outcome(keeper, "PUT", `/${custom}`, { description: "read" })).to.equal(200);
      expect(await outcome(keeper, "POST", "", { name: "wide", type: "full-access" })).to.equal(refused);
      expect(await outcome(keeper, "POST", "", { name: "notes", type: "custom", permissions })).to.equal(201);
      expect(await Promise.all(attempts(await signIn(app, "super"), "theirs"))).to.deep.equal([201, 200, 200, 200]);
      const { accessKey } = await tokens.create({ name: "itself", type: "admin" });
      const machine = { authorization: `Bearer ${accessKey}` };
      expect(await outcome(machine, "POST", "", { name: "of a token", type: "admin" })).to.equal(201);
      for (const { documentId } of await tokens.list()) await tokens.revoke(documentId);
    });

    it("that may not do everything gets no key of a token that is being made one of an administrator", async () => {
      const { app } = served().plinth;
      const tokens = app.plugin("api-tokens").service("tokens");
      const { documentId } = await tokens.create({ name: "rising", type: "read-only" });
      const keeper = await signIn(app, "keeper");
      const { asked, change } = await app.db.transaction(async () => {
        await tokens.update(documentId, { type: "admin" });
        const asked = served().ask("POST", `/admin/api-tokens/${documentId}/regenerate`, keeper);
        const change = served().ask("PUT", `/admin/api-tokens/${documentId}`, keeper, { expiresAt: null });
        await sleep(200);
        // In an object: a transaction waits for the promise that its work returns.
        return { asked, change };
      });
      for (const answer of [await asked, await change])
        expect(answer.body.error.code).to.equal("PLINTH_ADMIN_GRANTS_MORE");
      await tokens.revoke(documentId);
    });

    it("changes one value of a token beside another that somebody else changes", async () => {
      const { app } = served().plinth;
      const tokens = app.plugin("api-tokens").service("tokens");
      const { documentId } = await tokens.create({ name: "shared", type: "read-only" });
      await Promise.all([
        tokens.update(documentId, { name: "renamed" }),
        tokens.update(documentId, { description: "described" }),
        tokens.update(documentId, { type: "full-access" }),
      ]);
      const found = await tokens.find(documentId);
      expect(found).to.include({ name: "renamed", description: "described", type: "full-access" });
      await tokens.revoke(documentId);
    });

    it("is refused to who was deactivated, in every session and at sign-in, as if there were no account", async () => {
      const { app } = served().plinth;
      const { documentId, email } = await administratorOf(app, "leaver");
      const headers = await signIn(app, "leaver");
      const login = await served().ask("POST", "/admin/login", {}, { email, password: PASSWORD });
      const bearer = { authorization: `Bearer ${login.body.token}` };
      await app.documents("plugin::api-tokens.admin").update({ documentId, data: { isActive: false } });
      for (const given of [headers, bearer])
        expect((await served().ask("GET", "/admin/api/model", given)).status).to.equal(401);
      for (const path of ["/admin/api/session", "/admin/login"]) {
        const page = { "sec-fetch-site": "same-origin" };
        const { status, body } = await served().ask("POST", path, page, { email, password: PASSWORD });
        expect([status, body.error.message]).to.deep.equal([401, "Invalid email or password"]);
      }
    });
  });
});

eitherDatabase("postgres", (database) => {
  if (database.kind === "postgres")
    describe("administrators who were there before the page", () => {
      it("keep their password, and are super", async () => {
        const before = await startAdminApp(database, { plugins: [contentApiPlugin, apiTokensPlugin] });
        const { documentId, email } = await before.plinth.app
          .service(administrators)
          .create("old@example.com", PASSWORD);
        await before.plinth.stop();
        const { plinth, ask } = await startAdminApp(database);
        const found = await plinth.app.documents("plugin::api-tokens.admin").findOne({ documentId });
        expect(found).to.include({ role: "super", isActive: true, name: null });
        const page = { "sec-fetch-site": "same-origin" };
        const { body } = await ask("POST", "/admin/api/session", page, { email, password: PASSWORD });
        expect(body.user).to.include({ name: "old@example.com", role: "super" });
        await plinth.stop();
      });
    });
});
