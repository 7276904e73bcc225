import { expect } from "chai";
import { administrators } from "@plinth/plugin-api-tokens";
import { eitherDatabase } from "../../databases.js";
import { startTokenApp, type TokenApp } from "./serve-tokens.js";

const [OLD, NEW] = ["the old secret of the tests", "the new secret of the tests"];
const EMAIL = "grace@example.com";
const PASSWORD = "correct horse battery";

eitherDatabase("postgres", (database) => {
  // An embedded database in memory does not outlive the app.
  if (database.kind !== "postgres") return;

  describe("secrets of api-tokens that are replaced", () => {
    let app: TokenApp | undefined;
    const restart = async (...secrets: readonly string[]) => {
      await app?.plinth.stop();
      const config = { salt: secrets, adminSecret: secrets, lastUseInterval: 3600, loginLimit: 1000 };
      app = await startTokenApp(database, { pluginConfigs: { "api-tokens": config } });
      return app;
    };
    const statusOf = async (path: string, bearer: string) => (await app?.ask("GET", path, bearer))?.status;
    after("stop the app", () => app?.plinth.stop());

    it("leave API tokens valid, which are hashed again when they are used", async () => {
      const { tokens } = await restart(OLD);
      const [used, unused] = [
        await tokens.create({ name: "used", type: "full-access" }),
        await tokens.create({ name: "unused", type: "full-access" }),
      ];
      await restart(NEW, OLD);
      expect(await statusOf("/api/authors", used.accessKey)).to.equal(200);
      expect(await statusOf("/api/authors", `${used.accessKey}x`)).to.equal(401);
      await restart(NEW);
      expect(await statusOf("/api/authors", used.accessKey)).to.equal(200);
      expect(await statusOf("/api/authors", unused.accessKey)).to.equal(401);
      expect((await app?.tokens.find("used"))?.updatedAt).to.equal(used.updatedAt);
    });

    it("hash a token once, and then cost no statement more", async () => {
      const { tokens } = await restart(OLD);
      const { accessKey } = await tokens.create({ name: "counted", type: "full-access" });
      const { plinth } = await restart(NEW, OLD);
      while (!plinth.app.db.messages.isListening) await new Promise(setImmediate);
      const statements = async () => {
        const before = plinth.app.db.statementCount;
        expect(await statusOf("/api/authors", accessKey)).to.equal(200);
        return plinth.app.db.statementCount - before;
      };
      await statements();
      const steady = await statements();
      expect(await statements()).to.equal(steady);
      await restart(OLD, NEW);
      expect(await statusOf("/api/authors", accessKey), "hashed by what is the older one now").to.equal(200);
    });

    it("leave a revoked token refused, by whatever salt", async () => {
      const { tokens } = await restart(OLD);
      const { accessKey, documentId } = await tokens.create({ name: "revoked", type: "full-access" });
      const again = await restart(NEW, OLD);
      expect(await statusOf("/api/authors", accessKey)).to.equal(200);
      await again.tokens.revoke(documentId);
      expect(await statusOf("/api/authors", accessKey)).to.equal(401);
      await restart(OLD, NEW);
      expect(await statusOf("/api/authors", accessKey)).to.equal(401);
    });

    it("leave administrators signed in, and sign by the first", async () => {
      const first = await restart(OLD);
      await first.plinth.app.service(administrators).create(EMAIL, PASSWORD);
      const login = async (): Promise<string> => {
        const answer = await app?.ask("POST", "/admin/login", "", { email: EMAIL, password: PASSWORD });
        return answer?.body.token;
      };
      const old = await login();
      await restart(NEW, OLD);
      expect(await statusOf("/admin/api-tokens", old)).to.equal(200);
      const fresh = await login();
      await restart(NEW);
      expect(await statusOf("/admin/api-tokens", old)).to.equal(401);
      expect(await statusOf("/admin/api-tokens", fresh)).to.equal(200);
    });
  });
});
