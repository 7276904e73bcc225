import { expect } from "chai";
import type { Database } from "#core/database/driver/database.js";
import { SchemaDestructiveError, SchemaStepError } from "#core/database/errors.js";
import { eachDatabase } from "../../../databases.js";
import { type Attributes, type } from "../../schema/raw-schemas.js";
import { failureOf, synced } from "./synced.js";

const LOSS = { allowDataLoss: true };
const MANY = { type: "relation", relation: "oneToMany", target: "api::post.post" };
const ONE = { type: "relation", relation: "manyToOne", target: "api::post.post" };

describe("changes of a content-type", () => {
  eachDatabase(({ connect }) => {
    let db: Database;
    const { rows, sync, columns, clear } = synced(() => db);
    const post = (attributes: Attributes, more = {}) => type("post", attributes, more);
    const links = () => rows("select attribute, target from posts_links order by 1, 2");
    before(async () => {
      db = await connect();
    });
    beforeEach(clear);

    const lossOf = async (work: Promise<unknown>) => {
      const failure = await failureOf(work);
      if (!SchemaDestructiveError.is(failure)) throw failure ?? new RangeError("nothing was refused");
      return failure.details.steps.map(({ kind, table, column }) =>
        [kind, table, ...(column ? [column] : [])].join(" "),
      );
    };

    it("a new attribute is added to the rows that are there", async () => {
      await sync([post({ title: { type: "string" } })]);
      await rows("insert into posts (document_id, title) values ('a', 'A')");
      await sync([post({ title: { type: "string" }, views: { type: "integer" }, others: MANY })]);
      expect(await rows("select title, views from posts")).to.deep.equal([{ title: "A", views: null }]);
    });

    it("renaming an attribute keeps its data: values, relations, components", async () => {
      const before = {
        title: { type: "uid" },
        other: ONE,
        owner: { type: "relation", relation: "morphToOne" },
        others: MANY,
      };
      const layout = await sync([post(before)]);
      const code = layout.tables.get("api::post.post")?.codes.get("others");
      await rows("insert into posts (document_id, title, other, owner, owner_type) values ('a', 'A', 'x', 'y', 't')");
      await rows(
        "insert into posts_links (source, attribute, target, position) select id, $1::int, 'z', 1 from posts",
        code,
      );
      const renamed = await sync([
        post({
          name: { ...before.title, renamedFrom: "title" },
          friend: { ...ONE, renamedFrom: "other" },
          holder: { ...before.owner, renamedFrom: "owner" },
          friends: { ...MANY, renamedFrom: "others" },
        }),
      ]);
      expect(await rows("select name, friend, holder, holder_type from posts")).to.deep.equal([
        { name: "A", friend: "x", holder: "y", holder_type: "t" },
      ]);
      expect(renamed.tables.get("api::post.post")?.codes).to.deep.equal(new Map([["friends", code]]));
      expect(await links()).to.deep.equal([{ attribute: code, target: "z" }]);
      const [unique] = await rows("select count(*)::int as n from pg_indexes where indexname = 'posts_name_unique'");
      expect(unique).to.deep.equal({ n: 1 });
    });

    it("a declared rename that was applied may stay in the schema", async () => {
      await sync([post({ title: { type: "string" } })]);
      const renamed = { name: { type: "string", renamedFrom: "title" } };
      await sync([post(renamed)]);
      await rows("insert into posts (document_id, name) values ('a', 'A')");
      await sync([post({ ...renamed, views: { type: "integer" } })]);
      expect(await rows("select name from posts")).to.deep.equal([{ name: "A" }]);
    });

    it("renaming a content-type keeps its rows, links and uniqueness", async () => {
      await sync([post({ slug: { type: "uid" }, others: MANY })]);
      await rows("insert into posts (document_id, slug, published_at) values ('a', 'A', now())");
      await rows("insert into posts_links (source, attribute, target, position) select id, 1, 'z', 1 from posts");
      const collectionName = { collectionName: "entries", renamedFrom: "posts" };
      await sync([post({ slug: { type: "uid" }, others: MANY }, collectionName)]);
      expect(await rows("select slug from entries")).to.deep.equal([{ slug: "A" }]);
      expect(await rows("select target from entries_links")).to.deep.equal([{ target: "z" }]);
      expect(
        await failureOf(rows("insert into entries (document_id, slug, published_at) values ('b', 'A', now())")),
      ).to.have.property("constraint", "entries_slug_unique");
      await sync([post({ slug: { type: "uid" }, others: MANY }, collectionName)]);
      expect(await columns("posts")).to.deep.equal({});
    });

    it("a content-type with another uid on the same table is followed by what points to it", async () => {
      const holder = type("note", {
        about: { type: "relation", relation: "morphToOne" },
        all: { type: "relation", relation: "morphToMany" },
      });
      await sync([holder, type("post", {})]);
      await rows("insert into notes (document_id, about, about_type) values ('n', 'a', 'api::post.post')");
      await rows(
        "insert into notes_links (source, attribute, target, target_type, position) select id, 1, 'a', 'api::post.post', 1 from notes",
      );
      await sync([holder, type("story", {}, { collectionName: "posts" })]);
      expect(await rows("select about_type from notes")).to.deep.equal([{ about_type: "api::story.story" }]);
      expect(await rows("select target_type from notes_links")).to.deep.equal([{ target_type: "api::story.story" }]);
    });

    it("removed attributes and types stop the start, with all that would be lost; nothing is changed", async () => {
      await sync([post({ title: { type: "string" }, other: ONE, others: MANY }), type("page", { all: { ...MANY } })]);
      const before = await columns("posts");
      const loss = await lossOf(sync([post({ fresh: { type: "string" } })]));
      expect(loss).to.have.members([
        "drop column posts title",
        "drop column posts other",
        "delete links posts_links others",
        "drop table pages",
        "drop table pages_links",
      ]);
      expect(await columns("posts")).to.deep.equal(before);
    });

    it("what was refused is applied when data loss is allowed", async () => {
      await sync([post({ title: { type: "string" }, others: MANY, more: MANY }), type("page", { all: { ...MANY } })]);
      await rows("insert into posts (document_id) values ('a')");
      await rows(
        "insert into posts_links (source, attribute, target, position) select id, n, 'z', 1 from posts, generate_series(1, 2) n",
      );
      await sync([post({ more: MANY })], [], LOSS);
      expect(await columns("posts")).to.not.have.property("title");
      expect(await columns("pages")).to.deep.equal({});
      expect(await links()).to.deep.equal([{ attribute: 2, target: "z" }]);
      await sync([post({ title: { type: "string" } })], [], LOSS);
      expect(await columns("posts_links")).to.deep.equal({});
    });

    it("a link code is never given twice", async () => {
      await sync([post({ first: MANY, second: MANY })]);
      await sync([post({ first: MANY })], [], LOSS);
      const layout = await sync([post({ first: MANY, third: MANY, second: MANY })]);
      expect(Object.fromEntries(layout.tables.get("api::post.post")?.codes ?? [])).to.deep.equal({
        first: 1,
        second: 2,
        third: 3,
      });
    });

    it("a type that holds every old value is changed, one that may not is refused", async () => {
      await sync([post({ views: { type: "integer" }, score: { type: "float" }, note: { type: "string" } })]);
      await rows(
        "insert into posts (document_id, views, score, note) values ('a', 7, 1.5, '12'), ('b', null, null, 'no number')",
      );
      await sync([post({ views: { type: "biginteger" }, score: { type: "string" }, note: { type: "string" } })]);
      expect(await rows("select views, score from posts order by id")).to.deep.equal([
        { views: "7", score: "1.5" },
        { views: null, score: null },
      ]);
      const narrower = post({ views: { type: "biginteger" }, score: { type: "string" }, note: { type: "integer" } });
      expect(await lossOf(sync([narrower]))).to.deep.equal(["change column posts note"]);
      await sync([narrower], [], LOSS);
      expect(await rows("select note from posts order by id")).to.deep.equal([{ note: 12 }, { note: null }]);
    });

    it("an attribute of another nature in the same column is refused, and starts empty when data loss is allowed", async () => {
      await sync([post({ other: { type: "uid" } })]);
      await rows("insert into posts (document_id, other) values ('a', 'text')");
      expect(await lossOf(sync([post({ other: ONE })]))).to.deep.equal(["drop column posts other"]);
      await sync([post({ other: ONE })], [], LOSS);
      expect(await rows("select other from posts")).to.deep.equal([{ other: null }]);
      await sync([post({ other: { type: "uid" } })], [], LOSS);
      const [row] = await rows(
        "select count(*)::int as n from pg_indexes where indexname in ('posts_other_unique', 'posts_other_lookup')",
      );
      expect(row).to.deep.equal({ n: 2 });
    });

    it("the order of an inverse list comes and goes with the other side", async () => {
      const one = { ...ONE, inversedBy: "others" };
      await sync([post({ other: ONE })]);
      await rows("insert into posts (document_id, other) values ('a', 'x')");
      await sync([post({ other: one, others: { ...MANY, mappedBy: "other" } })]);
      expect(await columns("posts")).to.have.property("other_position");
      await sync([post({ other: ONE })]);
      expect(await columns("posts")).to.not.have.property("other_position");
      expect(await rows("select other from posts")).to.deep.equal([{ other: "x" }]);
    });

    it("content that does not fit a new rule is named; where others work meanwhile, the phase before stays", async () => {
      await sync([post({ title: { type: "integer" } })]);
      await rows("insert into posts (document_id, title, published_at) values ('a', 5, now()), ('b', 5, now())");
      const failure = await failureOf(
        sync([post({ title: { type: "integer", unique: true }, views: { type: "integer" } })]),
      );
      expect(failure).to.satisfy(SchemaStepError.is);
      expect(failure).to.have.property("message").that.includes("posts.posts_title_unique").and.includes("(5, )");
      expect(Object.hasOwn(await columns("posts"), "views")).to.equal(db.kind === "postgres");
      expect(await rows("select from pg_class where relname = 'posts_title_unique'")).to.deep.equal([]);
      await rows("update posts set title = 6 where document_id = 'b'");
      await sync([post({ title: { type: "integer", unique: true }, views: { type: "integer" } })]);
      expect(await rows("select from pg_class where relname = 'posts_title_unique'")).to.have.length(1);
    });
  });
});
