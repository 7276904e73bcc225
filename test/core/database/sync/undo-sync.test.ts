import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { SchemaNotUndoneError } from "#core/database/errors.js";
import { type AppliedSync, undoSync } from "#core/database/sync/sync-database.js";
import type { RawContentType } from "#core/schema/raw.js";
import { eachDatabase } from "../../../databases.js";
import { failureOf, synced } from "./synced.js";

const author = (
  attributes: NonNullable<RawContentType["attributes"]>,
  options: Partial<RawContentType> = {},
): RawContentType => ({
  uid: "api::author.author",
  kind: "collectionType",
  collectionName: "authors",
  info: { singularName: "author", pluralName: "authors", displayName: "Author" },
  attributes,
  ...options,
});
const BIO = { name: { type: "string", unique: true }, bio: { type: "text" }, born: { type: "integer" } } as const;

describe("taking back what a start changed in the tables", () => {
  eachDatabase(({ connect }) => {
    let db: Database;
    const { rows, sync, columns, clear } = synced(() => db);

    before(async () => {
      db = await connect();
    });
    beforeEach(clear);

    async function syncAndTell(types: RawContentType[]): Promise<AppliedSync> {
      let told: AppliedSync | undefined;
      await sync(types, [], { applied: (applied) => (told = applied) });
      if (!told) throw new Error("Nothing was changed.");
      return told;
    }

    /** Everything that a start of the old version would look at. */
    const state = async () => ({
      columns: await columns("authors"),
      indexes: await rows("select indexname, indexdef from pg_indexes where schemaname = current_schema() order by 1"),
      content: await rows("select name, bio, born from authors"),
      snapshot: await rows("select snapshot::text, hash from plinth_schema"),
    });

    it("renamed, added and widened attributes and new types go back, with all content and indexes", async () => {
      await sync([author(BIO)]);
      await rows(
        "insert into authors (document_id, published_at, name, bio, born) values ('a', now(), 'Ada', 'Wrote it', 1815)",
      );
      const before = await state();
      const tag = { ...author({ label: { type: "string" } }), uid: "api::tag.tag", collectionName: "tags" };
      const applied = await syncAndTell([
        author(
          {
            fullName: { type: "string", renamedFrom: "name" },
            about: { type: "text", renamedFrom: "bio" },
            born: { type: "biginteger" },
            site: { type: "string", unique: true },
          },
          { collectionName: "writers", renamedFrom: "authors" },
        ),
        { ...tag, info: { singularName: "tag", pluralName: "tags", displayName: "Tag" } },
      ]);
      expect(await columns("authors")).to.deep.equal({});
      await undoSync(db, applied);
      expect(await state()).to.deep.equal(before);
      expect(await columns("tags")).to.deep.equal({});
      await sync([author(BIO)], [], { applied: () => expect.fail("the old version finds something to do") });
    });

    it("a change that cannot be taken back stays, whole, and is named (PLINTH_SCHEMA_NOT_UNDONE)", async () => {
      await sync([author(BIO)]);
      const applied = await syncAndTell([
        author({ ...BIO, site: { type: "string" } }, { options: { draftAndPublish: true } }),
      ]);
      const failure = await failureOf(undoSync(db, applied));
      expect(failure).to.satisfy(SchemaNotUndoneError.is);
      expect((failure as Error).message).to.contain("add drafts authors: draft & publish is on now");
      expect(await columns("authors")).to.have.property("site");
    });

    it("what another process changed since is left alone", async () => {
      await sync([author(BIO)]);
      const applied = await syncAndTell([author({ ...BIO, site: { type: "string" } })]);
      await sync([author({ ...BIO, site: { type: "string" }, city: { type: "string" } })]);
      const failure = await failureOf(undoSync(db, applied));
      expect((failure as Error).message).to.contain("another process has changed them since");
      expect(await columns("authors")).to.include.keys("site", "city");
    });

    it("in development, what was added and never filled is removed again without a question", async () => {
      const friend = { type: "relation", relation: "manyToMany", target: "api::author.author" } as const;
      await sync([author({ ...BIO, site: { type: "string" }, friends: friend })]);
      const dropped = await failureOf(sync([author(BIO)], [], { dropsEmpty: true }));
      expect(dropped).to.equal(undefined);
      expect(await columns("authors")).to.not.have.property("site");
    });

    it("in development, what has content is refused as ever, and so is what is empty elsewhere", async () => {
      await sync([author({ ...BIO, site: { type: "string" } })]);
      expect((await failureOf(sync([author(BIO)]))) as Error).to.have.property("code", "PLINTH_SCHEMA_DESTRUCTIVE");
      await rows("insert into authors (document_id, published_at, site) values ('a', now(), 'https://example.org')");
      const failure = (await failureOf(sync([author(BIO)], [], { dropsEmpty: true }))) as Error;
      expect(failure).to.have.property("code", "PLINTH_SCHEMA_DESTRUCTIVE");
      expect(await columns("authors")).to.have.property("site");
    });
  });
});
