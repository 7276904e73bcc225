import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestApp, type TestApp } from "@plinth/test-kit";
import { expect } from "chai";
import { doctorCommand } from "#core/cli/doctor-command.js";
import type { Finding } from "#core/database/doctor/finding.js";
import { type PostgresCluster, type PostgresNode, startCluster } from "../../../postgres-cluster.js";
import { runCommand } from "../../../run-command.js";
import { eventually, noteApp } from "../driver/note-app.js";

/** Of a server that was made for tests, and of a Node that is older. */
const OF_TESTS = ["no statistics", "small cache", "end of life"];

describe("plinth doctor, of a server", () => {
  let cluster: PostgresCluster;
  let test: TestApp;
  let primary: PostgresNode;
  // In a folder that the user of the server may look into.
  const flag = join(tmpdir(), `plinth-doctor-${process.pid}-archive-fails`);
  before("start a primary and a standby", async () => {
    cluster = await startCluster(1, {
      ...{ archive_mode: "on", archive_command: `test ! -e ${flag}`, synchronous_commit: "on" },
    });
    primary = cluster.nodes[0] as PostgresNode;
    const [, standby] = cluster.nodes;
    test = await createTestApp(noteApp(primary.url(), { at: [standby!.url()] }, []));
    await eventually(async () => expect(test.app.db.replicas?.usable).to.equal(1));
  });
  after("stop them", async () => {
    await test?.stop();
    await cluster?.close();
    rmSync(flag, { force: true });
  });

  const examine = async ({ app } = test): Promise<readonly Finding[]> => {
    const { stdout } = await runCommand(doctorCommand, app, { options: { json: true } });
    const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
    return findings.filter(({ kind }) => !OF_TESTS.includes(kind));
  };
  const kinds = async () => (await examine()).map(({ weight, kind, where }) => `${weight}: ${kind}: ${where}`);

  it("finds nothing where all is well, and reads everything", async () => {
    expect(await examine()).to.deep.equal([]);
  });

  it("finds a slot that nothing reads, an invalid index and a process of another model", async () => {
    await primary.ask("select pg_create_physical_replication_slot('forgotten', true)");
    await primary.ask("create index notes_half on notes (title)");
    await primary.ask("update pg_index set indisvalid = false where indexrelid = 'notes_half'::regclass");
    await primary.ask(
      "insert into plinth_processes (id, host, version, model) values ('x', 'old.example', '1.0.0', 'another')",
    );
    expect(await kinds()).to.include.members([
      "warning: inactive slot: forgotten",
      "warning: invalid index: notes notes_half",
      "warning: old processes: 1 of 2",
    ]);
    await primary.ask("select pg_drop_replication_slot('forgotten')");
    await primary.ask("drop index notes_half");
    await primary.ask("delete from plinth_processes where id = 'x'");
    expect(await examine()).to.deep.equal([]);
  });

  it("finds more processes than the server has connections for", async () => {
    await primary.ask(
      "insert into plinth_processes (id, host, version, model) select 'many' || g, 'host', '1', (select max(model) from plinth_processes) from generate_series(1, 40) g",
    );
    expect(await kinds()).to.deep.equal(["error: too few connections: max_connections"]);
    await primary.ask("delete from plinth_processes where id like 'many%'");
  });

  it("finds that commits wait for a standby that is away", async () => {
    await primary.ask("alter system set synchronous_standby_names = 'ANY 1 (away)'");
    await primary.ask("select pg_reload_conf()");
    try {
      await eventually(async () => expect(await kinds()).to.include("error: commits wait: synchronous_standby_names"));
    } finally {
      await primary.ask("alter system reset synchronous_standby_names");
      await primary.ask("select pg_reload_conf()");
    }
  });

  it("says what the role may not read, and examines the rest", async () => {
    await primary.ask("create role limited login");
    await primary.ask("create database limited owner limited");
    await primary.ask("revoke select on pg_replication_slots from public", "limited");
    const connection = primary.url("limited").replace("plinth@", "limited@");
    const limited = await createTestApp(noteApp(connection, { at: [] }, []));
    const findings = await examine(limited);
    await limited.stop();
    expect(findings.map(({ kind, where }) => `${kind}: ${where}`)).to.deep.equal(["not examined: slots"]);
  });

  it("finds an archive command that fails", async () => {
    writeFileSync(flag, "");
    await primary.ask("create table something (a int)");
    await primary.ask("select pg_switch_wal()");
    await eventually(async () => expect(await kinds()).to.include("error: archive failures: archive_command"));
  });
});
