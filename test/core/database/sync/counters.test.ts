import { expect } from "chai";
import { createReader } from "../../../../core/src/database/reads/reader.js";
import type { Database } from "../../../../core/src/database/driver/database.js";
import type { Layout } from "../../../../core/src/database/layout/layout.js";
import { eachDatabase } from "../../../databases.js";
import { type } from "../../schema/raw-schemas.js";
import { synced } from "./synced.js";

describe("counters of content-types", () => {
  eachDatabase(({ connect }) => {
    let db: Database;
    const { rows, sync, clear } = synced(() => db);
    before(async () => {
      db = await connect();
    });
    beforeEach(clear);

    const count = (layout: Layout, uid: string) => {
      const selection = { fields: ["id"], populate: [] };
      const list = { status: "published", locale: undefined, isOne: false, sort: [], selection, count: false } as const;
      return createReader(db, layout).count({ query: { type: uid, ...list }, values: ["en"] });
    };
    const post = (more = {}) => type("post", { title: { type: "string" } }, more);
    const insert = (table: string, id: string) =>
      rows(`insert into ${table} (document_id, published_at) values ($1, now())`, id);

    it("a table from before there were any is counted when the app starts", async () => {
      await sync([post()]);
      await insert("posts", "a");
      await rows("drop table plinth_counts");
      await rows("drop function plinth_count_rows() cascade");
      await rows("drop function plinth_count_changes() cascade");
      await rows("drop function plinth_fold_counts(text)");
      const layout = await sync([post()]);
      await insert("posts", "b");
      expect(await count(layout, "api::post.post")).to.equal(2);
    });

    it("a type that is renamed keeps its total, and goes on", async () => {
      await sync([post()]);
      await insert("posts", "a");
      const layout = await sync([type("note", { title: { type: "string" } }, { renamedFrom: "posts" })]);
      await insert("notes", "b");
      expect(await count(layout, "api::note.note")).to.equal(2);
    });

    it("a type that was removed and comes again begins with nothing", async () => {
      await sync([post()]);
      await insert("posts", "a");
      await sync([], [], { allowDataLoss: true });
      const layout = await sync([post()]);
      expect(await count(layout, "api::post.post")).to.equal(0);
      await insert("posts", "b");
      expect(await count(layout, "api::post.post")).to.equal(1);
    });
  });
});
