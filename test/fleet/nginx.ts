import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** An nginx of a test. */
export interface Nginx {
  close(): Promise<void>;
}

/** Folders for temporary files, which belong to root where Debian has them. */
const TEMPORARY = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
const START_TIMEOUT = 10_000;

/** Checks the text of an nginx.conf by `nginx -t`. @throws an Error with what nginx says */
export function checkNginx(conf: string): void {
  const { home, args } = prepare(conf);
  const { status, stderr, error } = spawnSync("nginx", [...args, "-t"], { encoding: "utf8" });
  rmSync(home, { recursive: true, force: true });
  if (status !== 0) throw error ?? new Error(`nginx -t: ${stderr}`);
}

/**
 * Checks the text of an nginx.conf, and starts nginx with it.
 *
 * @param port - where it listens, on 127.0.0.1.
 */
export async function startNginx(conf: string, port: number): Promise<Nginx> {
  checkNginx(conf);
  const { home, args } = prepare(conf, "daemon off;");
  const child = spawn("nginx", args, { stdio: ["ignore", "ignore", "pipe"] });
  const atExit = (): void => void child.kill("SIGTERM");
  process.once("exit", atExit);
  await untilListening(child, port);
  return {
    close: async () => {
      process.off("exit", atExit);
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A folder for nginx, and the arguments that make it use that. */
function prepare(conf: string, directives = ""): { readonly home: string; readonly args: readonly string[] } {
  const home = mkdtempSync(join(tmpdir(), "plinth-nginx-"));
  // Its workers run as another user.
  chmodSync(home, 0o755);
  mkdirSync(join(home, "logs"));
  const paths = TEMPORARY.map((name) => `${name}_temp_path ${join(home, name)};`).join("\n");
  writeFileSync(join(home, "nginx.conf"), conf.replace("http {", `http {\n${paths}`));
  const own = `${directives} pid ${join(home, "pid")};`;
  return { home, args: ["-p", home, "-e", "stderr", "-c", join(home, "nginx.conf"), "-g", own] };
}

async function untilListening(child: ChildProcess, port: number): Promise<void> {
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4_000);
  });
  const end = performance.now() + START_TIMEOUT;
  while (performance.now() < end && child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer) return;
    await sleep(20);
  }
  throw new Error(`nginx does not listen: ${said}`);
}
