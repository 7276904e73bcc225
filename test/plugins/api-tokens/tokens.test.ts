import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { TOKEN_TYPE } from "#plugins/api-tokens/src/content-types.js";
import type { NewToken } from "@plinth/plugin-api-tokens";
import { eitherDatabase } from "../../databases.js";
import { serveTokens, startTokenApp, type TokenApp } from "./serve-tokens.js";

const REFUSED = "Missing or invalid credentials";

eitherDatabase("postgres", (database) => {
  describe("API tokens", () => {
    const served = serveTokens(database);
    let count = 0;
    const issue = (values: Partial<NewToken> = {}) => {
      count += 1;
      return served().tokens.create({ name: `token ${count}`, type: "read-only", ...values });
    };
    const statusOf = async (method: string, path: string, key?: string, body?: unknown) =>
      (await served().ask(method, path, key, body)).status;

    before("write notes", async () => {
      const notes = served().plinth.app.documents("api::note.note");
      await notes.create({ data: { title: "One", secret: "s1", public: true } });
      await notes.create({ data: { title: "Two", secret: "s2", public: false } });
      await served()
        .plinth.app.documents("api::author.author")
        .create({ data: { name: "Ada" } });
    });

    it("of the type read-only read everything and write nothing", async () => {
      const { accessKey } = await issue();
      const { body } = await served().ask("GET", "/api/authors", accessKey);
      expect(body.data).to.have.length(1);
      expect(await statusOf("GET", `/api/authors/${body.data[0].documentId}`, accessKey)).to.equal(200);
      expect(await statusOf("POST", "/api/authors", accessKey, { data: { name: "Eve" } })).to.equal(403);
      expect(await statusOf("DELETE", `/api/authors/${body.data[0].documentId}`, accessKey)).to.equal(403);
    });

    it("of the type full-access write, too", async () => {
      const { accessKey } = await issue({ type: "full-access" });
      const { status, body } = await served().ask("POST", "/api/authors", accessKey, { data: { name: "Grace" } });
      expect([status, body.data.name]).to.deep.equal([201, "Grace"]);
      expect(await statusOf("DELETE", `/api/authors/${body.data.documentId}`, accessKey)).to.equal(204);
    });

    it("of the type custom do what they list, even less than the public", async () => {
      const { accessKey } = await issue({ type: "custom", permissions: ["api::author.author.find"] });
      expect(await statusOf("GET", "/api/authors", accessKey)).to.equal(200);
      expect(await statusOf("GET", "/api/authors/x", accessKey)).to.equal(403);
      expect(await statusOf("GET", "/api/notes", accessKey)).to.equal(403);
      expect(await statusOf("GET", "/api/notes")).to.equal(200);
    });

    it("can be limited to some rows and some fields", async () => {
      const rule = { action: "api::note.note.find", where: { public: true }, fields: ["title"] };
      const { accessKey } = await issue({ type: "custom", permissions: [rule] });
      const { body } = await served().ask("GET", "/api/notes", accessKey);
      expect(body.data).to.have.length(1);
      expect(body.data[0]).to.include({ title: "One" }).and.not.to.have.any.keys("secret", "public");
      expect(await statusOf("GET", "/api/notes?filters[secret][$startsWith]=s", accessKey)).to.equal(400);
      expect(await statusOf("GET", "/api/notes?filters[secret][$startsWith]=zzz", accessKey)).to.equal(400);
      expect(await statusOf("GET", "/api/notes?sort=secret", accessKey)).to.equal(400);
    });

    it("that nobody knows are refused, also where the public may go", async () => {
      const { accessKey } = await issue();
      const last = accessKey.endsWith("0") ? "1" : "0";
      const unknown = [
        randomBytes(32).toString("hex"),
        `${accessKey.slice(0, -1)}${last}`,
        accessKey.toUpperCase(),
        "short",
      ];
      for (const bearer of unknown) {
        const { status, body } = await served().ask("GET", "/api/notes", bearer);
        expect([status, body.error.message], bearer).to.deep.equal([401, REFUSED]);
      }
    });

    it("are not opened by what is stored of them", async () => {
      const { documentId } = await issue({ type: "full-access" });
      const stored = await served().plinth.app.documents(TOKEN_TYPE).findOne({ documentId, withPrivate: true });
      expect(stored?.["accessKey"]).to.match(/^[0-9a-f]{128}$/);
      expect(await statusOf("GET", "/api/notes", String(stored?.["accessKey"]))).to.equal(401);
    });

    it("that have expired say so", async () => {
      const { documentId, accessKey } = await issue({});
      const data = { expiresAt: new Date(Date.now() - 1000).toISOString() };
      await served().plinth.app.documents(TOKEN_TYPE).update({ documentId, data });
      const { status, body } = await served().ask("GET", "/api/notes", accessKey);
      expect([status, body.error]).to.deep.equal([
        401,
        {
          status: 401,
          name: "UnauthorizedError",
          message: "Token expired",
          details: {},
          code: "PLINTH_TOKENS_EXPIRED",
        },
      ]);
    });

    it("expire while they are in use", async () => {
      const expiresAt = Date.now() + 1500;
      const { accessKey } = await issue({ expiresAt: new Date(expiresAt).toISOString() });
      const status = await statusOf("GET", "/api/notes", accessKey);
      // A busy machine may answer too late to tell.
      if (Date.now() < expiresAt) expect(status).to.equal(200);
      await sleep(1600);
      expect(await statusOf("GET", "/api/notes", accessKey)).to.equal(401);
    });

    it("are out at once when they are revoked, get a new key, or are deleted as documents", async () => {
      const { tokens, plinth } = served();
      const [revoked, renewed, deleted] = [await issue(), await issue(), await issue()];
      for (const { accessKey } of [revoked, renewed, deleted])
        expect(await statusOf("GET", "/api/authors", accessKey)).to.equal(200);
      expect(await tokens.revoke(revoked.documentId)).to.equal(true);
      const again = await tokens.regenerate(renewed.documentId);
      await plinth.app.documents(TOKEN_TYPE).delete({ documentId: deleted.documentId });
      for (const { accessKey } of [revoked, renewed, deleted])
        expect(await statusOf("GET", "/api/authors", accessKey)).to.equal(401);
      expect(await statusOf("GET", "/api/authors", again?.accessKey)).to.equal(200);
      expect(await tokens.revoke(revoked.documentId)).to.equal(false);
    });

    it("may do less from the moment in which they are changed", async () => {
      const { accessKey, documentId } = await issue({ type: "full-access" });
      expect(await statusOf("GET", "/api/authors", accessKey)).to.equal(200);
      await served().tokens.update(documentId, { type: "custom", permissions: ["api::note.note.find"] });
      expect(await statusOf("GET", "/api/authors", accessKey)).to.equal(403);
    });

    it("are read once, and then cost no statement", async () => {
      const { accessKey } = await issue();
      const { db } = served().plinth.app;
      await until(() => db.messages.isListening);
      const statementsOf = async (bearer?: string) => {
        const before = db.statementCount;
        await served().ask("GET", "/api/notes", bearer);
        return db.statementCount - before;
      };
      // What the app does between requests counts as well, such as noting what was used: the least of several is a request's own.
      const leastOf = async (bearer?: string) => {
        const counts: number[] = [];
        for (let time = 0; time < 4; time += 1) counts.push(await statementsOf(bearer));
        return Math.min(...counts.slice(1));
      };
      expect(await leastOf(accessKey)).to.equal(await leastOf());
    });

    it("note when they were used, some time later", async () => {
      const { accessKey, documentId } = await issue();
      expect((await served().tokens.find(documentId))?.lastUsedAt).to.equal(null);
      const before = Date.now();
      await served().ask("GET", "/api/authors", accessKey);
      await untilAsync(async () => (await served().tokens.find(documentId))?.lastUsedAt !== null);
      const used = Date.parse((await served().tokens.find(documentId))?.lastUsedAt ?? "");
      expect(used).to.be.within(before - 5, Date.now());
    });

    it("show their key once, and neither it nor its hash ever after, nor in the log", async () => {
      const { accessKey, documentId, name } = await issue();
      await served().ask("GET", "/api/authors", accessKey);
      const { tokens, logged, plinth } = served();
      const hash = String(
        (await plinth.app.documents(TOKEN_TYPE).findOne({ documentId, withPrivate: true }))?.["accessKey"],
      );
      const shown = JSON.stringify([
        await tokens.list(),
        await tokens.find(name),
        await tokens.update(documentId, {}),
        logged,
      ]);
      expect(shown).not.to.include(accessKey).and.not.to.include(hash).and.not.to.include("accessKey");
    });

    it("have 256 bits, and no two the same", async () => {
      const keys = await Promise.all([issue(), issue(), issue()]);
      expect(new Set(keys.map(({ accessKey }) => accessKey)).size).to.equal(3);
      for (const { accessKey } of keys) expect(accessKey).to.match(/^[0-9a-f]{64}$/);
    });

    it("that cannot be are refused with every reason, and nothing is made", async () => {
      const { tokens } = served();
      const before = (await tokens.list()).length;
      const wrong = { name: " ", type: "root", permissions: ["nonsense"], expiresAt: "soon", accessKey: "mine", id: 7 };
      const failure = await tokens.create(wrong as unknown as NewToken).catch((error: unknown) => error);
      expect(failure).to.include({ code: "PLINTH_TOKENS_INVALID" });
      const paths = (failure as { details: { errors: { path: string }[] } }).details.errors.map(({ path }) => path);
      expect(paths).to.have.members(["accessKey", "id", "name", "type", "permissions", "expiresAt"]);
      const unknown = [["api::note.note.fnd"], [{ action: "api::note.note.find", fields: ["titel"] }]];
      for (const permissions of [
        ...unknown,
        [],
        undefined,
        ["note.find"],
        "all",
        [{ action: "api::note.note.find", role: 1 }],
      ])
        expect(
          await failureOf(issue({ type: "custom", permissions: permissions as string[] })),
          JSON.stringify(permissions),
        ).to.equal("PLINTH_TOKENS_INVALID");
      expect(await failureOf(issue({ type: "full-access", permissions: ["api::note.note.find"] }))).to.equal(
        "PLINTH_TOKENS_INVALID",
      );
      expect((await tokens.list()).length).to.equal(before);
    });

    it("have names of their own", async () => {
      const { name } = await issue();
      expect(await failureOf(issue({ name }))).to.equal("PLINTH_DOCUMENT_NOT_UNIQUE");
    });

    if (database.kind !== "postgres") return;

    describe("in two processes on one database", () => {
      let other: TokenApp;
      before("start another", async () => {
        other = await startTokenApp(database);
        await until(() => other.plinth.app.db.messages.isListening);
      });
      after("stop the other", () => other?.plinth.stop());

      it("are known to both, and out in both soon", async () => {
        const { accessKey, documentId } = await issue();
        expect((await other.ask("GET", "/api/authors", accessKey)).status).to.equal(200);
        await served().tokens.revoke(documentId);
        await untilAsync(async () => (await other.ask("GET", "/api/authors", accessKey)).status === 401);
      });

      it("are looked up at every request while the other process cannot be heard", async () => {
        const { accessKey, documentId } = await issue();
        expect((await other.ask("GET", "/api/authors", accessKey)).status).to.equal(200);
        const { db } = served().plinth.app;
        await db.query({
          text: "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'plinth listener' and datname = current_database()",
          values: [],
        });
        await until(() => !other.plinth.app.db.messages.isListening);
        await served().tokens.revoke(documentId);
        expect((await other.ask("GET", "/api/authors", accessKey)).status).to.equal(401);
        await until(() => other.plinth.app.db.messages.isListening);
      });
    });
  });

  describe("the last use of API tokens", () => {
    it("is written when the app stops", async () => {
      if (database.kind !== "postgres") return;
      const pluginConfigs = {
        "api-tokens": { salt: "another-salt-of-the-tests", adminSecret: "x".repeat(20), lastUseInterval: 3600 },
      };
      const first = await startTokenApp(database, { pluginConfigs });
      const { accessKey, documentId } = await first.tokens.create({ name: "late", type: "read-only" });
      await first.ask("GET", "/api/authors", accessKey);
      expect((await first.tokens.find(documentId))?.lastUsedAt).to.equal(null);
      await first.plinth.stop();
      const second = await startTokenApp(database, { pluginConfigs });
      expect((await second.tokens.find(documentId))?.lastUsedAt).to.be.a("string");
      await second.plinth.stop();
    });
  });
});

describe("an app with API tokens", () => {
  it("does not start in production without its secrets", async () => {
    const memory = { client: "pglite" as const, directory: ":memory:" };
    const database = { kind: "pglite" as const, config: () => memory } as Parameters<typeof startTokenApp>[0];
    const failure = await startTokenApp(database, { environment: "production", pluginConfigs: {} }).catch(
      (error: unknown) => error,
    );
    expect(String((failure as Error).message)).to.match(/API_TOKEN_SALT|ADMIN_JWT_SECRET/);
  });
});

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: { readonly code?: unknown }) => error.code,
  );
}

async function until(what: () => boolean): Promise<void> {
  await untilAsync(async () => what());
}

async function untilAsync(what: () => Promise<boolean>): Promise<void> {
  while (!(await what())) await sleep(10);
}
