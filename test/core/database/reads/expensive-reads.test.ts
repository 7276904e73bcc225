import { expect } from "chai";
import { ExpensiveReads } from "#core/database/reads/expensive-reads.js";
import { connectDatabase, type DatabaseConfig } from "#core/database/driver/connect.js";
import type { Database } from "#core/database/driver/database.js";
import { eachDatabase } from "../../../databases.js";

describe("Expensive reads", () => {
  eachDatabase((database) => {
    let db: Database;
    before(async () => {
      db = await database.connect();
    });

    it("leave connections to others, and are refused where too many wait", async () => {
      const reads = new ExpensiveReads(db);
      const atOnce = Math.max(1, Math.floor(db.connections / 10));
      const sleep = { text: "select pg_sleep(0.02)::text", values: [] };
      const results = await Promise.allSettled(
        Array.from({ length: atOnce * 33 + 3 }, () => reads.read(sleep, 60_000)),
      );
      const refused = results.filter((result) => result.status === "rejected");
      expect(refused.map(({ reason }) => (reason as { code: string }).code)).to.deep.equal(
        Array.from({ length: 3 }, () => "PLINTH_READ_BUSY"),
      );
      expect(await reads.read({ text: "select 1 as one", values: [] }, 60_000)).to.deep.equal([{ one: 1 }]);
    });

    if (database.kind === "postgres")
      it("end after their time, give their place back, and leave the settings of their session as they were", async () => {
        const one = await connectDatabase({ ...database.config(), pool: { max: 1 } } as DatabaseConfig);
        const settings = () => one.query({ text: "select name, setting from pg_settings order by name", values: [] });
        const before = await settings();
        const reads = new ExpensiveReads(one);
        for (let i = 0; i < 5; i += 1) {
          const failure = await reads
            .read({ text: "select pg_sleep(30)", values: [] }, 50)
            .catch((error: Error) => error);
          expect(failure).to.include({ code: "PLINTH_DATABASE_TIMEOUT", status: 503 });
        }
        await reads.read({ text: "select 1", values: [] }, 50);
        expect(await settings()).to.deep.equal(before);
        await one.close();
      });
  });
});
