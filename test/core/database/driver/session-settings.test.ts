import { randomBytes } from "node:crypto";
import { expect } from "chai";
import type { PostgresConfig } from "#core/database/driver/config.js";
import { connectDatabase } from "#core/database/driver/connect.js";
import { giveRoleSettings } from "#core/database/driver/role-settings.js";
import { startupOptions } from "#core/database/driver/session-settings.js";
import { eachDatabase } from "../../../databases.js";

const sql = (text: string, ...values: unknown[]) => ({ text, values });

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("the settings of sessions", () => {
  it("are written so that PostgreSQL reads values with spaces, quotes and backslashes as they are", () => {
    expect(startupOptions({ datestyle: "ISO, YMD", search_path: '"a \\b"' })).to.equal(
      '-c datestyle=ISO,\\ YMD -c search_path="a\\ \\\\b"',
    );
  });

  eachDatabase((database) => {
    const config = database.config() as PostgresConfig;
    if (database.kind !== "postgres") return;

    it("travel with the connection, so that nothing is changed in the session afterwards", async () => {
      const db = await connectDatabase({ ...config, schema: 'odd "name\\ here', statementTimeout: 1234 });
      const rows = await db.query(
        sql(`select name, setting, source from pg_settings where name in
          ('search_path', 'plan_cache_mode', 'statement_timeout', 'idle_in_transaction_session_timeout') order by name`),
      );
      expect(rows).to.deep.equal([
        { name: "idle_in_transaction_session_timeout", setting: "60000", source: "client" },
        { name: "plan_cache_mode", setting: "force_generic_plan", source: "client" },
        { name: "search_path", setting: '"odd ""name\\ here"', source: "client" },
        { name: "statement_timeout", setting: "1234", source: "client" },
      ]);
      expect(await db.query(sql("select current_schema() as name"))).to.deep.equal([{ name: 'odd "name\\ here' }]);
      await db.close();
    });

    it("stand beside those that the address asks for", async () => {
      const url = new URL(String(config.connection));
      url.searchParams.set("options", "-c work_mem=12345");
      const db = await connectDatabase({ ...config, connection: url.href });
      const asked = sql("select current_setting('work_mem') as memory, current_setting('jit') as jit");
      expect(await db.query(asked)).to.deep.equal([{ memory: "12345kB", jit: "off" }]);
      await db.close();
    });

    it("are those of the role behind a pooler, and an app whose role lacks them does not start", async () => {
      const role = `plinth_${randomBytes(4).toString("hex")}`;
      const owner = await database.connect();
      const url = new URL(String(config.connection));
      await owner.query(sql(`create role ${role} login`));
      await owner.query(sql(`grant create on database ${url.pathname.slice(1)} to ${role}`));
      url.username = role;
      const pooled: PostgresConfig = {
        client: "postgres",
        connection: url.href,
        listen: url.href,
        pooler: "transaction",
        schema: role,
      };
      const { listen: _, ...incomplete } = pooled;
      expect(await failureOf(connectDatabase(incomplete))).to.include({ code: "PLINTH_DATABASE_LISTEN_MISSING" });
      expect(await failureOf(connectDatabase(pooled)))
        .to.include({ code: "PLINTH_DATABASE_SESSION_DIFFERS", status: 503 })
        .and.have.nested.property("details.differences")
        .that.deep.includes({ name: "jit", expected: "off", found: "on" });
      const shown = await giveRoleSettings(pooled, { apply: false });
      expect(shown.join("; ")).to.include(`in database "${url.pathname.slice(1)}" set search_path = "${role}"`);
      expect(await failureOf(connectDatabase(pooled))).to.include({ code: "PLINTH_DATABASE_SESSION_DIFFERS" });
      expect(await giveRoleSettings(pooled, { apply: true })).to.deep.equal(shown);
      const db = await connectDatabase(pooled);
      const names = sql("select count(*)::int as names from pg_prepared_statements");
      for (let i = 0; i < 3; i += 1) await db.query({ ...sql("select 1"), isPlan: true });
      expect(await db.query(names)).to.deep.equal([{ names: 0 }]);
      await db.close();
      expect(await failureOf(connectDatabase({ ...pooled, schema: "another" }))).to.include({
        code: "PLINTH_DATABASE_SESSION_DIFFERS",
      });
      await owner.query(sql(`drop owned by ${role} cascade`));
      await owner.query(sql(`drop role ${role}`));
    });
  });
});
