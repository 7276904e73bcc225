import { existsSync } from "node:fs";
import { join } from "node:path";
import { connectDatabase, definePlugin } from "@plinth/core";
import { apiTokensPlugin } from "@plinth/plugin-api-tokens";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { usersPermissionsPlugin } from "@plinth/plugin-users-permissions";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";
import { copyTemplate } from "../../projects.js";

const NOTE = "api::note.note";
const PATH = "/api/notes";

const notes = {
  contentTypes: {
    [NOTE]: {
      kind: "collectionType",
      info: { singularName: "note", pluralName: "notes", displayName: "Note" },
      attributes: { text: { type: "text", required: true }, owner: { type: "string" } },
    },
  },
} as const;

/** What a promise is rejected with. */
async function errorOf(promise: Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> {
  return await promise.then(
    () => expect.fail("nothing went wrong"),
    (error) => error,
  );
}

eitherDatabase(import.meta.url, (database) => {
  describe("createTestApp with plugins", () => {
    let test: TestApp;
    before("start an app", async () => {
      test = await createTestApp({
        plugins: [contentApiPlugin, apiTokensPlugin, usersPermissionsPlugin],
        app: notes,
        database: database.config(),
      });
    });
    after("stop it", () => test?.stop());

    it("answers over HTTP what its own code wrote", async () => {
      await test.app.documents(NOTE).create({ data: { text: "Hello" } });
      const { status, body } = await test.as("all").get(PATH, { query: { filters: { text: "Hello" } } });
      expect(status).to.equal(200);
      expect(body.data).to.have.length(1);
    });

    it("lets somebody do exactly what the test grants", async () => {
      const reader = test.as("read");
      expect((await reader.get(PATH)).status).to.equal(200);
      expect((await reader.post(PATH, { data: { text: "Not me" } })).status).to.equal(403);
      expect((await test.public.get(PATH)).status).to.equal(403);
    });

    it("puts the user of the test into the rules of a grant", async () => {
      await test.app.documents(NOTE).create({ data: { text: "Ada's", owner: "ada" } });
      const rule = { action: `${NOTE}.find`, where: { owner: "{{user.documentId}}" } };
      const { body } = await test.as([rule], { id: 1, documentId: "ada" }).get(PATH);
      expect(body.data.map(({ text }: { text: string }) => text)).to.deep.equal(["Ada's"]);
    });

    it("refuses a grant that is none, with what is wrong with it", () => {
      const grant = ["find everything"];
      expect(() => test.as(grant)).to.throw('an action reads like "api::article.article.find"');
      expect(() => test.as(grant))
        .to.throw()
        .with.property("code", "PLINTH_TESTKIT_GRANT_INVALID");
    });

    it("signs in as a new user of a role", async () => {
      const ada = await test.signIn({ role: "authenticated" });
      const roles = test.app.service("plugin::users-permissions.roles");
      const [authenticated] = (await roles.list()).filter((role) => role["type"] === "authenticated");
      await roles.update(Number(authenticated?.id), {
        permissions: { "plugin::users-permissions": { controllers: { user: { me: { enabled: true } } } } },
      });
      const { status, body } = await ada.get("/api/users/me");
      expect([status, body.username]).to.deep.equal([200, body.username]);
      const again = await test.signIn({ user: body.username });
      expect((await again.get("/api/users/me")).body.id).to.equal(body.id);
      const byId = await test.signIn({ user: body.id });
      expect((await byId.get("/api/users/me")).body.id).to.equal(body.id);
    });

    it("signs in with a new API token", async () => {
      const reader = await test.signIn({ token: "read-only" });
      expect((await reader.get(PATH)).status).to.equal(200);
      const writer = await test.signIn({ token: [`${NOTE}.create`] });
      expect((await writer.post(PATH, { data: { text: "By token" } })).status).to.equal(201);
      expect((await writer.get(PATH)).status).to.equal(403);
    });

    it("says which roles and users there are when it is asked for another", async () => {
      const role = await errorOf(test.signIn({ role: "editor" }));
      expect(role.code).to.equal("PLINTH_TESTKIT_PERSON_UNKNOWN");
      expect(role.message).to.include("authenticated").and.to.include("public");
      const user = await errorOf(test.signIn({ user: "nobody" }));
      expect(user.message).to.include('There is no user "nobody"');
    });

    it("catches the mails that the app sends", async () => {
      const mailer = test.app.service("plugin::users-permissions.mailer");
      await mailer.deliver({ to: "ada@example.com", subject: "Grüße", text: "See https://example.com/a?b=1&c=2 now" });
      const mail = await test.mails.next({ to: "ada@example.com" });
      expect(mail).to.include({ subject: "Grüße", text: "See https://example.com/a?b=1&c=2 now" });
      expect(mail.links).to.deep.equal(["https://example.com/a?b=1&c=2"]);
    });

    it("says that no mail came when none did", async () => {
      const error = await errorOf(test.mails.next({ to: "bob@example.com" }, { timeout: 20 }));
      expect(error.code).to.equal("PLINTH_TESTKIT_NOTHING_CAUGHT");
      expect(error.message).to.include("No mail to bob@example.com came within 20 ms");
    });

    it("keeps what the app logs", () => {
      expect(test.logged.map(({ path }) => path)).to.include(PATH);
    });
  });
});

describe("createTestApp", () => {
  const server = process.env["TEST_DATABASE_URL"] as `postgres://${string}` | undefined;

  it("loads a project, with the configuration that the test changes", async () => {
    const test = await createTestApp({ root: copyTemplate(), config: { api: { rest: { maxLimit: 2 } } } });
    try {
      const { body } = await test.public.get("/api/articles?pagination[pageSize]=50");
      expect(body.meta.pagination.pageSize).to.equal(2);
    } finally {
      await test.stop();
    }
  });

  it("keeps files of a test out of its project, on every database", async () => {
    const root = copyTemplate();
    const test = await createTestApp({ root, database: server ?? "memory" });
    try {
      const { status, body } = await test.as("all").upload([{ name: "notes.txt", content: "Hello" }]);
      expect([status, body[0].name]).to.deep.equal([201, "notes.txt"]);
      expect((await test.public.get(body[0].url)).text).to.equal("Hello");
      expect(existsSync(join(root, ".plinth", "uploads"))).to.equal(false);
    } finally {
      await test.stop();
    }
  });

  if (server)
    it("makes a database of its own on a server, and drops it", async () => {
      const test = await createTestApp({ app: notes, database: server });
      const current = await test.app.db.query({ text: "select current_database() as name", values: [] });
      await test.stop();
      const name = String(current[0]?.["name"]);
      expect(name).to.match(/^plinth_test_[0-9a-f]{12}$/);
      const db = await connectDatabase({ client: "postgres", connection: server });
      const left = await db.query({ text: "select 1 from pg_database where datname = $1", values: [name] });
      await db.close();
      expect(left).to.deep.equal([]);
    });

  it("signs in by a session where the app is in refresh mode", async () => {
    const pluginConfigs = { "users-permissions": { jwtManagement: "refresh" } };
    const test = await createTestApp({ plugins: [contentApiPlugin, usersPermissionsPlugin], pluginConfigs });
    try {
      const somebody = await test.signIn({ role: "authenticated" });
      expect((await somebody.get("/api/users/me")).status).to.equal(200);
      const { body } = await somebody.get("/api/auth/sessions");
      expect(JSON.stringify(body)).to.include('"test"');
    } finally {
      await test.stop();
    }
  });

  it("says which plugin is needed to sign in", async () => {
    const test = await createTestApp({ app: notes });
    try {
      const error = await errorOf(test.signIn({ role: "public" }));
      expect(error.code).to.equal("PLINTH_TESTKIT_PLUGIN_NEEDED");
      expect(error.message).to.include("users-permissions");
    } finally {
      await test.stop();
    }
  });

  it("leaves nothing behind when the app does not start", async () => {
    const broken = definePlugin({
      name: "broken",
      bootstrap: () => {
        throw new TypeError("not today");
      },
    });
    const error = await errorOf(createTestApp({ plugins: [broken] }));
    expect(error.message).to.include("not today");
  });

  it("refuses a database that it cannot make", async () => {
    const error = await errorOf(createTestApp({ plugins: [], database: "mysql://localhost/app" as "memory" }));
    expect(error.code).to.equal("PLINTH_TESTKIT_DATABASE_INVALID");
  });
});
