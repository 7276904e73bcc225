import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contentApiPlugin } from "@plinth/plugin-content-api";
import { uploadPlugin } from "@plinth/plugin-upload";
import { createTestApp, ref, type Snapshot, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { eitherDatabase } from "../../databases.js";

const library = {
  contentTypes: {
    "api::book.book": {
      kind: "collectionType",
      info: { singularName: "book", pluralName: "books", displayName: "Book" },
      options: { draftAndPublish: true },
      attributes: {
        title: { type: "string", required: true },
        cover: { type: "media" },
        writer: { type: "relation", relation: "manyToOne", target: "api::writer.writer", inversedBy: "books" },
        extras: { type: "component", component: "shared.extra", repeatable: true },
        at: { type: "datetime" },
      },
    },
    "api::writer.writer": {
      kind: "collectionType",
      info: { singularName: "writer", pluralName: "writers", displayName: "Writer" },
      attributes: {
        name: { type: "string" },
        books: { type: "relation", relation: "oneToMany", target: "api::book.book", mappedBy: "writer" },
      },
    },
  },
  components: {
    "shared.extra": {
      info: { displayName: "Extra" },
      attributes: { by: { type: "relation", relation: "oneToOne", target: "api::writer.writer" } },
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
  describe("fixtures", () => {
    const files = mkdtempSync(join(tmpdir(), "plinth-fixtures-"));
    let test: TestApp;
    let clean: Snapshot;
    before("start an app", async () => {
      writeFileSync(join(files, "cover.txt"), "A cover.\n");
      const plugins = [contentApiPlugin, uploadPlugin];
      test = await createTestApp({ plugins, app: library, database: database.config() });
      clean = await test.snapshot();
    });
    after("stop it", async () => {
      await test?.stop();
      rmSync(files, { recursive: true });
    });
    afterEach(() => clean.restore());

    it("are linked whatever their order, and come back by name", async () => {
      const { notes, ada } = await test.load({
        "api::book.book": {
          notes: {
            title: "Notes",
            writer: ref("ada"),
            cover: ref("cover"),
            extras: [{ by: ref("ada") }],
            at: new Date(0),
            $status: "published",
          },
        },
        "api::writer.writer": { ada: { name: "Ada" } },
        "plugin::upload.file": { cover: { path: join(files, "cover.txt"), caption: "Ours" } },
      });
      const query = { populate: { writer: true, cover: true, extras: { populate: "by" } } };
      const { body } = await test.as("all").get(`/api/books/${notes.documentId}`, { query });
      expect(body.data.writer.documentId).to.equal(ada.documentId);
      expect(body.data.extras[0].by.documentId).to.equal(ada.documentId);
      expect(body.data.cover).to.include({ name: "cover.txt", caption: "Ours" });
      expect(body.data.at).to.equal("1970-01-01T00:00:00.000Z");
    });

    it("are drafts unless they say otherwise", async () => {
      await test.load({ "api::book.book": { secret: { title: "Not yet" } } });
      expect((await test.as("all").get("/api/books")).body.data).to.deep.equal([]);
    });

    it("can be read from JSON", async () => {
      const text = `{ "api::writer.writer": { "ada": { "name": "Ada", "books": [{ "$fixture": "notes" }] } },
        "api::book.book": { "notes": { "title": "Notes" } } }`;
      const { ada } = await test.load(JSON.parse(text) as Record<string, Record<string, object>>);
      const populate = { books: true };
      const writer = await test.app.documents("api::writer.writer").findFirst({ populate });
      expect(writer).to.deep.include({ documentId: ada?.documentId });
      expect(writer?.["books"]).to.have.length(1);
    });

    it("are refused, all of them, when one name means two or none, or they wait for each other", async () => {
      const twice = { "api::book.book": { ada: { title: "A" } }, "api::writer.writer": { ada: { name: "A" } } };
      expect((await errorOf(test.load(twice))).code).to.equal("PLINTH_TESTKIT_FIXTURE_DUPLICATE");
      const unknown = { "api::book.book": { notes: { title: "A", writer: ref("adda") }, ada: { title: "B" } } };
      const error = await errorOf(test.load(unknown));
      expect(error.code).to.equal("PLINTH_TESTKIT_FIXTURE_UNKNOWN");
      expect(error.message).to.include(
        'The fixture "notes" refers to "adda", which does not exist. Did you mean "ada"?',
      );
      const circle = {
        "api::book.book": { notes: { title: "A", writer: ref("ada") } },
        "api::writer.writer": { ada: { name: "A", books: [ref("notes")] } },
      };
      expect((await errorOf(test.load(circle))).message).to.include("notes -> ada -> notes");
      expect(await test.app.documents("api::book.book").count()).to.equal(0);
    });

    it("say what is wrong with their data", async () => {
      expect((await errorOf(test.load({ "api::book.book": { notes: { titel: "A" } } }))).message).to.include("titel");
    });
  });
});
