import type { RawContentType } from "@plinth/core";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { ADMIN, type Answered, serveAuthApp } from "./auth-app.js";

const typeOf = (name: string): Omit<RawContentType, "uid"> => ({
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes: { title: { type: "string" }, secret: { type: "string" } },
});

/** Notes, of which code grants users the titles, and drafts, of which it says nothing. */
const setup = {
  plugins: [contentApiPlugin],
  app: { contentTypes: { "api::note.note": typeOf("note"), "api::page.page": typeOf("page") } },
};
const permissions = {
  authenticated: [{ action: "api::note.note.find", fields: ["title"] }, "plugin::users-permissions.user.me"],
};

const granting = (action: string, enabled = true) => {
  const [owner = "", controller = "", name = ""] = action.split(".");
  return { [owner]: { controllers: { [controller]: { [name]: { enabled } } } } };
};

eitherDatabase(import.meta.url, (database) => {
  describe("roles over REST", () => {
    const served = serveAuthApp(database, {
      setup,
      appConfig: { permissions, access: { tokens: { [ADMIN]: "all" } } },
    });
    const ask = (method: string, path: string, body?: unknown, token = ADMIN): Promise<Answered> =>
      served().ask(method, path, { token, ...(body === undefined ? {} : { body }) });
    const ROLES = "/api/users-permissions/roles";
    const rolesNow = async () =>
      (await ask("GET", ROLES)).body.roles as { id: number; name: string; type: string; nb_users: number }[];
    const find = async (type: string) => (await rolesNow()).find((role) => role.type === type);
    const make = async (name: string, tree: object = {}) => {
      const answer = await ask("POST", ROLES, { name, description: "of a test", permissions: tree });
      expect(answer.body).to.deep.equal({ ok: true });
      return (await rolesNow()).find((role) => role.name === name) as { id: number; type: string };
    };
    const join = async (username: string, role: number) => {
      const { user, jwt } = await served().register(username);
      await ask("PUT", `/api/users/${user.id}`, { role });
      return { user, jwt: jwt as string };
    };
    const statusOf = async (path: string, token: string) => (await ask("GET", path, undefined, token)).status;

    before("write a note", () =>
      served()
        .plinth.app.documents("api::note.note")
        .create({ data: { title: "One", secret: "s" } }),
    );

    it("are listed with how many users they have", async () => {
      await served().register("counted");
      const all = await rolesNow();
      expect(all.map(({ name, type, nb_users }) => ({ name, type, nb_users }))).to.have.deep.members([
        { name: "Authenticated", type: "authenticated", nb_users: 1 },
        { name: "Public", type: "public", nb_users: 0 },
      ]);
    });

    it("show what they are granted as a tree of everything that can be granted, and what code grants as such", async () => {
      const id = (await find("authenticated"))?.id;
      const { body } = await ask("GET", `${ROLES}/${id}`);
      const { controllers } = body.role.permissions["api::note"];
      expect(controllers.note.find).to.deep.equal({ enabled: true, policy: "", source: "code" });
      expect(controllers.note.create).to.deep.equal({ enabled: false, policy: "" });
      const own = body.role.permissions["plugin::users-permissions"].controllers;
      expect(own.auth.logout).to.deep.equal({ enabled: true, policy: "" });
      const { body: tree } = await ask("GET", "/api/users-permissions/permissions");
      expect(tree.permissions["api::page"].controllers.page).to.have.all.keys(
        "find",
        "findOne",
        "create",
        "update",
        "delete",
      );
      expect(tree.permissions["plugin::users-permissions"].controllers).to.have.all.keys(
        "auth",
        "user",
        "role",
        "permissions",
      );
      expect(JSON.stringify(tree)).to.not.include("true");
    });

    it("grant and take away at once", async () => {
      const role = await make("At once");
      const { jwt } = await join("at-once", role.id);
      expect(await statusOf("/api/pages", jwt)).to.equal(403);
      await ask("PUT", `${ROLES}/${role.id}`, { permissions: granting("api::page.page.find") });
      expect(await statusOf("/api/pages", jwt)).to.equal(200);
      expect(await statusOf("/api/pages/x", jwt)).to.equal(403);
      await ask("PUT", `${ROLES}/${role.id}`, { description: "only this" });
      expect(await statusOf("/api/pages", jwt)).to.equal(200);
      await ask("PUT", `${ROLES}/${role.id}`, { permissions: {} });
      expect(await statusOf("/api/pages", jwt)).to.equal(403);
    });

    it("give a user those of one role only, and none of the public's", async () => {
      const role = await make("Nothing else");
      const { jwt } = await join("nothing-else", role.id);
      const id = (await find("public"))?.id;
      const before = (await ask("GET", `${ROLES}/${id}`)).body.role.permissions;
      await ask("PUT", `${ROLES}/${id}`, { permissions: { ...before, ...granting("api::page.page.find") } });
      expect((await served().ask("GET", "/api/pages")).status).to.equal(200);
      expect(await statusOf("/api/pages", jwt)).to.equal(403);
      await ask("PUT", `${ROLES}/${id}`, { permissions: before });
      expect((await served().ask("GET", "/api/pages")).status).to.equal(403);
    });

    it("keep what code grants, with its limits, whatever is granted here", async () => {
      const id = (await find("authenticated"))?.id;
      const { jwt } = await served().register("by-code");
      const before = (await ask("GET", `${ROLES}/${id}`)).body.role.permissions;
      const answer = await ask("PUT", `${ROLES}/${id}`, { permissions: before });
      expect(answer.body).to.deep.equal({ ok: true });
      const { body } = await ask("GET", "/api/notes", undefined, jwt);
      expect(body.data[0]).to.include({ title: "One" }).and.not.to.have.any.keys("secret");
      expect(await statusOf("/api/notes?filters[secret]=s", jwt)).to.equal(400);
      const refused = await ask("PUT", `${ROLES}/${id}`, { permissions: granting("api::note.note.find", false) });
      expect([refused.status, refused.body.error.message]).to.deep.equal([
        400,
        "api::note.note.find is granted by the app's code; take it away in config/permissions",
      ]);
    });

    it("refuse what cannot be granted, and change nothing then", async () => {
      const role = await make("Steady", granting("api::page.page.find"));
      const wrong = {
        "an unknown action": granting("api::page.page.publish"),
        "an unknown type": granting("api::pages.page.find"),
        "an action of somebody's prototype": granting("api::page.page.constructor"),
        "no truth value": { "api::page": { controllers: { page: { find: { enabled: "yes" } } } } },
        "a list": [granting("api::page.page.find")],
        "a text": "all",
        "no controllers": { "api::page": { page: { find: { enabled: true } } } },
      };
      const before = (await ask("GET", `${ROLES}/${role.id}`)).body;
      for (const [what, tree] of Object.entries(wrong)) {
        expect((await ask("PUT", `${ROLES}/${role.id}`, { name: "Changed", permissions: tree })).status, what).to.equal(
          400,
        );
        expect((await ask("POST", ROLES, { name: "Never made", permissions: tree })).status, what).to.equal(400);
      }
      expect((await ask("GET", `${ROLES}/${role.id}`)).body).to.deep.equal(before);
      expect((await rolesNow()).map(({ name }) => name)).to.not.include("Never made");
    });

    it("are made with nothing granted where the permissions are an empty list", async () => {
      const body = { name: "Empty list", description: "y", permissions: [] };
      expect(await ask("POST", ROLES, body)).to.deep.include({ status: 200, body: { ok: true } });
      const { jwt } = await join("empty-list", (await find("empty_list"))?.id as number);
      expect(await statusOf("/api/pages", jwt)).to.equal(403);
    });

    it("have a name, and a type of their own made of it", async () => {
      expect((await make("Content Editor")).type).to.equal("content_editor");
      const again = await ask("POST", ROLES, { name: "Content editor" });
      expect([again.status, again.body.error.message]).to.deep.equal([400, 'There is a role "content_editor" already']);
      for (const body of [{}, { name: "" }, { name: 1 }, { name: ["a"] }, undefined]) {
        expect((await ask("POST", ROLES, body)).status, JSON.stringify(body)).to.equal(400);
      }
    });

    it("leave their users to the public role when they are deleted", async () => {
      const role = await make("Passing", granting("api::page.page.find"));
      const { user, jwt } = await join("passing", role.id);
      expect(await statusOf("/api/pages", jwt)).to.equal(200);
      expect((await ask("DELETE", `${ROLES}/${role.id}`)).body).to.deep.equal({ ok: true });
      expect(await statusOf("/api/pages", jwt)).to.equal(403);
      expect((await ask("GET", `/api/users/${user.id}?populate=role`)).body.role.type).to.equal("public");
    });

    it("cannot be deleted where the app needs them", async () => {
      for (const type of ["public", "authenticated"]) {
        const answer = await ask("DELETE", `${ROLES}/${(await find(type))?.id}`);
        expect([answer.status, answer.body.error.message]).to.deep.equal([400, `Cannot delete the role "${type}"`]);
      }
    });

    it("that nobody knows are not found", async () => {
      for (const [method, body] of [["GET"], ["PUT", {}], ["DELETE"]] as const) {
        expect((await ask(method, `${ROLES}/99999999`, body)).body.error.message, method).to.equal("Role not found");
        expect((await ask(method, `${ROLES}/abc`, body)).status, method).to.equal(400);
      }
    });

    it("are for those who are granted them", async () => {
      const { jwt } = await served().register("curious");
      const id = (await find("public"))?.id;
      for (const token of [jwt, ""]) {
        expect(await statusOf(ROLES, token)).to.equal(403);
        expect(await statusOf(`${ROLES}/${id}`, token)).to.equal(403);
        expect((await ask("PUT", `${ROLES}/${id}`, { permissions: {} }, token)).status).to.equal(403);
        expect((await ask("POST", ROLES, { name: "Mine" }, token)).status).to.equal(403);
        expect((await ask("DELETE", `${ROLES}/${id}`, undefined, token)).status).to.equal(403);
      }
    });
  });
});
