import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { PERMISSION, ROLE } from "#plugins/users-permissions/src/content-types.js";
import { defaultRoles } from "#plugins/users-permissions/src/roles/default-roles.js";
import { parseConfig } from "#plugins/users-permissions/src/config.js";
import { eitherDatabase } from "../../databases.js";
import { ADMIN, type AuthApp, startAuthApp } from "./auth-app.js";

/** Role by type -> its actions. */
async function grantsOf({ plinth }: AuthApp): Promise<Readonly<Record<string, readonly string[]>>> {
  const rows = await plinth.app.documents(PERMISSION).findMany({ populate: { role: true } });
  const typeOf = (row: (typeof rows)[number]) => (row["role"] as unknown as { type: string }).type;
  const actionsOf = (type: string) => rows.filter((row) => typeOf(row) === type).map((row) => String(row["action"]));
  return Object.fromEntries([...new Set(rows.map(typeOf))].map((type) => [type, actionsOf(type).sort()]));
}

const expected = Object.fromEntries(defaultRoles.map(({ type, actions }) => [type, [...actions].sort()]));

eitherDatabase("postgres", (database) => {
  describe("the start of an app with users", () => {
    it("makes the roles Public and Authenticated with what they need, and nothing of the content", async () => {
      const app = await startAuthApp(database);
      expect(await grantsOf(app)).to.deep.equal(expected);
      await app.plinth.stop();
    });

    it("makes the roles that code grants something, and stores nothing of what it grants", async () => {
      const permissions = { content_editor: ["plugin::users-permissions.user.me"] };
      const app = await startAuthApp(database, { appConfig: { permissions, access: { tokens: { [ADMIN]: "all" } } } });
      const { body } = await app.ask("GET", "/api/users-permissions/roles", { token: ADMIN });
      const made = body.roles.find(({ type }: { type: string }) => type === "content_editor");
      expect(made).to.include({ name: "Content editor", nb_users: 0 });
      const { body: one } = await app.ask("GET", `/api/users-permissions/roles/${made.id}`, { token: ADMIN });
      const { user } = one.role.permissions["plugin::users-permissions"].controllers;
      expect(user.me).to.deep.equal({ enabled: true, policy: "", source: "code" });
      expect(await grantsOf(app)).to.not.have.any.keys("content_editor");
      await app.ask("DELETE", `/api/users-permissions/roles/${made.id}`, { token: ADMIN });
      await app.plinth.stop();
    });

    it("names a default role that is missing", async () => {
      const error = await startAuthApp(database, { config: { defaultRole: "member" } }).catch(
        (cause: unknown) => cause,
      );
      expect(String(error)).to.match(/There is no role "member" for new users; known are .*public/);
    });
  });

  if (database.kind === "pglite") return;

  describe("processes with the same users", () => {
    it("start at once, and make each role once", async () => {
      const apps = await Promise.all([1, 2, 3].map(() => startAuthApp(database)));
      const [first] = apps as [AuthApp];
      expect(await first.plinth.app.documents(ROLE).count()).to.equal(2);
      expect(await grantsOf(first)).to.deep.equal(expected);
      await Promise.all(apps.map(({ plinth }) => plinth.stop()));
    });

    it("keep what administrators changed, and remove grants of actions that are gone", async () => {
      const first = await startAuthApp(database);
      const documents = first.plinth.app.documents(PERMISSION);
      const role = await first.plinth.app.documents(ROLE).findFirst({ filters: { type: "public" } });
      await documents.create({ data: { action: "api::gone.gone.find", role: role?.id } });
      const taken = await documents.findFirst({ filters: { action: { $endsWith: "auth.register" } } });
      await documents.delete({ documentId: taken?.documentId ?? "" });
      await first.plinth.stop();
      const second = await startAuthApp(database);
      const without = expected["public"]?.filter((action) => !action.endsWith("auth.register"));
      expect((await grantsOf(second))["public"]).to.deep.equal(without);
      await second.plinth.stop();
    });

    it("hear of each other's changes within a second", async () => {
      const [one, other] = (await Promise.all([startAuthApp(database), startAuthApp(database)])) as [AuthApp, AuthApp];
      const { body } = await one.ask("POST", "/api/users", {
        token: ADMIN,
        body: {
          username: "roaming",
          email: "roaming@example.com",
          password: "Passw0rd-1",
          role: (await one.plinth.app.documents(ROLE).findFirst({ filters: { type: "authenticated" } }))?.id,
        },
      });
      const login = await other.post("/api/auth/local", { identifier: "roaming", password: "Passw0rd-1" });
      const statuses = () =>
        Promise.all(
          [one, other].map(async (app) => (await app.ask("GET", "/api/users/me", { token: login.body.jwt })).status),
        );
      expect(await statuses()).to.deep.equal([200, 200]);
      await one.ask("PUT", `/api/users/${body.id}`, { token: ADMIN, body: { blocked: true } });
      await sleep(500);
      expect(await statuses()).to.deep.equal([401, 401]);
      await Promise.all([one, other].map(({ plinth }) => plinth.stop()));
    });
  });
});

describe("the configuration of users", () => {
  it("is refused with every problem at once, and without a secret in the message", () => {
    const raw = { jwtSecret: "too-short", jwt: { expiresIn: "1d" }, defaultRole: "", jwtManagement: "x", unknown: 1 };
    for (const key of [
      "jwtSecret must be",
      "jwt.expiresIn must be",
      "defaultRole must",
      "jwtManagement must",
      "unknown is not",
    ])
      expect(() => parseConfig(raw)).to.throw(key);
    expect(() => parseConfig(raw)).to.not.throw(/too-short/);
    expect(() => parseConfig([])).to.throw(/it must be an object/);
  });

  it("is complete when nothing is said", () => {
    const { jwtSecret, jwt, defaultRole } = parseConfig(undefined);
    expect({ jwtSecret, jwt, defaultRole }).to.deep.equal({
      jwtSecret: [],
      jwt: { expiresIn: 2_592_000 },
      defaultRole: "authenticated",
    });
    expect(parseConfig({ jwtSecret: "" }).jwtSecret).to.deep.equal([]);
  });
});
