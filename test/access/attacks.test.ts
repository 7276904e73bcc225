import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPlinth } from "@plinth/core";
import { users, usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { expect } from "chai";
import jsonwebtoken from "jsonwebtoken";
import { administrators, apiTokens, apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { eitherDatabase } from "../databases.js";
import { fingerprint } from "../plugins/content-api/hostile-requests.js";
import { CHEAP_ROUNDS } from "../projects.js";

/** Every plugin signs with the same secret here: what keeps their tokens apart must not be that. */
const SECRET = "one secret for all, which no app should have";
const NEW_SECRET = "the secret that takes the place of the other";
const PASSWORD = "Passw0rd-1";
const NOTES = "/api/notes";
const ME = "/api/users/me";
const ADMIN = "/admin/api-tokens";
const OWN_NOTES = { action: "api::note.note.find", where: { owner: { id: "{{user.id}}" } } };

eitherDatabase(import.meta.url, (database) => {
  describe("Attacks on an app with users, administrators and API tokens", () => {
    let doors: Doors;
    before("start the app", async () => {
      doors = await openDoors(database.config());
    });
    after("stop the app", () => doors.plinth.stop());

    it("a token opens the doors it was made for, and is refused at every other, also with one secret for all", async () => {
      const { app } = doors.plinth;
      const tokens = app.service(apiTokens);
      await app.service(administrators).create("root@example.com", PASSWORD);
      const login = await doors.ask("POST", "/admin/login", {
        body: { email: "root@example.com", password: PASSWORD },
      });
      const make = async (type: "full-access" | "admin") => (await tokens.create({ name: type, type })).accessKey;
      const bearers = {
        user: (await doors.register("door")).jwt,
        "API token": await make("full-access"),
        "admin token": await make("admin"),
        "admin session": login.body.token,
      };
      const opened: Record<string, number[]> = {};
      for (const [name, token] of Object.entries(bearers)) {
        expect(token, name).to.be.a("string");
        opened[name] = [];
        for (const path of [NOTES, ME, ADMIN]) opened[name].push((await doors.ask("GET", path, { token })).status);
      }
      expect(opened).to.deep.equal({
        user: [200, 200, 401],
        "API token": [200, 401, 401],
        "admin token": [401, 401, 200],
        "admin session": [401, 401, 200],
      });
    });

    it("claims of one kind of token, signed for another, are refused", async () => {
      const { user, jwt } = await doors.register("claims");
      const { v } = jsonwebtoken.decode(jwt) as { v: unknown };
      const sign = (claims: object, options: object = {}) =>
        jsonwebtoken.sign(claims, SECRET, { expiresIn: 60, ...options });
      const forged = [
        ...["plinth-admin", "plinth-users", "api-tokens"].map((audience) => sign({ id: user.id, v }, { audience })),
        ...["id", "documentId"].map((key) => sign({ id: user[key], v }, { audience: "plinth-admin" })),
        ...[{ id: user.id }, { userId: user.id, v }, { id: user.documentId, v }, { id: [user.id], v }].map((claims) =>
          sign(claims),
        ),
        sign({ id: user.id, v, type: "refresh" }),
        `${jwt.split(".").slice(0, 2).join(".")}.`,
        ...["", "null", "undefined", "{}"].map((text) => `x${text}`),
      ];
      const before = await fingerprint(doors.plinth);
      for (const token of forged)
        for (const path of [NOTES, ME, ADMIN])
          expect((await doors.ask("GET", path, { token })).status, `${path} ${token}`).to.equal(401);
      expect(await fingerprint(doors.plinth)).to.deep.equal(before);
    });

    it("a token is believed in the Authorization header, and nowhere else", async () => {
      const { jwt } = await doors.register("elsewhere");
      for (const name of ["access_token", "token", "jwt", "bearer", "authorization"]) {
        expect((await doors.ask("GET", `${ME}?${name}=${jwt}`)).status, name).to.be.oneOf([401, 403]);
        const headers = { cookie: `${name}=${jwt}`, [`x-${name.replace("_", "-")}`]: jwt };
        expect((await doors.ask("GET", ME, { headers })).status, name).to.be.oneOf([401, 403]);
      }
      expect((await doors.ask("GET", ME, { headers: { authorization: `Basic ${jwt}` } })).status).to.not.equal(200);
    });

    it("the token of a deleted user is not that of a row with the same id, whoever wrote it", async () => {
      const { user, jwt } = await doors.register("gone");
      const { db } = doors.plinth.app;
      await doors.plinth.app.service(users).delete(user.id);
      const text = `insert into up_users (id, document_id, username, email, provider, confirmed, blocked, created_at,
        updated_at, published_at) overriding system value
        values ($1, 'aaaaaaaaaaaaaaaaaaaaaaaa', 'heir', 'heir@example.com', 'local', true, false, now(), now(), now())`;
      await db.query({ text, values: [user.id] });
      for (const path of [ME, NOTES]) expect((await doors.ask("GET", path, { token: jwt })).status, path).to.equal(401);
    });

    it("role, confirmed, blocked and provider are not set by the way, whatever the route takes besides", async () => {
      const { user, jwt } = await doors.register("ambitious");
      const { id: role } = (await roleOf(doors, user.id)) ?? {};
      const more = { role: 1, confirmed: false, blocked: true, provider: "github", sessionVersion: 7 };
      const change = { currentPassword: PASSWORD, password: "Another-1", passwordConfirmation: "Another-1" };
      const answers = [
        await doors.ask("POST", "/api/auth/change-password", { token: jwt, body: { ...change, ...more } }),
        await doors.ask("POST", "/api/auth/forgot-password", { body: { email: "ambitious@example.com", ...more } }),
        await doors.ask("POST", "/api/auth/local", {
          body: { identifier: "ambitious", password: "Another-1", ...more },
        }),
        await doors.ask("PUT", `/api/users/${user.id}`, { token: jwt, body: more }),
        await doors.ask("PUT", ME, { token: jwt, body: more }),
      ];
      expect(answers.slice(3).every(({ status }) => status >= 400)).to.equal(true);
      const account = await doors.plinth.app.service(users).findById(user.id);
      expect(account).to.include({ confirmed: true, blocked: false, provider: "local" });
      expect((await roleOf(doors, user.id))?.id).to.equal(role);
    });

    it("two users who ask one URL at the same time never see each other's answer", async () => {
      const people = await Promise.all(["left", "right"].map((name) => doors.register(name)));
      const documents = doors.plinth.app.documents("api::note.note");
      for (const { user } of people) await documents.create({ data: { title: user.username, owner: user.id } });
      const bearers = [
        ...people.map(({ jwt, user }) => ({ token: jwt, name: user.username })),
        { token: "", name: "" },
      ];
      const asked = Array.from({ length: 200 }, (_, index) => bearers[index % 3] ?? { token: "", name: "" });
      await Promise.all(
        asked.map(async ({ token, name }, index) => {
          const isList = index % 2 === 0;
          const { status, body } = await doors.ask("GET", isList ? NOTES : ME, { token });
          if (name === "") return expect(status).to.be.oneOf([401, 403]);
          const seen = isList ? body.data.map(({ title }: { title: string }) => title) : [body.username];
          return expect(seen).to.deep.equal([name]);
        }),
      );
    });
  });

  describe("The secret that tokens are signed with", () => {
    it("is replaced without signing anybody out while the old one is listed, and ends its tokens when it is not", async () => {
      const directory = mkdtempSync(join(tmpdir(), "plinth-rotation-"));
      const config = database.kind === "pglite" ? { client: "pglite", directory } : database.config();
      const withSecrets = async <T>(jwtSecret: string | string[], use: (doors: Doors) => Promise<T>): Promise<T> => {
        const doors = await openDoors(config, jwtSecret);
        return use(doors).finally(() => doors.plinth.stop());
      };
      const statusOf = async (doors: Doors, token: string) => (await doors.ask("GET", ME, { token })).status;
      const old = await withSecrets(SECRET, async (doors) => (await doors.register("rotating")).jwt);
      const fresh = await withSecrets([NEW_SECRET, SECRET], async (doors) => {
        expect(await statusOf(doors, old)).to.equal(200);
        const body = { identifier: "rotating", password: PASSWORD };
        return (await doors.ask("POST", "/api/auth/local", { body })).body.jwt as string;
      });
      await withSecrets([NEW_SECRET], async (doors) => {
        expect([await statusOf(doors, old), await statusOf(doors, fresh)]).to.deep.equal([401, 200]);
      });
      rmSync(directory, { recursive: true });
    });
  });
});

interface AskOptions {
  readonly token?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

type Doors = Awaited<ReturnType<typeof openDoors>>;

/** Starts an app with every door there is: users, administrators, API tokens, and notes that users see their own of. */
async function openDoors(database: unknown, jwtSecret: string | string[] = SECRET) {
  const plinth = createPlinth({
    root: tmpdir(),
    environment: "test",
    passwordRounds: CHEAP_ROUNDS,
    plugins: [contentApiPlugin, usersPermissionsPlugin, apiTokensPlugin],
    app: { contentTypes: { "api::note.note": NOTE } },
    pluginConfigs: {
      "users-permissions": { jwtSecret, rateLimit: { max: 100_000 } },
      "api-tokens": { salt: SECRET, adminSecret: SECRET, loginLimit: 1000 },
    },
    config: {
      log: { level: "silent" },
      server: { host: "127.0.0.1", port: 0 },
      database,
      permissions: { authenticated: ["plugin::users-permissions.user.me", OWN_NOTES] },
    },
  });
  const url = await plinth.start();
  const ask = (method: string, path: string, options?: AskOptions) => send(`${url}${path}`, method, options);
  const register = async (username: string) => {
    const body = { username, email: `${username}@example.com`, password: PASSWORD };
    return (await ask("POST", "/api/auth/local/register", { body })).body;
  };
  return { plinth, ask, register };
}

const NOTE = {
  kind: "collectionType" as const,
  info: { singularName: "note", pluralName: "notes", displayName: "Note" },
  attributes: {
    title: { type: "string" },
    owner: { type: "relation", relation: "manyToOne", target: "plugin::users-permissions.user" },
  },
};

async function roleOf({ plinth }: Doors, id: number): Promise<{ id: number } | undefined> {
  const populate = ["role"];
  const account = await plinth.app.documents("plugin::users-permissions.user").findFirst({ filters: { id }, populate });
  return account?.["role"] as { id: number } | undefined;
}

async function send(url: string, method: string, { token, body, headers = {} }: AskOptions = {}) {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { "content-type": "application/json" } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}
