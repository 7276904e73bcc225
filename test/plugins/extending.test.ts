import { createTestApp, type TestApp } from "@plinth/test-kit";
import { defineApp } from "@plinth/core";
import { expect } from "chai";
import { runPlinth } from "../core/cli/plinth-command.js";
import { eitherDatabase } from "../databases.js";
import { installExtendedApp } from "../extended-app.js";

type AddsHooks = typeof import("../apps/extended/src/plugins/adds-hooks/index.js");

const NOTE = "api::note.note";
const BOOKMARK = "plugin::adds-content-type.bookmark";

eitherDatabase(import.meta.url, (database) => {
  describe("a plugin", () => {
    const root = installExtendedApp();
    let test: TestApp;

    before("start the app with a plugin of each kind", async () => {
      const { transformWords } = (await import(`${root}/src/plugins/adds-hooks/index.ts`)) as AddsHooks;
      const app = defineApp({
        register: ({ on }) => on(transformWords, (words, { text }) => (text.includes("--") ? words - 1 : words)),
      });
      test = await createTestApp({ root, app, database: database.config() });
    });

    after("stop it", () => test?.stop());

    const write = async (text: string): Promise<{ documentId: string; words: number }> =>
      (await test.as("all").post("/api/notes", { data: { text } })).body.data;

    it("brings content-types, with relations to those of the app", async () => {
      const note = await write("To be read");
      const bookmark = { page: 3, note: note.documentId };
      await test.app.documents(BOOKMARK).create({ data: bookmark });
      const { body } = await test.as("all").get("/api/bookmarks", { query: { populate: "note" } });
      expect(body.data[0]).to.deep.include({ page: 3 });
      expect(body.data[0].note).to.include({ text: "To be read" });
      const found = await test.as("all").graphql("{ addsContentTypeBookmarks { page note { text } } }");
      expect(found.body.data.addsContentTypeBookmarks).to.deep.equal([{ page: 3, note: { text: "To be read" } }]);
    });

    it("adds attributes to content-types of others, which are checked, stored and filtered like any", async () => {
      await write("one two three four");
      const all = test.as("all");
      const { body } = await all.get("/api/notes", { query: { filters: { words: { $gt: 3 } } } });
      expect(body.data.map(({ text }: { text: string }) => text)).to.deep.equal(["one two three four"]);
      const refused = await all.put(`/api/notes/${body.data[0].documentId}`, { data: { words: -1 } });
      expect([refused.status, refused.body.error.details.errors[0].path]).to.deep.equal([400, ["words"]]);
      const user = { username: "ada", email: "ada@example.org", password: "a long secret", motto: "x".repeat(81) };
      const failure = await test.app.documents("plugin::users-permissions.user").create({ data: user }).catch(String);
      expect(failure).to.include("motto");
    });

    it("takes part in hooks of the core, and lets others take part in its own", async () => {
      expect(await write("well -- counted")).to.include({ words: 2 });
      const kept = await write("Keep me");
      expect((await test.as("all").delete(`/api/notes/${kept.documentId}`)).status).to.equal(500);
      expect(await test.app.documents(NOTE).findOne({ documentId: kept.documentId })).to.include({ text: "Keep me" });
    });

    it("wraps services of others, of npm packages too, for everybody", async () => {
      expect((await test.public.get("/api/greetings/Ada")).body).to.deep.equal({ data: "Hello, Ada!!" });
      const account = { username: "grace", email: "grace@example.org", password: "a long secret" };
      await test.public.post("/api/auth/local/register", account);
      const [grace] = await test.app
        .documents("plugin::users-permissions.user")
        .findMany({ filters: { username: "grace" } });
      expect(grace).to.include({ motto: "New here" });
    });

    it("adds routes with controllers, policies and middlewares", async () => {
      const { documentId } = await write("12345");
      const path = `/api/adds-routes/notes/${documentId}/length`;
      expect((await test.public.get(path)).status).to.equal(403);
      const { body, headers } = await test.public.get(`${path}?language=en`);
      expect(body).to.deep.equal({ data: { length: 5 } });
      expect(headers.get("x-signed-by")).to.equal("adds-routes");
      expect((await test.public.get("/api/adds-routes/notes/nobody/length?language=en")).status).to.equal(404);
    });

    it("grants permissions to roles, with rules", async () => {
      expect((await test.public.get("/api/notes")).status).to.equal(200);
      const short = { data: { text: "two words" } };
      expect((await test.public.post("/api/notes", short)).status).to.equal(403);
      const somebody = await test.signIn({ role: "authenticated" });
      expect((await somebody.post("/api/notes", short)).status).to.equal(201);
      expect((await somebody.post("/api/notes", { data: { text: "now there are more" } })).status).to.equal(403);
    });

    it("adds to the GraphQL schema", async () => {
      await write("quiet");
      const { body } = await test
        .as("all")
        .graphql('{ noteCount notes(filters: { text: { eq: "quiet" } }) { shout words } }');
      expect(body.errors).to.equal(undefined);
      expect(body.data.notes).to.deep.equal([{ shout: "QUIET", words: 1 }]);
      expect(body.data.noteCount).to.equal(await test.app.documents(NOTE).count());
    });

    it("has configuration of its own", async () => {
      for (const text of ["a", "b", "c", "d"]) await write(text);
      const { body } = await test.public.get("/api/adds-config/latest");
      expect(body.data.map(({ text }: { text: string }) => text)).to.deep.equal(["d", "c", "b"]);
    });
  });
});

describe("a plugin", () => {
  const cwd = installExtendedApp();

  it("keeps the app from starting with a configuration that it refuses", async () => {
    const failure = await createTestApp({ root: cwd, pluginConfigs: { "adds-config": { limit: 0 } } }).catch(String);
    expect(failure).to.include("adds-config").and.to.include("limit has to be 1 or more");
  });

  const plinth = (...args: readonly string[]) => runPlinth(args, { cwd });

  it("adds commands to the command line, with arguments", async () => {
    const { code, stdout, stderr } = await plinth("notes", "add", "from a terminal");
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^[a-z0-9]{24}\n$/);
  });

  it("prints tables", async () => {
    expect((await plinth("notes", "count")).stdout).to.equal("NOTES\n1\n");
  });

  it("takes options", async () => {
    expect((await plinth("notes", "count", "--json")).stdout).to.equal('{"notes":1}\n');
  });

  it("stands in the help with its commands", async () => {
    expect((await plinth("help", "notes")).stdout).to.include("say how many notes there are");
  });
});
