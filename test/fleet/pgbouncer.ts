import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { serverUser } from "../../scripts/postgres-binaries.mjs";
import { freePort } from "../../scripts/postgres-server.mjs";

/** What a pooler serves. */
export interface PoolerOptions {
  /** The server behind it: `postgres://plinth@127.0.0.1:5432/postgres`; its database is what clients get under any name. */
  readonly to: string;
  /** Users that may connect; there are no passwords. Default: `plinth`. */
  readonly users?: readonly string[];
  /** Settings of the section `[pgbouncer]`, over those of a pooler that hands out sessions by transaction. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** A pgbouncer of a test. */
export interface Pooler {
  readonly port: number;
  /** The address of a database behind it. */
  url(options?: { readonly user?: string; readonly database?: string }): string;
  /** A command of its console, such as `RECONNECT`. @returns its rows */
  command(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends it at once and starts it again on the same address; every connection is lost. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const ADMINISTRATOR = "plinth";

/** Starts pgbouncer on a free port of 127.0.0.1. */
export async function startPooler({ to, users = [ADMINISTRATOR], settings = {} }: PoolerOptions): Promise<Pooler> {
  const target = new URL(to);
  const port = await freePort();
  const own = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "trust",
    pool_mode: "transaction",
    default_pool_size: 20,
    max_client_conn: 500,
    ...settings,
  };
  const ini = [
    "[databases]",
    `* = host=${target.hostname} port=${target.port || 5432}`,
    "[pgbouncer]",
    ...Object.entries(own).map(([name, value]) => `${name} = ${value}`),
  ].join("\n");
  return await runPooler(ini, { port, users, database: target.pathname.slice(1) });
}

/** What a pooler is started with beside its configuration. */
interface RunOptions {
  readonly port: number;
  readonly users: readonly string[];
  /** The one that clients ask for by default. */
  readonly database: string;
}

/** Starts pgbouncer with the text of a pgbouncer.ini, to which the list of users is added. */
export async function runPooler(ini: string, { port, users, database }: RunOptions): Promise<Pooler> {
  const home = mkdtempSync(join(tmpdir(), "plinth-pgbouncer-"));
  const names = [...new Set([...users, ADMINISTRATOR])];
  writeFileSync(join(home, "users.txt"), names.map((name) => `"${name}" ""\n`).join(""));
  const file = join(home, "pgbouncer.ini");
  writeFileSync(file, `${ini}\nauth_file = ${join(home, "users.txt")}\nadmin_users = ${ADMINISTRATOR}\n`);
  const user = serverUser();
  if (user.uid !== undefined) for (const path of [home, file]) chownSync(path, user.uid, user.gid as number);
  const url: Pooler["url"] = ({ user: name = users[0] ?? ADMINISTRATOR, database: other = database } = {}) =>
    `postgres://${name}@127.0.0.1:${port}/${other}`;
  let child = await start(file, user);
  const atExit = (): void => void child.kill("SIGKILL");
  process.once("exit", atExit);
  return {
    port,
    url,
    command: (text) => ask(url({ user: ADMINISTRATOR, database: "pgbouncer" }), text),
    restart: async () => {
      await end(child);
      child = await start(file, user);
    },
    close: async () => {
      process.off("exit", atExit);
      await end(child);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Resolves when it takes connections. */
async function start(file: string, user: ReturnType<typeof serverUser>): Promise<ChildProcess> {
  const child = spawn("pgbouncer", [file], { stdio: ["ignore", "ignore", "pipe"], cwd: "/", ...user });
  let said = "";
  await new Promise<void>((ready, fail) => {
    child.once("error", fail);
    child.once("exit", (code) => fail(new Error(`pgbouncer ended with exit code ${code}: ${said}`)));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4_000);
      if (said.includes("process up")) ready();
    });
  });
  child.removeAllListeners("exit");
  child.stderr?.removeAllListeners("data").resume();
  return child;
}

/** SIGTERM ends it at once, with every connection, in its older versions; newer ones wait for clients, which SIGQUIT does not. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

async function ask(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
