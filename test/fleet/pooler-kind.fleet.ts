import { expect } from "chai";
import knex from "knex";
import { findPoolerKind } from "#core/database/doctor/pooler-kind.js";
import { serverDatabase } from "../databases.js";
import { startPooler } from "./pgbouncer.js";

const found = serverDatabase();
if (!found) throw new Error("These tests need a server: npm run test:fleet starts one.");
const direct = (found.config() as { connection: string }).connection;

describe("plinth doctor, of what is between an app and its server", () => {
  const kindsBehind = async (connection: string): Promise<ReadonlySet<string>> => {
    const pool = knex({ client: "pg", connection, pool: { min: 2, max: 4 } });
    const kinds = new Set<string>();
    try {
      for (let i = 0; i < 20; i += 1) kinds.add(await findPoolerKind({ knex: pool }));
    } finally {
      await pool.destroy();
    }
    return kinds;
  };

  it("knows that there is no pooler", async () => {
    expect([...(await kindsBehind(direct))]).to.deep.equal(["none"]);
  });

  for (const mode of ["session", "transaction"])
    it(`knows a pooler by ${mode}, 20 of 20 times`, async () => {
      const settings = { pool_mode: mode, default_pool_size: 8 };
      const pooler = await startPooler({ to: direct, settings });
      try {
        const kinds = await kindsBehind(pooler.url({ user: "plinth" }));
        console.log(`[fleet] pooler kind: ${[...kinds].join(", ")} behind a pooler by ${mode}`);
        expect([...kinds]).to.deep.equal([mode]);
      } finally {
        await pooler.close();
      }
    });
});
