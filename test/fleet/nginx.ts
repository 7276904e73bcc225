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

/**
 * Checks the text of an nginx.conf by `nginx -t`, and starts nginx with it.
 *
 * @param port - where it listens, on 127.0.0.1.
 */
export async function startNginx(conf: string, port: number): Promise<Nginx> {
  const home = mkdtempSync(join(tmpdir(), "plinth-nginx-"));
  // Its workers run as another user.
  chmodSync(home, 0o755);
  mkdirSync(join(home, "logs"));
  const paths = TEMPORARY.map((name) => `${name}_temp_path ${join(home, name)};`).join("\n");
  writeFileSync(join(home, "nginx.conf"), conf.replace("http {", `http {\n${paths}`));
  const args = ["-p", home, "-e", "stderr", "-c", join(home, "nginx.conf")];
  const pid = `pid ${join(home, "pid")};`;
  const checked = spawnSync("nginx", [...args, "-g", pid, "-t"], { encoding: "utf8" });
  if (checked.status !== 0) throw new Error(`nginx -t: ${checked.stderr}`);
  const child = spawn("nginx", [...args, "-g", `daemon off; ${pid}`], { stdio: ["ignore", "ignore", "pipe"] });
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
