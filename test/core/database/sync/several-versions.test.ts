import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import pg from "pg";
import type { Database } from "#core/database/driver/database.js";
import { SchemaDestructiveError } from "#core/database/errors.js";
import { SchemaByCommandError, SchemaDiffersError } from "#core/database/sync/errors.js";
import type { BackgroundIndexes } from "#core/database/sync/background-indexes.js";
import type { RawContentType } from "#core/schema/raw.js";
import { serverDatabase } from "../../../databases.js";
import { timeOf } from "../../../usual-time.js";
import { failureOf, synced } from "./synced.js";

const post = (attributes: NonNullable<RawContentType["attributes"]>): RawContentType[] => [
  {
    uid: "api::post.post",
    kind: "collectionType",
    collectionName: "posts",
    info: { singularName: "post", pluralName: "posts", displayName: "Post" },
    attributes,
  },
];
/** Milliseconds that a change of tables waits for its lock before it lets others by. */
const LOCK_TIMEOUT = 250;
const TITLE = { title: { type: "string" } } as const;
const OLD = post(TITLE);
const NEW = post({ ...TITLE, views: { type: "integer", index: true } });
/** The next version no longer has the title. */
const LATER = post({ views: { type: "integer", index: true } });

describe("tables that several versions use", () => {
  const database = serverDatabase();
  if (!database) return;
  let db: Database;
  const { rows, sync, columns, clear } = synced(() => db);
  const logged: string[] = [];
  const works: BackgroundIndexes[] = [];
  const start = {
    log: { warn: (_details: object, message: string) => void logged.push(message) },
    goesOn: (work: BackgroundIndexes) => void works.push(work),
  };
  const isIndexed = async (name: string) =>
    (
      await rows(
        "select from pg_class c join pg_index i on i.indexrelid = c.oid where relname = $1 and indisvalid",
        name,
      )
    ).length === 1;

  before(async () => {
    db = await database.connect();
  });
  beforeEach(async () => {
    logged.length = 0;
    for (const { done } of works.splice(0)) await done;
    await clear();
  });

  /** A transaction that has read the table and stays open. */
  async function readerOf(table: string): Promise<{ end(): Promise<void> }> {
    const config = database?.config() as { connection: string };
    const client = new pg.Client({ connectionString: config.connection });
    await client.connect();
    await client.query("begin isolation level repeatable read");
    await client.query(`select * from ${table}`);
    return {
      end: async () => {
        await client.query("commit");
        await client.end();
      },
    };
  }

  describe("a start of the older one", () => {
    it("leaves newer tables as they are, and says so", async () => {
      await sync(OLD);
      await sync(NEW);
      const layout = await sync(OLD, [], { start });
      expect(logged.join()).to.include("newer version");
      expect(await columns("posts")).to.have.property("views");
      expect(layout.carried?.of("posts").columns).to.deep.equal(["views"]);
      expect(await isIndexed("posts_views_index")).to.equal(true);
    });

    it("is refused as before where its model was never applied", async () => {
      await sync(NEW);
      expect(await failureOf(sync(OLD, [], { start }))).to.satisfy(SchemaDestructiveError.is);
    });

    it("is refused where the newer one has taken away what it needs", async () => {
      await sync(OLD);
      await sync(LATER, [], { allowDataLoss: true });
      expect(await failureOf(sync(OLD, [], { start }))).to.satisfy(SchemaDestructiveError.is);
    });
  });

  describe("schema.sync", () => {
    it("additive: adds, leaves what is gone until it is taken away by command", async () => {
      await sync(post({ ...TITLE, old: { type: "string", unique: true } }), [], { mode: "additive" });
      await sync(NEW, [], { mode: "additive", start });
      expect(await columns("posts")).to.include.keys("old", "views");
      expect(await isIndexed("posts_old_unique")).to.equal(true);
      // Until the index is there, more than removals is left to do.
      for (const { done } of works) await done;
      await sync(NEW, [], { mode: "additive", start });
      expect(logged.join()).to.include("plinth schema apply --allow-data-loss");
      await sync(NEW, [], { mode: "additive", allowDataLoss: true });
      expect(await columns("posts")).to.not.have.property("old");
      logged.length = 0;
      await sync(NEW, [], { mode: "additive", start });
      expect(logged).to.deep.equal([]);
    });

    it("additive: an attribute that changes its kind is refused, for it cannot be both", async () => {
      await sync(OLD);
      const changed = post({ title: { type: "json" } });
      expect(await failureOf(sync(changed, [], { mode: "additive", start }))).to.satisfy(SchemaDestructiveError.is);
    });

    it("check: refuses every difference, and starts with what a command has applied", async () => {
      await sync(OLD);
      const failure = await failureOf(sync(NEW, [], { mode: "check", start }));
      expect(failure).to.satisfy(SchemaDiffersError.is);
      expect(String(failure)).to.include("add column posts.views");
      await sync(NEW, [], { mode: "additive" });
      await sync(NEW, [], { mode: "check", start });
      await sync(OLD, [], { mode: "check", start });
    });

    it("a start in production rewrites no content; a command does", async () => {
      await sync(OLD);
      const renamed = post({ headline: { type: "string", renamedFrom: "title" } });
      const failure = await failureOf(sync(renamed, [], { mayRewrite: false, start }));
      expect(failure).to.satisfy(SchemaByCommandError.is);
      await sync(renamed);
      expect(await columns("posts")).to.have.property("headline");
    });
  });

  describe("phases", () => {
    it("a long reader delays the change, and nobody who reads after it", async () => {
      await sync(OLD);
      const reader = await readerOf("posts");
      const changed = sync(NEW);
      let [longest, usual] = [0, 0];
      for (let turn = 0; turn < 30; turn += 1) {
        longest = Math.max(longest, await timeOf(() => rows("select * from posts")));
        usual = Math.max(usual, await timeOf(() => rows("select 1")));
        await sleep(50);
      }
      expect(await columns("posts")).to.not.have.property("views");
      await reader.end();
      await changed;
      expect(await columns("posts")).to.have.property("views");
      // No longer than the change waits for its lock; what needs no lock may be late on a busy machine, too.
      expect(longest).to.be.below(LOCK_TIMEOUT + 150 + 2 * usual);
    });

    it("a start does not wait for an index that makes reads faster, and makes it", async () => {
      await sync(OLD);
      await rows("alter table posts add column views integer");
      const reader = await readerOf("posts");
      await sync(NEW, [], { start });
      expect(works).to.have.length(1);
      expect(await isIndexed("posts_views_index")).to.equal(false);
      await reader.end();
      await works[0]?.done;
      expect(await isIndexed("posts_views_index")).to.equal(true);
    });

    it("another start goes on while the first makes an index; a stop ends it, and the next one makes it again", async () => {
      await sync(OLD);
      await rows("alter table posts add column views integer");
      const reader = await readerOf("posts");
      await sync(NEW, [], { start });
      await sync(NEW, [], { start });
      expect(works).to.have.length(1);
      await works[0]?.stop();
      await reader.end();
      await works[0]?.done;
      expect(await isIndexed("posts_views_index")).to.equal(false);
      await sync(NEW);
      expect(await isIndexed("posts_views_index")).to.equal(true);
    });

    it("an index that could not be finished is made again", async () => {
      await sync(OLD);
      await sync(NEW);
      await rows("update pg_index set indisvalid = false where indexrelid = 'posts_views_index'::regclass");
      await sync(NEW);
      expect(await isIndexed("posts_views_index")).to.equal(true);
    });

    it("changes of many processes at once come one after another", async () => {
      await sync(OLD);
      const others = await Promise.all([1, 2, 3].map(() => database.connect()));
      await Promise.all([sync(NEW), ...others.map((other) => synced(() => other).sync(NEW))]);
      expect(await columns("posts")).to.have.property("views");
      expect(await isIndexed("posts_views_index")).to.equal(true);
    });
  });
});
