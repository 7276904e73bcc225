import { readFileSync } from "node:fs";
import { expect } from "chai";
import { createReader } from "#core/database/reads/reader.js";
import type { Database } from "#core/database/driver/database.js";
import { syncDatabase } from "#core/database/sync/sync-database.js";
import { eachDatabase } from "../../../databases.js";
import { libraryModel } from "./library.js";
import { fillLibrary } from "./library-rows.js";
import { reads } from "./reads.js";

interface Expected {
  readonly data: unknown;
  readonly total?: number;
}

const results = JSON.parse(readFileSync(new URL("./results.json", import.meta.url), "utf8")) as Record<
  string,
  Expected
>;

describe("the same statements on rows", () => {
  eachDatabase(({ connect }) => {
    let db: Database;
    let reader: ReturnType<typeof createReader>;

    before(async () => {
      db = await connect();
      const layout = await syncDatabase(db, libraryModel);
      await fillLibrary(db, layout);
      reader = createReader(db, layout);
    });

    for (const { title, query, values } of reads) {
      it(title, async () => {
        const { text, total } = await reader.read({ query, values });
        expect({ data: JSON.parse(text), ...(total === undefined ? {} : { total }) }).to.deep.equal(results[title]);
      });
    }

    it("shows the same on a long page, whose relations are read for all rows at once", async () => {
      for (const { title, query, values } of reads.filter((read) => !read.query.isOne)) {
        const page = query.page ?? { start: values.length, limit: values.length + 1 };
        const { text } = await reader.read({
          query: { ...query, page: { ...page, isLong: true } },
          values: query.page ? values : [...values, 0, 1000],
        });
        expect(JSON.parse(text), title).to.deep.equal(results[title]?.data);
      }
    });

    it("counts what the conditions match, whatever the page", async () => {
      const [page] = reads;
      expect(await reader.count(page!)).to.equal(2);
    });

    it("asks the database once for a list with everything populated and its total", async () => {
      const before = db.statementCount;
      await reader.read(reads[0]!);
      expect(db.statementCount - before).to.equal(1);
    });
  });
});
