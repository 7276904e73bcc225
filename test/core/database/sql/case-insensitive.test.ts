import { expect } from "chai";
import { caseInsensitiveSql } from "#core/database/sql/sql.js";
import { syncDatabase } from "#core/database/sync/sync-database.js";
import { eachDatabase } from "../../../databases.js";
import { modelOf } from "../../schema/raw-schemas.js";

describe("case-insensitive comparison", () => {
  eachDatabase(({ connect }) => {
    it("letters of every script lose their case, not only those of ASCII", async () => {
      const db = await connect();
      await syncDatabase(db, modelOf([]));
      for (const [text, folded] of [
        ["ÄÖÜ", "äöü"],
        ["ЖИЗНЬ", "жизнь"],
        ["ΔΕΛΤΑ", "δελτα"],
        ["Straße", "straße"],
      ] as const) {
        const [row] = await db.query<{ folded: string }>({
          text: `select ${caseInsensitiveSql("$1::text")} as folded`,
          values: [text],
        });
        expect(row?.folded).to.equal(folded);
      }
    });
  });
});
