import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findPostgres, serverUser } from "../scripts/postgres-binaries.mjs";
import { createCluster, freePort, give, PREFIX, spawnServer, untilReady } from "../scripts/postgres-server.mjs";

/** Settings of PostgreSQL by name. */
type Settings = Readonly<Record<string, string>>;

/** What the servers of a cluster share. */
interface Installation {
  /** Folder of the programs. */
  readonly bin: string;
  readonly user: ReturnType<typeof serverUser>;
  readonly settings: Settings;
}

type EndSignal = "SIGKILL" | "SIGINT" | "SIGQUIT";

/** One PostgreSQL server that a test may kill, stop, promote and start again. Its name in the replication is `n0`, `n1`... */
export class PostgresNode {
  #child: ChildProcess | undefined;

  constructor(
    readonly name: string,
    readonly port: number,
    private readonly home: string,
    private readonly installation: Installation,
  ) {}

  /** `127.0.0.1:<port>`, as lists of hosts name it. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  url(database = "postgres"): string {
    return `postgres://plinth@${this.address}/${database}`;
  }

  async start(settings: Settings = {}): Promise<void> {
    const child = spawnServer(this.home, this.installation.bin, {
      port: this.port,
      user: this.installation.user,
      settings: { ...this.installation.settings, cluster_name: this.name, ...settings },
    });
    const failure = await untilReady(child);
    if (failure) throw new Error(`PostgreSQL ${this.name} did not start: ${failure}`);
    this.#child = child;
    child.unref();
    child.stderr?.destroy();
  }

  /** Copies the files of another server, which does not run, and makes this its standby. */
  follow(primary: PostgresNode): void {
    const data = join(this.home, "data");
    rmSync(data, { recursive: true, force: true });
    cpSync(join(primary.home, "data"), data, { recursive: true });
    rmSync(join(data, "postmaster.pid"), { force: true });
    this.followFrom(primary);
    const { uid, gid } = this.installation.user;
    if (uid !== undefined) spawnSync("chown", ["-R", `${uid}:${gid}`, data]);
  }

  /** Makes it a standby of a server whose files it has already; from its next start on. */
  followFrom({ port }: PostgresNode): void {
    const data = join(this.home, "data");
    const from = `host=127.0.0.1 port=${port} user=plinth application_name=${this.name}`;
    writeFileSync(
      join(data, "postgresql.auto.conf"),
      `primary_conninfo = '${from}'\nrecovery_target_timeline = 'latest'\n`,
    );
    writeFileSync(join(data, "standby.signal"), "");
    give(join(data, "postgresql.auto.conf"), this.installation.user);
    give(join(data, "standby.signal"), this.installation.user);
  }

  /** Copies its files while it runs, as pg_basebackup does, to a new folder. */
  async backUp(to: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.url() });
    await client.connect();
    try {
      const { rows } = await client.query<{ isNew: boolean }>(
        `select current_setting('server_version_num')::int >= 150000 as "isNew"`,
      );
      const isNew = rows[0]?.isNew;
      await client.query(
        isNew ? "select pg_backup_start('test', true)" : "select pg_start_backup('test', true, false)",
      );
      // The archiver renames and deletes what is in there meanwhile, and a backup needs none of it.
      const filter = (path: string) => basename(dirname(path)) !== "archive_status";
      cpSync(join(this.home, "data"), to, { recursive: true, filter });
      const stop = isNew ? "pg_backup_stop()" : "pg_stop_backup(false)";
      const label = await client.query<{ labelfile: string }>(`select labelfile from ${stop}`);
      writeFileSync(join(to, "backup_label"), label.rows[0]?.labelfile ?? "");
    } finally {
      await client.end();
    }
    rmSync(join(to, "postmaster.pid"), { force: true });
  }

  /** Starts on a copy of a base backup, recovers from archived files of the log, and is a primary from then on. */
  async recover(backup: string, settings: Settings): Promise<void> {
    const data = join(this.home, "data");
    rmSync(data, { recursive: true, force: true });
    cpSync(backup, data, { recursive: true });
    writeFileSync(join(data, "recovery.signal"), "");
    const { uid, gid } = this.installation.user;
    if (uid !== undefined) spawnSync("chown", ["-R", `${uid}:${gid}`, data]);
    await this.start({ recovery_target_action: "promote", ...settings });
    await this.#untilPrimary();
  }

  /** Waits for the end of a recovery; it fails where the log ends before its target. */
  async #untilPrimary(): Promise<void> {
    for (;;) {
      if (this.#child?.exitCode !== null) {
        this.#child = undefined;
        throw new Error(`PostgreSQL ${this.name} ended its recovery`);
      }
      const rows = await this.ask<{ recovers: boolean }>("select pg_is_in_recovery() as recovers").catch(() => []);
      if (rows[0]?.recovers === false) return;
      await sleep(50);
    }
  }

  /** Has a standby follow another server from now on. */
  async followNow({ port }: PostgresNode): Promise<void> {
    const from = `host=127.0.0.1 port=${port} user=plinth application_name=${this.name}`;
    await this.ask(`alter system set primary_conninfo = '${from}'`);
    await this.ask("select pg_reload_conf()");
  }

  /** Ends all of its processes at once, as a power cut does. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Ends it as an administrator does: connections are told so. */
  stop(): Promise<void> {
    return this.#end("SIGINT");
  }

  /** Ends it as `pg_ctl stop -m immediate` does: nothing is written any more, and its next start recovers from the log. */
  stopAtOnce(): Promise<void> {
    return this.#end("SIGQUIT");
  }

  /** It answers nothing any more, until `thaw`. */
  freeze(): void {
    this.#signalAll("SIGSTOP");
  }

  thaw(): void {
    this.#signalAll("SIGCONT");
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.ask("select pg_promote(true, 30)");
  }

  /** The rows of a statement, on a connection of its own. */
  async ask<Row extends object = Record<string, unknown>>(sql: string, database?: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(database) });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  remove(): void {
    if (this.#child?.pid) this.#signal("SIGKILL");
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  async #end(signal: EndSignal): Promise<void> {
    const child = this.#child;
    if (!child) return;
    child.ref();
    const exited = once(child, "exit");
    this.#signal(signal);
    await exited;
    this.#child = undefined;
  }

  /** Those that serve connections are in groups of their own. */
  #signalAll(signal: "SIGSTOP" | "SIGCONT"): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    const children = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" }).stdout;
    for (const each of [pid, ...children.split("\n").map(Number).filter(Boolean)]) signalRunning(each, signal);
  }

  /** A killed server leaves its children, which hold its port: they are of its process group. */
  #signal(signal: EndSignal): void {
    const pid = Number(this.#child?.pid);
    process.kill(signal === "SIGKILL" ? -pid : pid, signal);
  }
}

