import { findActor } from "@plinth/core";
import { onAct } from "@plinth/core/access";
import { expect } from "chai";
import { tellingCommand } from "#core/cli/tell-command.js";
import { adminPlugin } from "@plinth/plugin-admin";
import { administrators, apiTokens, apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { users, usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { eitherDatabase } from "../../databases.js";
import { administratorOf, signIn } from "../admin/sign-in.js";
import { ARTICLE, later, type Newsroom, serveNewsroom } from "./newsroom-app.js";
import { LONGEST_WAIT } from "../../longest-wait.js";

const ADMINISTRATOR = "plugin::api-tokens.admin";
const USER = "plugin::users-permissions.user";

describe("callers who are found again", () => {
  eitherDatabase(import.meta.url, (database) => {
    const room = serveNewsroom(database, {
      plugins: [apiTokensPlugin, adminPlugin, usersPermissionsPlugin],
      pluginConfigs: { "api-tokens": { loginLimit: 1000 } },
    });
    const find = (kind: string, id: string) => findActor(room().app, { kind, id });
    const publishes = `${ARTICLE}.publish`;

    it("are users, until they are blocked or gone", async () => {
      const { app } = room();
      const role = await app.documents("plugin::users-permissions.role").create({
        data: { name: "Publisher", type: "publisher", description: "", permissions: [] },
      });
      const { id, documentId } = await app
        .service(users)
        .create({ username: "ada", email: "ada@example.com", password: "a long password", role: role.id });
      expect((await find("user", documentId))?.ability.can(publishes)).to.equal(false);
      await app
        .documents("plugin::users-permissions.permission")
        .create({ data: { action: publishes, role: role.id } });
      expect((await find("user", documentId))?.ability.can(publishes)).to.equal(true);
      await app.documents(USER).update({ documentId, data: { blocked: true } });
      expect(await find("user", documentId)).to.equal(undefined);
      await app.service(users).delete(id);
      expect(await find("user", documentId)).to.equal(undefined);
    });

    it("are API tokens, until they expire or are revoked", async () => {
      const tokens = room().app.service(apiTokens);
      const { documentId } = await tokens.create({ name: "publisher", type: "custom", permissions: [publishes] });
      expect((await find("token", documentId))?.ability.can(publishes)).to.equal(true);
      await tokens.update(documentId, { expiresAt: later(room(), 1_000).toISOString() });
      while ((await find("token", documentId)) !== undefined) await new Promise((done) => setTimeout(done, 20));
      await tokens.update(documentId, { expiresAt: null });
      expect(await find("token", documentId)).not.to.equal(undefined);
      await tokens.revoke(documentId);
      expect(await find("token", documentId)).to.equal(undefined);
    });

    it("are administrators, until they may not sign in any more, with what their role may now", async () => {
      const { app } = room();
      const { documentId, email } = await administratorOf(app, "editor");
      expect((await find("admin", documentId))?.ability.can(publishes)).to.equal(true);
      await app.documents(ADMINISTRATOR).update({ documentId, data: { role: "author" } });
      expect((await find("admin", documentId))?.ability.can(publishes)).to.equal(false);
      await app.documents(ADMINISTRATOR).update({ documentId, data: { isActive: false } });
      expect(await find("admin", documentId)).to.equal(undefined);
      await app.service(administrators).remove(email);
      expect(await find("admin", documentId)).to.equal(undefined);
    });

    it("are the public, and nobody of another kind", async () => {
      expect((await findActor(room().app, { kind: "public" }))?.kind).to.equal("public");
      expect(await find("robot", "1")).to.equal(undefined);
      expect(await findActor(room().app, { kind: "token" })).to.equal(undefined);
    });

    it("are told to nobody without an audit log", async () => {
      const { app, ask, draft, schedules } = room();
      const { hooks } = app;
      expect(hooks.has(onAct)).to.equal(false);
      const told: unknown[] = [];
      const notify = hooks.notify.bind(hooks);
      hooks.notify = (target, event) => {
        if ((target as unknown) === onAct) told.push(event);
        return notify(target, event);
      };
      const documentId = await draft({ title: "Unnoticed" });
      await schedules.plan({ type: ARTICLE, documentId }, { publishAt: later(room(), 60_000) });
      await schedules.cancel({ type: ARTICLE, documentId });
      expect((await ask("", "GET", "/api/articles")).status).to.equal(403);
      expect((await ask("nobody", "GET", "/api/articles")).status).to.equal(401);
      const login = { identifier: "nobody", password: "a wrong one" };
      expect((await ask("", "POST", "/api/auth/local", login)).status).to.equal(400);
      await tellingCommand(app, { name: "none", options: {}, user: undefined }, async () => undefined);
      hooks.notify = notify;
      expect(told).to.deep.equal([]);
    });

    describe("below /admin", () => {
      const ask = async (method: string, path: string, headers: Readonly<Record<string, string>>, body?: unknown) => {
        const sent = body === undefined ? {} : { body: JSON.stringify(body) };
        const json = body === undefined ? {} : { "content-type": "application/json" };
        const response = await fetch(`${room().url}/admin/api${path}`, {
          method,
          headers: { ...headers, ...json },
          ...sent,
        });
        const text = await response.text();
        return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
      };
      const place = (documentId: string) => `/schedule/${ARTICLE}/${documentId}`;

      it("plan documents, and become their authors", async () => {
        const { app } = room();
        const editor = await signIn(app, "super");
        const documentId = await room().draft({ title: "By admin" });
        const planned = await ask("POST", place(documentId), editor, { publishAt: later(room(), 3_000) });
        expect(planned.status, JSON.stringify(planned.body)).to.equal(200);
        expect((await ask("GET", place(documentId), editor)).body.data).to.have.length(1);
        await published(room(), documentId);
        expect((await ask("GET", place(documentId), editor)).body.data).to.deep.equal([]);
        expect((await ask("DELETE", place(documentId), editor)).status).to.equal(204);
        expect((await ask("GET", "/schedule/api::note.note/x", editor)).status).to.equal(400);
        expect((await ask("GET", place(documentId), {})).status).to.equal(401);
      });

      it("may not do what their role may not", async () => {
        const author = await signIn(room().app, "author");
        const documentId = await room().draft({ title: "Of others" });
        expect((await ask("GET", place(documentId), author)).status).to.equal(404);
        expect((await ask("POST", place(documentId), author, { publishAt: later(room(), 60_000) })).status).to.equal(
          403,
        );
        expect((await ask("GET", "/releases", author)).status).to.equal(403);
      });

      it("run releases", async () => {
        const chief = await signIn(room().app, "super");
        const documentId = await room().draft({ title: "Released" });
        const actions = [{ type: ARTICLE, documentId, action: "publish" }];
        const made = await ask("POST", "/releases", chief, { name: "Night", actions });
        expect(made.status, JSON.stringify(made.body)).to.equal(201);
        const run = await ask("POST", `/releases/${made.body.data.id}/run`, chief);
        expect(run.body.data.state).to.equal("done");
        expect((await ask("GET", "/releases", chief)).body.data[0].id).to.equal(made.body.data.id);
        expect(await room().published(documentId)).to.equal("Released");
      });
    });
  });
});

async function published(room: Newsroom, documentId: string): Promise<void> {
  for (const end = performance.now() + LONGEST_WAIT; performance.now() < end; ) {
    if (await room.published(documentId)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  expect.fail("it was not published");
}
