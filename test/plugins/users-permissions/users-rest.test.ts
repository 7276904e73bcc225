import { expect } from "chai";
import { USER } from "#plugins/users-permissions/src/content-types.js";
import { eitherDatabase } from "../../databases.js";
import { fingerprint } from "../content-api/hostile-requests.js";
import { ADMIN, type Answered, PASSWORD, serveAuthApp } from "./auth-app.js";

const SHOWN = ["id", "documentId", "username", "email", "provider", "confirmed", "blocked"];
const TIMES = ["createdAt", "updatedAt", "publishedAt"];

/** An app that lets users write their own name and password and nothing else. */
const permissions = {
  authenticated: [
    "plugin::users-permissions.user.me",
    {
      action: "plugin::users-permissions.user.update",
      where: { id: "{{user.id}}" },
      fields: ["username", "password"],
    },
  ],
};

eitherDatabase(import.meta.url, (database) => {
  describe("users over REST", () => {
    const served = serveAuthApp(database, { appConfig: { permissions, access: { tokens: { [ADMIN]: "all" } } } });
    const ask = (method: string, path: string, body?: unknown, token = ADMIN): Promise<Answered> =>
      served().ask(method, path, { token, ...(body === undefined ? {} : { body }) });
    const refusal = ({ status, body }: Answered) => [status, body.error?.name, body.error?.message];
    const roleId = async (type: string) => {
      const { body } = await ask("GET", "/api/users-permissions/roles");
      return body.roles.find((role: { type: string }) => role.type === type).id as number;
    };
    const countUsers = async () => (await ask("GET", "/api/users/count")).body as number;

    it("are a bare list, and a bare number to count", async () => {
      await served().register("lister");
      const { body } = await ask("GET", "/api/users?filters[username]=lister");
      expect(body).to.have.length(1);
      expect(body[0]).to.have.all.keys(...SHOWN, ...TIMES);
      const count = await ask("GET", "/api/users/count?filters[username][$startsWith]=list");
      expect([count.body, count.headers.get("content-type")]).to.deep.equal([1, "application/json; charset=utf-8"]);
    });

    it("can be cut by start and limit at the root, sorted and selected", async () => {
      for (const name of ["page-a", "page-b", "page-c"]) await served().register(name);
      const query = "filters[username][$startsWith]=page-&sort=username&fields=username";
      const { body } = await ask("GET", `/api/users?${query}&start=1&limit=1`);
      expect(body.map((user: { username: string }) => user.username)).to.deep.equal(["page-b"]);
      const paged = await ask("GET", `/api/users?${query}&pagination[page]=3&pagination[pageSize]=1`);
      expect(paged.body[0].username).to.equal("page-c");
    });

    it("are never found, sorted, searched or shown by what is secret", async () => {
      const { user } = await served().register("secretive");
      const { sessionVersion } = (await served().plinth.app.documents(USER).findOne({
        documentId: user.documentId,
      })) as unknown as { sessionVersion: number };
      for (const name of ["password", "resetPasswordToken", "confirmationToken", "sessionVersion"]) {
        for (const path of ["/api/users", "/api/users/count", `/api/users/${user.id}`, "/api/users/me"]) {
          const { jwt } = await served().register(`s${Math.random().toString(36).slice(2)}`);
          const token = path.endsWith("me") ? jwt : ADMIN;
          for (const query of [`filters[${name}][$notNull]=true`, `filters[$or][0][${name}]=${sessionVersion}`]) {
            expect((await ask("GET", `${path}?${query}`, undefined, token)).status, `${path} ${query}`).to.equal(400);
          }
          if (path.endsWith("count")) continue;
          for (const query of [`sort=${name}`, `fields=${name}`, `populate=${name}`]) {
            expect((await ask("GET", `${path}?${query}`, undefined, token)).status, `${path} ${query}`).to.equal(400);
          }
        }
      }
      const search = await ask("GET", `/api/users?_q=${sessionVersion}`);
      expect(search.body).to.deep.equal([]);
      for (const name of ["where", "lookup", "select", "having", "groupBy", "params"]) {
        expect((await ask("GET", `/api/users?${name}[password][$ne]=x`)).status, name).to.equal(400);
        expect((await ask("GET", `/api/users/count?${name}[password][$ne]=x`)).status, name).to.equal(400);
      }
    });

    it("do not lead from a role to those who have it", async () => {
      for (const query of ["populate[role][populate]=users", "filters[role][users][username]=lister"]) {
        expect((await ask("GET", `/api/users?${query}`)).status, query).to.equal(400);
      }
      const { body } = await ask("GET", "/api/users?filters[username]=lister&populate[role][populate]=*");
      expect(body[0].role).to.not.have.any.keys("users");
    });

    it("are addressed by number: nobody is no content, a text is a 400", async () => {
      const { user } = await served().register("numbered");
      expect((await ask("GET", `/api/users/${user.id}`)).body).to.deep.equal(user);
      expect((await ask("GET", "/api/users/99999999")).status).to.equal(204);
      for (const method of ["GET", "PUT", "DELETE"]) {
        for (const id of [user.documentId, "1.5", "-1", "9".repeat(30)]) {
          expect((await ask(method, `/api/users/${id}`, method === "PUT" ? {} : undefined)).status, id).to.equal(400);
        }
      }
      expect(refusal(await ask("PUT", "/api/users/99999999", {}))).to.include.members([404, "User not found"]);
      expect((await ask("DELETE", "/api/users/99999999")).status).to.equal(204);
    });

    it("are made with a role, and answer with it", async () => {
      const role = await roleId("authenticated");
      const body = {
        username: "made",
        email: "Made@Example.com",
        password: PASSWORD,
        role,
        nope: 1,
        sessionVersion: 1,
      };
      const made = await ask("POST", "/api/users", body);
      expect(made.status).to.equal(201);
      expect(made.body).to.have.all.keys(...SHOWN, ...TIMES, "role");
      expect(made.body).to.include({ email: "made@example.com", provider: "local", confirmed: false, blocked: false });
      expect(made.body.role).to.include({ id: role, type: "authenticated" }).and.not.to.have.any.keys("users");
      const login = await served().post("/api/auth/local", { identifier: "made", password: PASSWORD });
      expect(login.status).to.equal(200);
    });

    it("change by PUT; keys that nobody may write have no effect", async () => {
      const { user, jwt } = await served().register("changing");
      const body = {
        nope: 1,
        sessionVersion: 5,
        resetPasswordToken: "x",
        confirmationToken: "x",
        id: 7,
        username: "changed",
      };
      const { status, body: changed } = await ask("PUT", `/api/users/${user.id}`, body);
      expect([status, changed.username, changed.id]).to.deep.equal([200, "changed", user.id]);
      const { documentId } = user;
      const stored = await served().plinth.app.documents(USER).findOne({ documentId, withPrivate: true });
      expect(stored?.["resetPasswordToken"]).to.equal(null);
      expect((await ask("GET", "/api/users/me", undefined, jwt)).body.username).to.equal("changed");
    });

    it("keep their names apart: a name, an address, and a name that is another's address", async () => {
      const { user } = await served().register("apart");
      await served().register("taken");
      const before = await countUsers();
      const put = (body: object) => ask("PUT", `/api/users/${user.id}`, body);
      expect(refusal(await put({ username: "taken" }))[2]).to.equal("Username already taken");
      expect(refusal(await put({ email: "TAKEN@example.com" }))[2]).to.equal("Email already taken");
      expect(refusal(await put({ username: "taken@example.com" }))[2]).to.equal("Username already taken");
      expect((await put({ username: "apart", email: "apart@example.com" })).status).to.equal(200);
      const role = await roleId("authenticated");
      const post = (body: object) => ask("POST", "/api/users", { password: PASSWORD, role, ...body });
      const name = await post({ username: "taken", email: "n@example.com" });
      expect(refusal(name)).to.deep.equal([400, "ApplicationError", "This attribute must be unique"]);
      expect(refusal(await post({ username: "new", email: "taken@example.com" }))[2]).to.equal("Email already taken");
      const address = await post({ username: "taken@example.com", email: "n@example.com" });
      expect(refusal(address)[2]).to.equal("Username already taken");
      expect(await countUsers()).to.equal(before);
    });

    it("take a role in every form, and never lose the last one", async () => {
      const { user } = await served().register("promoted");
      const role = await roleId("public");
      const { body } = await ask("GET", "/api/users-permissions/roles");
      const { documentId } = body.roles.find(({ id }: { id: number }) => id === role);
      const forms = [role, String(role), documentId, { connect: [{ id: role }] }, { connect: [{ documentId }] }];
      for (const form of forms) {
        await ask("PUT", `/api/users/${user.id}`, { role: await roleId("authenticated") });
        const changed = await ask("PUT", `/api/users/${user.id}`, { role: form });
        expect(changed.body.role?.type, JSON.stringify(form)).to.equal("public");
      }
      for (const form of [null, [], { set: [] }, { disconnect: [role] }]) {
        const answer = await ask("PUT", `/api/users/${user.id}`, { role: form, username: "demoted" });
        expect([answer.status, answer.body.error.message], JSON.stringify(form)).to.deep.equal([
          400,
          "role is a required field",
        ]);
      }
      const { body: kept } = await ask("GET", `/api/users/${user.id}?populate=role`);
      expect([kept.username, kept.role.type]).to.deep.equal(["promoted", "public"]);
    });

    it("may be allowed to change themselves, and then not more than is said", async () => {
      const { user, jwt } = await served().register("selfmade");
      const { user: other } = await served().register("otherone");
      const own = await ask("PUT", `/api/users/${user.id}`, { username: "self-named" }, jwt);
      expect([own.status, own.body.username]).to.deep.equal([200, "self-named"]);
      const role = await roleId("public");
      for (const body of [{ role }, { confirmed: false }, { blocked: true }, { provider: "x" }, { email: "a@b.co" }]) {
        expect((await ask("PUT", `/api/users/${user.id}`, body, jwt)).status, JSON.stringify(body)).to.equal(400);
      }
      expect((await ask("PUT", `/api/users/${other.id}`, { username: "hijacked" }, jwt)).status).to.equal(404);
      const { body } = await ask("GET", `/api/users/${user.id}?populate=role`);
      expect(body).to.deep.include({ confirmed: true, blocked: false, provider: "local" });
      expect(body.role.type).to.equal("authenticated");
      expect((await ask("PUT", `/api/users/${user.id}`, { password: "Another-1" }, jwt)).status).to.equal(200);
      expect((await ask("GET", "/api/users/me", undefined, jwt)).status).to.equal(401);
    });

    it("are deleted with what they were as the answer", async () => {
      const { user } = await served().register("leaving");
      const gone = await ask("DELETE", `/api/users/${user.id}`);
      expect([gone.status, gone.body]).to.deep.equal([200, user]);
      expect((await ask("GET", `/api/users/${user.id}`)).status).to.equal(204);
    });

    it("see themselves at /me, with the role where they may see roles; nobody else is there", async () => {
      const { user, jwt } = await served().register("myself");
      expect((await ask("GET", "/api/users/me?populate=role", undefined, jwt)).body).to.deep.equal(user);
      const few = await ask("GET", "/api/users/me?fields=username", undefined, jwt);
      expect(few.body).to.have.all.keys("id", "documentId", "username");
      expect(refusal(await ask("GET", "/api/users/me"))).to.deep.equal([401, "UnauthorizedError", "Unauthorized"]);
      expect((await served().ask("GET", "/api/users/me")).status).to.equal(403);
    });
  });

  describe("users, to whoever may not see them", () => {
    const served = serveAuthApp(database, {
      appConfig: {
        permissions: {
          authenticated: [
            "plugin::users-permissions.user.me",
            "plugin::users-permissions.user.destroy",
            "plugin::users-permissions.user.count",
            { action: "plugin::users-permissions.user.delete", where: { id: "{{user.id}}" } },
            { action: "plugin::users-permissions.user.update", where: { id: "{{user.id}}" } },
          ],
        },
      },
    });
    const ask = (method: string, path: string, token: string, body?: unknown): Promise<Answered> =>
      served().ask(method, path, { token, ...(body === undefined ? {} : { body }) });

    it("are not deleted outside of the rule, and not told apart from those that are not there", async () => {
      const { jwt } = await served().register("deleter");
      const { user: victim } = await served().register("victim");
      const before = await fingerprint(served().plinth);
      const hidden = await ask("DELETE", `/api/users/${victim.id}`, jwt);
      const absent = await ask("DELETE", "/api/users/987654", jwt);
      expect([hidden.status, hidden.body]).to.deep.equal([204, absent.body]);
      expect(absent.status).to.equal(204);
      expect(await fingerprint(served().plinth)).to.deep.equal(before);
    });

    it("are written to alike whether they are there or not, whatever is said of them", async () => {
      const { jwt } = await served().register("mapper");
      const { user: victim } = await served().register("mapped");
      for (const body of [{ email: victim.email }, { username: "mapped" }, { username: "new" }, { role: 1 }, {}]) {
        const [hidden, absent] = [
          await ask("PUT", `/api/users/${victim.id}`, jwt, body),
          await ask("PUT", "/api/users/987654", jwt, body),
        ];
        expect([hidden.status, hidden.body], JSON.stringify(body)).to.deep.equal([404, absent.body]);
      }
    });

    it("are a number and nothing more to who may only count them", async () => {
      const { jwt } = await served().register("counter");
      expect((await ask("GET", "/api/users/count", jwt)).body)
        .to.be.a("number")
        .and.above(0);
      const queries = ["filters[email][$startsWith]=v", "filters[email][$startsWith]=none", "_q=victim", "_q=none"];
      for (const query of [...queries, "filters[id]=1", "filters[$not][createdAt][$gt]=2000-01-01"])
        expect((await ask("GET", `/api/users/count?${query}`, jwt)).status, query).to.equal(403);
    });

    it("read themselves in the answers of what they write about themselves", async () => {
      const { user, jwt } = await served().register("selfreader");
      const changed = await ask("PUT", `/api/users/${user.id}`, jwt, { username: "self-reader" });
      expect([changed.status, changed.body.username]).to.deep.equal([200, "self-reader"]);
      const gone = await ask("DELETE", `/api/users/${user.id}`, jwt);
      expect([gone.status, gone.body.username]).to.deep.equal([200, "self-reader"]);
    });
  });
});
