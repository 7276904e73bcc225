import { expect } from "chai";
import type { RegisterContext } from "@plinth/core";
import { adminPlugin } from "@plinth/plugin-admin";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { auditPlugin } from "@plinth/plugin-audit";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { eitherDatabase } from "../../databases.js";
import { serveAdmin } from "./serve-admin.js";
import { signIn } from "./sign-in.js";

const USER = "plugin::users-permissions.user";
const ARTICLE = "api::article.article";
const STORY = "api::story.story";
const PASSWORD = "Analytical-1";
const RULE = { action: `${ARTICLE}.update`, where: { title: { $ne: "Closed" } }, fields: ["title"] };

eitherDatabase(import.meta.url, (database) => {
  describe("end users on the admin page", () => {
    const served = serveAdmin(database, {
      plugins: [contentApiPlugin, apiTokensPlugin, usersPermissionsPlugin, adminPlugin, auditPlugin],
      pluginConfigs: {
        "users-permissions": {
          jwtSecret: "what only these tests know",
          jwtManagement: "refresh",
          rateLimit: { max: 1000 },
        },
        admin: {
          roles: {
            helpdesk: ["plugin::users-permissions.users"],
            desk: ["plugin::users-permissions.users", `${ARTICLE}.create`],
            gatekeeper: ["plugin::users-permissions.roles"],
            deputy: ["plugin::users-permissions.roles", `${ARTICLE}.delete`],
            reader: ["plugin::users-permissions.users", { action: `${STORY}.find`, fields: ["title"] }],
            linker: ["plugin::users-permissions.users", `${STORY}.find`, `${STORY}.update`],
            narrow: ["plugin::users-permissions.users", { action: `${USER}.find`, where: { blocked: false } }],
          },
        },
      },
      app: {
        contentTypes: {
          [ARTICLE]: {
            kind: "collectionType",
            info: { singularName: "article", pluralName: "articles", displayName: "Article" },
            options: { draftAndPublish: true },
            attributes: { title: { type: "string", required: true } },
          },
          [STORY]: {
            kind: "collectionType",
            info: { singularName: "story", pluralName: "stories", displayName: "Story" },
            attributes: {
              title: { type: "string" },
              secretTitle: { type: "string" },
              author: { type: "relation", relation: "manyToOne", target: USER, inversedBy: "stories" },
            },
          },
        },
        permissions: {},
        register: ({ registry }: RegisterContext<object>) =>
          registry("content-type").extend(USER, (user) => ({
            ...user,
            attributes: {
              ...user.attributes,
              phone: { type: "string", maxLength: 8 },
              note: { type: "text", private: true },
              stories: { type: "relation", relation: "oneToMany", target: STORY, mappedBy: "author" },
            },
          })),
      } as never,
      config: {
        server: { port: 0 },
        database: database.config(),
        permissions: { authenticated: [`${ARTICLE}.find`, RULE], editors: [`${ARTICLE}.create`] },
      },
    });

    const as = async (role: string, method: string, path: string, body?: unknown) =>
      await served().ask(method, `/admin/api${path}`, await signIn(served().plinth.app, role), body);
    const roles = async () => (await as("super", "GET", "/user-roles?withCount=true")).body.data;
    const roleOf = async (type: string) =>
      (await roles()).find((role: { readonly type: string }) => role.type === type) as {
        readonly documentId: string;
        readonly users: number;
      };
    let number = 0;
    const makeUser = async (values: object = {}) => {
      number += 1;
      const { documentId: role } = await roleOf("authenticated");
      const named = { username: `user ${number}`, email: `user${number}@example.com`, password: PASSWORD, role };
      const made = await as("super", "POST", "/users", { ...named, ...values });
      expect(made.status, made.text).to.equal(201);
      return made.body.data as { readonly documentId: string; readonly username: string; readonly email: string };
    };
    const login = (identifier: string, password = PASSWORD) =>
      served().ask("POST", "/api/auth/local", {}, { identifier, password });
    const me = (jwt: string) => served().ask("GET", "/api/users/me", { authorization: `Bearer ${jwt}` });

    it("are made with the attributes of the app, and show no secret", async () => {
      const made = await makeUser({ phone: "555", confirmed: true });
      expect(made).to.include({ phone: "555", confirmed: true });
      expect(made).to.have.deep.property("role").that.includes({ type: "authenticated" });
      const shown = await as("super", "GET", `/users/${made.documentId}`);
      expect(shown.text).not.to.match(/password|token|sessionVersion|usernameKey|emailKey|note/i);
      const { data, meta } = (await as("super", "GET", "/users/attributes")).body;
      expect(Object.keys(data)).to.deep.equal(["phone", "stories"]);
      expect(data.phone).to.include({ kind: "string", maxLength: 8 });
      expect(meta).to.deep.equal({ minPasswordLength: 6 });
    });

    it("are found by a search, filtered, and listed by pages with a cursor", async () => {
      const { documentId: role } = await roleOf("public");
      const blocked = await makeUser({ username: "Zuse the blocked", blocked: true, role });
      const of = async (query: string) =>
        (await as("super", "GET", `/users?${query}`)).body.data.map(({ username }: { username: string }) => username);
      expect(await of("_q=zuse")).to.deep.equal([blocked.username]);
      expect(await of("filters[blocked][$eq]=true")).to.deep.equal([blocked.username]);
      expect(await of(`filters[role][documentId][$eq]=${role}`)).to.deep.equal([blocked.username]);
      const first = (await as("super", "GET", "/users?pagination[pageSize]=1")).body;
      expect(first.data[0].username).to.equal(blocked.username);
      const rest = await of(`pagination[cursor]=${first.meta.pagination.nextCursor}`);
      expect(rest).to.include("user 1").and.not.to.include(blocked.username);
    });

    it("cannot be searched for by a password or a code", async () => {
      for (const filter of ["password", "resetPasswordToken", "sessionVersion"])
        expect((await as("super", "GET", `/users?filters[${filter}][$null]=true`)).status, filter).to.equal(400);
      expect((await as("super", "GET", "/users?nonsense=1")).body.error.code).to.equal("PLINTH_REST_UNKNOWN_PARAMETER");
    });

    it("get another password, which ends their sessions, and are blocked and deleted", async () => {
      const { documentId, username } = await makeUser();
      const before = (await login(username)).body;
      expect((await me(before.jwt)).status).to.equal(200);
      const path = `/users/${documentId}`;
      const changed = await as("super", "PUT", path, { password: "Difference-2" });
      expect(changed.text)
        .not.to.include("Difference")
        .and.not.to.match(/password/i);
      expect((await me(before.jwt)).status).to.equal(401);
      expect((await login(username)).status).to.equal(400);
      expect((await login(username, "Difference-2")).status).to.equal(200);
      expect((await as("super", "PUT", path, { blocked: true })).body.data.blocked).to.equal(true);
      expect((await login(username, "Difference-2")).body.error.message).to.match(/blocked/);
      expect((await as("super", "DELETE", path)).status).to.equal(204);
      for (const method of ["GET", "PUT", "DELETE"])
        expect((await as("super", method, path, method === "PUT" ? {} : undefined)).body.error.code).to.equal(
          "PLINTH_USERS_USER_NOT_FOUND",
        );
    });

    it("are told at the field what is wrong, and nothing is stored", async () => {
      const { documentId, username } = await makeUser();
      const other = await makeUser();
      const refuse = async (values: object) => (await as("super", "PUT", `/users/${documentId}`, values)).body.error;
      expect(await refuse({ username: other.username })).to.include({ message: "Username already taken" });
      expect(await refuse({ email: other.email.toUpperCase() })).to.include({ message: "Email already taken" });
      expect((await refuse({ phone: "123456789" })).details.errors[0].path).to.deep.equal(["phone"]);
      expect((await refuse({ password: "123" })).details.errors[0].path).to.deep.equal(["password"]);
      expect((await refuse({ password: "password1" })).details.errors[0].path).to.deep.equal(["password"]);
      expect((await refuse({ role: null })).details.errors[0].path).to.deep.equal(["role"]);
      expect((await login(username)).status).to.equal(200);
    });

    it("have sessions that are listed and ended together, and the log says who did it", async () => {
      const { documentId, username } = await makeUser();
      const { jwt } = (await login(username)).body;
      const path = `/users/${documentId}/sessions`;
      const { data, meta } = (await as("super", "GET", path)).body;
      expect(meta).to.deep.equal({ isListed: true });
      expect(data).to.have.length(1);
      expect(data[0]).to.have.all.keys("id", "deviceName", "loginAt");
      expect((await as("helpdesk", "DELETE", path)).status).to.equal(204);
      expect((await me(jwt)).status).to.equal(401);
      expect((await as("super", "GET", path)).body.data).to.deep.equal([]);
      const entries = await as("super", "GET", `/audit?documentId=${documentId}&action=auth.session-end`);
      expect(entries.body.data[0]).to.have.deep.property("actor").that.includes({ kind: "admin" });
    });

    it("show which roles there are, with the numbers of their users where asked", async () => {
      const plain = (await as("helpdesk", "GET", "/user-roles")).body.data;
      expect(plain.map(({ type }: { type: string }) => type)).to.deep.equal(["authenticated", "public", "editors"]);
      expect(plain[0]).to.include({ isDefault: true, isPublic: false }).and.not.to.have.property("users");
      expect(plain[1]).to.include({ isDefault: false, isPublic: true });
      expect((await roleOf("authenticated")).users).to.be.greaterThan(1);
    });

    it("have roles whose grants by code are locked and say where they stand", async () => {
      const { documentId } = await roleOf("authenticated");
      const { data } = (await as("super", "GET", `/user-roles/${documentId}`)).body;
      expect(data.byCode).to.deep.equal([
        { source: "config/permissions", actions: [`${ARTICLE}.find`, `${ARTICLE}.update`], rules: [RULE] },
      ]);
      const path = `/user-roles/${documentId}`;
      const refused = await as("super", "PUT", path, { revoke: [`${ARTICLE}.find`] });
      expect(refused.body.error.message).to.match(/granted by the app's code/);
      const unknown = await as("super", "PUT", path, { grant: ["api::article.article.burn"] });
      expect([unknown.status, unknown.body.error.code]).to.deep.equal([400, "PLINTH_USERS_REFUSED"]);
      const wrong = await as("super", "PUT", path, { name: 1, grants: [] });
      expect(wrong.body.error.code).to.equal("PLINTH_USERS_BODY_INVALID");
      expect((await as("super", "GET", path)).body.data).to.deep.equal(data);
    });

    it("may do at once what their role is granted, and two who change it lose nothing of each other", async () => {
      const { username } = await makeUser();
      const { jwt } = (await login(username)).body;
      const create = () =>
        served().ask("POST", "/api/articles", { authorization: `Bearer ${jwt}` }, { data: { title: "Mine" } });
      expect((await create()).status).to.equal(403);
      const path = `/user-roles/${(await roleOf("authenticated")).documentId}`;
      const stored = (await as("super", "GET", path)).body.data.stored as readonly string[];
      await Promise.all([
        as("super", "PUT", path, { grant: [`${ARTICLE}.create`] }),
        as("deputy", "PUT", path, { grant: [`${ARTICLE}.delete`], name: "Members" }),
      ]);
      expect((await create()).status).to.equal(201);
      const { data } = (await as("super", "GET", path)).body;
      expect(data.stored).to.have.members([...stored, `${ARTICLE}.create`, `${ARTICLE}.delete`]);
      expect(data).to.include({ name: "Members", type: "authenticated" });
      await as("super", "PUT", path, { revoke: [`${ARTICLE}.create`] });
      expect((await create()).status).to.equal(403);
    });

    it("move to public when their role is deleted, and public and the default role stay", async () => {
      const actions = (await as("super", "GET", "/user-roles/actions")).body.data;
      expect(actions).to.include(`${ARTICLE}.findDrafts`).and.to.include("plugin::users-permissions.user.me");
      const made = await as("super", "POST", "/user-roles", {
        name: "Guest writers",
        description: "For a week",
        grant: [`${ARTICLE}.create`],
      });
      expect(made.status, made.text).to.equal(201);
      expect(made.body.data).to.deep.include({ type: "guest_writers", stored: [`${ARTICLE}.create`], byCode: [] });
      expect((await as("super", "POST", "/user-roles", { name: "guest writers" })).status).to.equal(400);
      const { documentId } = await makeUser({ role: made.body.data.documentId });
      expect((await as("super", "DELETE", `/user-roles/${made.body.data.documentId}`)).status).to.equal(204);
      expect((await as("super", "GET", `/users/${documentId}`)).body.data.role.type).to.equal("public");
      for (const type of ["public", "authenticated"])
        expect((await as("super", "DELETE", `/user-roles/${(await roleOf(type)).documentId}`)).status).to.equal(400);
      const gone = await as("super", "GET", `/user-roles/${made.body.data.documentId}`);
      expect(gone.body.error.code).to.equal("PLINTH_USERS_ROLE_NOT_FOUND");
    });

    it("are given roles by who may manage them, who may not change what a role does; and the other way round", async () => {
      const { documentId } = await makeUser();
      const editors = (await roleOf("editors")).documentId;
      const moved = await as("desk", "PUT", `/users/${documentId}`, { role: editors });
      expect(moved.body.data.role.type).to.equal("editors");
      const role = `/user-roles/${editors}`;
      for (const [method, path] of [
        ["GET", role],
        ["PUT", role],
        ["DELETE", role],
        ["POST", "/user-roles"],
        ["GET", "/user-roles/actions"],
        ["GET", `/content/${ARTICLE}`],
        ["GET", "/audit"],
      ] as const)
        expect((await as("helpdesk", method, path, method === "GET" ? undefined : {})).status, path).to.equal(403);
      expect((await as("helpdesk", "GET", "/users")).status).to.equal(200);
      for (const [method, path] of [
        ["GET", "/users"],
        ["GET", `/users/${documentId}`],
        ["PUT", `/users/${documentId}`],
        ["DELETE", `/users/${documentId}/sessions`],
      ] as const)
        expect((await as("gatekeeper", method, path, method === "PUT" ? {} : undefined)).status, path).to.equal(403);
    });

    it("never reach the admin page, whatever their role is granted", async () => {
      const refused = await as("super", "POST", "/user-roles", { name: "Climbers", grant: ["plugin::admin.accounts"] });
      expect(refused.status).to.equal(400);
      const { username } = await makeUser();
      const { jwt } = (await login(username)).body;
      const bearer = { authorization: `Bearer ${jwt}`, "sec-fetch-site": "same-origin" };
      for (const path of ["/users", "/user-roles", "/boot"])
        expect((await served().ask("GET", `/admin/api${path}`, bearer)).status, path).to.equal(401);
    });

    const make = async (username: string, values: object = {}) => {
      const { app } = served().plinth;
      const role = (await app.documents("plugin::users-permissions.role").findFirst({ filters: { type: "public" } }))
        ?.id;
      const data = { username, email: `${username}@example.com`, password: PASSWORD, role, blocked: false, ...values };
      return await app.documents(USER).create({ data });
    };
    const write = (author: number) => {
      const data = { title: "Plain", secretTitle: "Ada", author };
      return served().plinth.app.documents(STORY).create({ data });
    };
    const authorOf = async (documentId: string) =>
      (
        await served()
          .plinth.app.documents(STORY)
          .findOne({ documentId, populate: { author: true } })
      )?.["author"] as {
        readonly documentId: string;
      };

    it("are searched by what is linked to them as the role may find it, and is no oracle for who may not", async () => {
      const { id, documentId } = await make("searched");
      await write(id);
      const query = async (role: string, text: string) => {
        const { status, body } = await as(role, "GET", `/users?${text}`);
        return status === 200 ? body.data.map((user: { documentId: string }) => user.documentId) : body.error.code;
      };
      const refused = "PLINTH_QUERY_INVALID_KEY";
      const secret = "filters[stories][secretTitle][$startsWith]=A";
      for (const text of [secret, "filters[stories][id][$gt]=0", "filters[role][users][stories][title]=Plain"])
        expect(await query("helpdesk", text), text).to.equal(refused);
      expect(await query("helpdesk", "sort=stories.secretTitle")).to.equal(refused);
      expect(await query("reader", secret)).to.equal(refused);
      expect(await query("reader", "sort=stories.secretTitle")).to.equal(refused);
      expect(await query("reader", "filters[stories][title][$eq]=Plain")).to.deep.equal([documentId]);
      expect(await query("super", secret)).to.deep.equal([documentId]);
    });

    it("are linked anew by who may change what is linked, which is not offered to who may not find it", async () => {
      const [owner, other] = [await make("owner"), await make("other")];
      const story = await write(owner.id);
      const take = (role: string) => as(role, "PUT", `/users/${other.documentId}`, { stories: [story.id] });
      for (const [role, status] of [
        ["helpdesk", 400],
        ["reader", 403],
      ] as const) {
        expect((await take(role)).status, role).to.equal(status);
        expect((await authorOf(story.documentId)).documentId).to.equal(owner.documentId);
      }
      const role = (await as("helpdesk", "GET", "/user-roles")).body.data[0].documentId;
      const values = { username: "thief", email: "thief@example.com", password: PASSWORD, role };
      expect((await as("helpdesk", "POST", "/users", { ...values, stories: [story.id] })).status).to.equal(400);
      expect((await as("helpdesk", "POST", "/users", values)).body.data.role.documentId).to.equal(role);
      for (const each of ["linker", "super"]) expect((await take(each)).status, each).to.equal(200);
      expect((await authorOf(story.documentId)).documentId).to.equal(other.documentId);
      const offered = async (each: string) => Object.keys((await as(each, "GET", "/users/attributes")).body.data);
      expect(await offered("helpdesk")).to.deep.equal(["phone"]);
      expect(await offered("reader")).to.deep.equal(["phone", "stories"]);
    });

    it("stay out of reach for a role whose rule leaves them out, whatever is done with them", async () => {
      const { documentId } = await make("hidden", { blocked: true });
      const open = await make("open");
      const listed = (await as("narrow", "GET", "/users?pagination[pageSize]=100")).body.data;
      const ids = listed.map((user: { documentId: string }) => user.documentId);
      expect(ids).to.include(open.documentId).and.not.to.include(documentId);
      for (const [method, path] of [
        ["GET", ""],
        ["PUT", ""],
        ["DELETE", ""],
        ["GET", "/sessions"],
        ["DELETE", "/sessions"],
      ] as const) {
        const answer = await as("narrow", method, `/users/${documentId}${path}`, method === "PUT" ? {} : undefined);
        expect(answer.status, `${method} ${path}`).to.equal(404);
      }
      const blocked = await as("narrow", "PUT", `/users/${open.documentId}`, { blocked: true });
      expect([blocked.status, blocked.body.data]).to.deep.equal([200, { id: open.id, documentId: open.documentId }]);
    });
  });
});
