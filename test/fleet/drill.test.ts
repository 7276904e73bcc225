import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { DrillReport } from "#core/app/drill/run-drill.js";
import { archiveProject, fill, whileServed } from "../core/app/archive/archive-project.js";
import { runPlinth } from "../core/cli/plinth-command.js";
import type { TestDatabase } from "../databases.js";
import { type PostgresCluster, type PostgresNode, startCluster } from "../postgres-cluster.js";
import { LONGEST_WAIT } from "../longest-wait.js";

/** Sends what a restore command is told to the test, and ends as it answers. */
const TELL = `node -e "fetch(process.argv[1], { method: 'POST', body: process.env.PLINTH_DRILL_POSITION }).then(({ ok }) => process.exit(ok ? 0 : 1))"`;

type Result = DrillReport & { readonly failures: readonly string[] };

/** What a base backup is restored with. */
interface Recovery {
  readonly backup: string;
  readonly wal: string;
}

/** A service that restores: what pgBackRest or barman would be called to do. */
async function restorer(node: PostgresNode, { backup, wal }: Recovery): Promise<Server> {
  const server = createServer((request, response) => {
    let position = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      position += text;
    });
    request.on("end", async () => {
      const target =
        request.url === "/latest" ? {} : { recovery_target_lsn: position, recovery_target_inclusive: "off" };
      await node.kill();
      const failure = await node
        .recover(backup, { restore_command: `cp ${wal}/%f %p`, archive_mode: "off", ...target })
        .catch((error: Error) => error.message);
      response.writeHead(failure ? 500 : 200).end(failure);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

describe("a drill of a base backup and its archived log", function () {
  this.timeout(600_000);
  const place = mkdtempSync(join(tmpdir(), "plinth-drill-test-"));
  let cluster: PostgresCluster;
  let primary: PostgresNode;
  let spare: PostgresNode;
  let root: string;
  let server: Server;
  let [began, lostAt] = [0, 0];

  const tagged = (name: string) =>
    whileServed(root, ({ app }) => app.documents("api::tag.tag").create({ data: { name } }));

  async function exportTo(name: string): Promise<string> {
    const { code, stderr } = await runPlinth(["export", join(place, name), "--with-secrets"], { cwd: root });
    expect(code, stderr).to.equal(0);
    return join(place, name);
  }

  /** Ends a file of the log, and waits until it is archived. */
  async function archiveLog(wal: string): Promise<void> {
    const [row] = await primary.ask<{ name: string }>("select pg_walfile_name(pg_switch_wal()) as name");
    for (const end = Date.now() + LONGEST_WAIT; !existsSync(join(wal, String(row?.name))); await sleep(50))
      if (Date.now() > end) throw new Error(`${row?.name} was not archived`);
  }

  before("write, base backup, archive, write, destroy", async () => {
    cluster = await startCluster(0, { archive_mode: "on", synchronous_commit: "on" });
    primary = cluster.nodes[0] as PostgresNode;
    const wal = cluster.folder();
    await primary.ask(`alter system set archive_command = 'cp %p ${wal}/%f'`);
    await primary.ask("select pg_reload_conf()");
    began = Date.now();
    const config = () => ({ client: "postgres", connection: primary.url() }) as const;
    root = archiveProject([], { config } as unknown as TestDatabase);
    await whileServed(root, fill);
    const backup = join(place, "base");
    await primary.backUp(backup);
    await tagged("after the base backup");
    await exportTo("one.tar.gz");
    await tagged("after the archive");
    await archiveLog(wal);
    await tagged("never archived by PostgreSQL");
    await exportTo("two.tar.gz");
    await primary.kill();
    lostAt = Date.now();
    spare = await cluster.spare();
    server = await restorer(spare, { backup, wal });
  });
  after(async () => {
    server?.close();
    await cluster?.close();
  });

  async function drill(archive: string, path: string): Promise<{ code: number | null; report: Result }> {
    const command = `${TELL} http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const args = ["drill", join(place, archive), "--database", spare.url(), "--restore", command, "--json"];
    const { code, stdout, stderr } = await runPlinth(args, { cwd: root });
    expect(stdout, stderr).to.match(/^\{/);
    return { code, report: JSON.parse(stdout) as Result };
  }

  it("restores to a moment, starts, and finds the content of that moment", async () => {
    const { code, report } = await drill("one.tar.gz", "/");
    expect(report.failures).to.deep.equal([]);
    expect(code).to.equal(0);
    expect(report.foundHash).to.equal(report.wantedHash);
    expect(report.rpo).to.equal(0);
    const names = await spare.ask<{ name: string }>("select name from tags order by name");
    expect(names.map(({ name }) => name)).to.deep.equal(["after the base backup", "one", "two"]);
    console.log(
      `[fleet] drill: ${report.versions} versions, hash equal, RPO ${report.rpo} s, RTO ${report.rto.toFixed(1)} s`,
    );
  });

  it("says what is lost that was not archived, and ends with 1", async () => {
    const { code, report } = await drill("two.tar.gz", "/latest");
    expect(code).to.equal(1);
    expect(report.differences.map(({ uid }) => uid)).to.deep.equal(["api::tag.tag"]);
    expect(report.failures).to.deep.equal(["api::tag.tag: 4 versions, not the 5 of the archive"]);
    expect(report.rpo).to.be.within(0.001, (lostAt - began) / 1000);
    const names = await spare.ask<{ name: string }>("select name from tags");
    expect(names.map(({ name }) => name)).to.include("after the archive");
    console.log(
      `[fleet] drill of what was not archived: RPO ${report.rpo?.toFixed(1)} s, RTO ${report.rto.toFixed(1)} s`,
    );
  });

  it("fails where the log does not reach the moment", async () => {
    const port = (server.address() as AddressInfo).port;
    const args = ["drill", join(place, "two.tar.gz"), "--database", spare.url()];
    const { code, stderr } = await runPlinth([...args, "--restore", `${TELL} http://127.0.0.1:${port}/`], {
      cwd: root,
    });
    expect(code).to.equal(1);
    expect(stderr).to.include("PLINTH_DRILL_RESTORE_FAILED");
  });
});
