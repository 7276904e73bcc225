import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { SchemaDestructiveError } from "#core/database/errors.js";
import type { RawContentType } from "#core/schema/raw.js";
import { eachDatabase } from "../../../databases.js";
import { type } from "../../schema/raw-schemas.js";
import { DRAFTS, failureOf, LOCALIZED, synced } from "./synced.js";

const attributes = {
  title: { type: "string" },
  others: { type: "relation", relation: "oneToMany", target: "api::post.post" },
};
const plain = type("post", attributes);
const drafts = type("post", attributes, DRAFTS);
const localized = type("post", attributes, LOCALIZED);

describe("draft & publish and localisation, turned on and off", () => {
  eachDatabase(({ connect }) => {
    let db: Database;
    const { rows, sync, clear } = synced(() => db);
    before(async () => {
      db = await connect();
    });
    beforeEach(clear);

    const refusedThenApplied = async (post: RawContentType) => {
      expect(await failureOf(sync([post]))).to.satisfy(SchemaDestructiveError.is);
      await sync([post], [], { allowDataLoss: true });
    };
    /** `a:published:title` per row. */
    const versions = async () => {
      const found = await rows(
        "select concat_ws(':', document_id, nullif(locale, ''), case when published_at is null then 'draft' else 'published' end, title) as version from posts order by 1",
      );
      return found.map(({ version }) => version);
    };
    const insert = (document: string, locale: string, title: string, [published, updated]: [number | null, number]) =>
      rows(
        "insert into posts (document_id, locale, title, published_at, updated_at) values ($1, $2, $3, to_timestamp($4::float8), to_timestamp($5::float8))",
        document,
        locale,
        title,
        published,
        updated,
      );

    it("turned on, every document stays published and gets a draft like it, links included", async () => {
      await sync([plain]);
      await insert("a", "", "A", [1, 1]);
      await rows("insert into posts_links (source, attribute, target, position) select id, 1, 'z', 1 from posts");
      await sync([drafts]);
      expect(await versions()).to.deep.equal(["a:draft:A", "a:published:A"]);
      expect(
        await rows(
          "select p.published_at is null as draft, l.target from posts p join posts_links l on l.source = p.id order by 1",
        ),
      ).to.deep.equal([
        { draft: false, target: "z" },
        { draft: true, target: "z" },
      ]);
    });

    it("turned off, drafts that equal what is published go without a question", async () => {
      await sync([drafts]);
      await insert("a", "", "A", [1, 1]);
      await insert("a", "", "A", [null, 1]);
      await sync([plain]);
      expect(await versions()).to.deep.equal(["a:published:A"]);
    });

    it("turned off, changed and unpublished drafts are refused; allowed, the newer version stays", async () => {
      await sync([drafts]);
      await insert("a", "", "old", [1, 1]);
      await insert("a", "", "new", [null, 2]);
      await insert("b", "", "only draft", [null, 1]);
      await refusedThenApplied(plain);
      expect(await versions()).to.deep.equal(["a:published:new", "b:published:only draft"]);
    });

    it("turned off, drafts that differ in a link or in a value that a write elsewhere gave them are kept", async () => {
      await sync([drafts]);
      for (const published of [1, null])
        for (const document of ["a", "b", "c"]) await insert(document, "", "same", [published, 1]);
      await rows("update posts set title = 'shared' where document_id = 'a' and published_at is null");
      await rows(
        "insert into posts_links (source, attribute, target, position) select id, 1, 'z', 1 from posts where document_id = 'b' and published_at is null",
      );
      await refusedThenApplied(plain);
      expect(await versions()).to.deep.equal(["a:published:shared", "b:published:same", "c:published:same"]);
      expect(await rows("select target from posts_links")).to.deep.equal([{ target: "z" }]);
    });

    it("turned off, a draft that was saved and not changed goes without a question", async () => {
      await sync([drafts]);
      await insert("a", "", "A", [1, 1]);
      await insert("a", "", "A", [null, 2]);
      await sync([plain]);
      expect(await versions()).to.deep.equal(["a:published:A"]);
    });

    it("values that components keep unique stay claimed, in the locale that the content is in", async () => {
      const claim = (document: string, locale: string) =>
        rows(
          "insert into plinth_component_uniques (type, path, locale, hash, document_id) values ('api::post.post', 'seo.slug', $1, $2, $2)",
          locale,
          document,
        );
      const claims = async () =>
        (
          await rows("select concat_ws(':', document_id, locale) as claim from plinth_component_uniques order by 1")
        ).map((row) => row["claim"]);
      await sync([plain]);
      await insert("a", "", "A", [1, 1]);
      await claim("a", "");
      await sync([localized]);
      expect(await claims()).to.deep.equal(["a:en"]);
      await insert("a", "fr", "A", [1, 1]);
      await claim("b", "fr");
      await sync([plain], [], { allowDataLoss: true });
      expect(await claims()).to.deep.equal(["a:"]);
    });

    it("localisation turned on puts all content into the default locale", async () => {
      await sync([plain]);
      await insert("a", "", "A", [1, 1]);
      await sync([localized]);
      expect(await versions()).to.deep.equal(["a:en:published:A"]);
    });

    it("localisation turned off goes back without a question when there is the default locale only", async () => {
      await sync([localized]);
      await insert("a", "en", "A", [1, 1]);
      await sync([plain]);
      expect(await versions()).to.deep.equal(["a:published:A"]);
    });

    it("localisation turned off is refused while there are other locales; allowed, each document keeps one", async () => {
      await sync([localized]);
      await insert("a", "en", "english", [1, 1]);
      await insert("a", "de", "german", [1, 1]);
      await insert("b", "fr", "french", [1, 1]);
      await insert("b", "de", "german", [1, 1]);
      await refusedThenApplied(plain);
      expect(await versions()).to.deep.equal(["a:published:english", "b:published:german"]);
    });

    it("an attribute that becomes shared is refused while locales differ in it; allowed, the default locale's stays", async () => {
      const own = {
        title: { type: "string", ...LOCALIZED },
        pictures: { type: "media", multiple: true, ...LOCALIZED },
      };
      const shared = { title: { type: "string" }, pictures: { type: "media", multiple: true } };
      await sync([type("post", own, LOCALIZED)]);
      await insert("a", "fr", "titre", [1, 1]);
      await insert("a", "en", "title", [1, 1]);
      await insert("b", "de", "Titel", [1, 1]);
      await rows(
        "insert into posts_links (source, attribute, target, position) select id, 1, document_id || locale, 1 from posts",
      );
      await refusedThenApplied(type("post", shared, LOCALIZED));
      expect(await versions()).to.deep.equal(["a:en:published:title", "a:fr:published:title", "b:de:published:Titel"]);
      expect(
        await rows("select p.locale, l.target from posts p join posts_links l on l.source = p.id order by 1"),
      ).to.deep.equal([
        { locale: "de", target: "bde" },
        { locale: "en", target: "aen" },
        { locale: "fr", target: "aen" },
      ]);
      await sync([type("post", own, LOCALIZED)]);
      expect(await versions()).to.deep.equal(["a:en:published:title", "a:fr:published:title", "b:de:published:Titel"]);
      await sync([type("post", shared, LOCALIZED)]);
    });
  });
});
