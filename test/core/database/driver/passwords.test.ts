import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createEnv } from "#core/app/project/env.js";
import { connectDatabase } from "#core/database/driver/connect.js";
import { type PostgresCluster, startCluster } from "../../../postgres-cluster.js";

describe("a password that is read for each connection", () => {
  let cluster: PostgresCluster;
  const folder = mkdtempSync(join(tmpdir(), "plinth-password-"));

  before(async () => {
    cluster = await startCluster(0);
    const [node] = cluster.nodes;
    await node?.ask("create role app login password 'first'");
    await node?.ask(`do $$ begin execute format('copy (values (%L), (%L)) to %L',
      'host all app 127.0.0.1/32 scram-sha-256', 'host all all 127.0.0.1/32 trust', current_setting('hba_file')); end $$`);
    await node?.ask("select pg_reload_conf()");
  });
  after(async () => {
    await cluster.close();
    rmSync(folder, { recursive: true });
  });

  it("is that of the file at the time, so that it can be changed while the app runs", async () => {
    const file = join(folder, "password");
    writeFileSync(file, "first\n");
    const [node] = cluster.nodes;
    const db = await connectDatabase({
      client: "postgres",
      connection: {
        host: "127.0.0.1",
        port: Number(node?.port),
        user: "app",
        database: "postgres",
        password: createEnv({ DATABASE_PASSWORD_FILE: file }).file("DATABASE_PASSWORD"),
      },
      pool: { max: 2, maxLifetime: 1 },
    });
    try {
      await node?.ask("alter role app password 'second'");
      const failure = await db.query({ text: "select 1", values: [] }).catch((error: unknown) => error);
      expect(failure).to.include({ code: "PLINTH_DATABASE_UNREACHABLE" });
      writeFileSync(file, "second\n");
      expect(await db.query({ text: "select 1 as one", values: [] })).to.deep.equal([{ one: 1 }]);
    } finally {
      await db.close();
    }
  });

  it("without a file is the variable's own, and one of both has to be there", async () => {
    expect(await createEnv({ SECRET: "plain" }).file("SECRET")()).to.equal("plain");
    expect(() => createEnv({}).file("SECRET"))
      .to.throw()
      .with.property("code", "PLINTH_CONFIG_ENVIRONMENT");
  });
});