/** A child may have ended since it was listed. */
function signalRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Servers that replicate: the first is the primary, the others its standbys. */
export interface PostgresCluster {
  readonly nodes: readonly PostgresNode[];
  /** `postgres://plinth@127.0.0.1:1,127.0.0.1:2/<database>`. */
  url(database?: string): string;
  /** Waits until every standby has replayed what the primary has written. */
  caughtUp(primary?: PostgresNode): Promise<void>;
  /** A server without files, for `recover`. */
  spare(): Promise<PostgresNode>;
  /** An empty folder that the servers may write to. */
  folder(): string;
  /** Ends what still runs, and removes everything. */
  close(): Promise<void>;
}

/** Starts a primary and its standbys, on free ports of 127.0.0.1; each a copy of the primary's files. */
export async function startCluster(standbys: number, settings: Settings = {}): Promise<PostgresCluster> {
  const user = serverUser();
  const homes = Array.from({ length: standbys + 1 }, () => mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`)));
  for (const home of homes) give(home, user);
  const { bin } = findPostgres(user, join(homes[0] as string, "native"));
  createCluster(homes[0], bin, user);
  const nodes: PostgresNode[] = [];
  const installation = { bin, user, settings };
  for (const [index, home] of homes.entries())
    nodes.push(new PostgresNode(`n${index}`, await freePort(), home, installation));
  const [primary, ...others] = nodes as [PostgresNode, ...PostgresNode[]];
  const removeAll = (): void => {
    for (const node of nodes) node.remove();
  };
  process.once("exit", removeAll);
  for (const node of others) node.follow(primary);
  await primary.start();
  await Promise.all(others.map((node) => node.start()));
  await untilStreaming(primary, standbys);
  return {
    nodes,
    url: (database = "postgres") => `postgres://plinth@${nodes.map(({ address }) => address).join(",")}/${database}`,
    caughtUp: (node = primary) => untilStreaming(node, 0),
    spare: async () => {
      const home = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
      give(home, user);
      const node = new PostgresNode(`n${nodes.length}`, await freePort(), home, installation);
      nodes.push(node);
      return node;
    },
    folder: () => {
      const folder = mkdtempSync(join(homes[0] as string, "folder-"));
      give(folder, user);
      return folder;
    },
    close: async () => {
      process.off("exit", removeAll);
      for (const node of nodes) node.thaw();
      await Promise.all(nodes.map((node) => node.kill()));
      removeAll();
    },
  };
}

const BEHIND = `select count(*)::int as standbys,
  count(*) filter (where replay_lsn is distinct from pg_current_wal_lsn())::int as behind from pg_stat_replication`;

async function untilStreaming(primary: PostgresNode, atLeast: number): Promise<void> {
  for (;;) {
    const [row] = await primary.ask<{ standbys: number; behind: number }>(BEHIND);
    if (row && row.standbys >= atLeast && row.behind === 0) return;
    await sleep(20);
  }
}
