import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { DatabaseLockedError } from "#core/database/errors.js";
import { LOCK_FILE, lockByFile } from "#core/database/driver/data-lock.js";

describe("the lock file of an embedded database, where the system holds no lock", () => {
  let directory: string;
  let file: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "plinth-lock-"));
    file = join(directory, LOCK_FILE);
  });
  afterEach(() => rm(directory, { recursive: true }));

  const held = (lock: { pid: number; host?: string }) =>
    writeFile(file, JSON.stringify({ host: hostname(), token: "x", ...lock }));
  const refused = async () => {
    const failure = await lockByFile(directory).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.satisfy(DatabaseLockedError.is);
    expect(failure).to.have.property("message").that.includes(directory);
  };
  const granted = async () => (await lockByFile(directory))();

  it("a directory is given to one at a time, and again after it was given back", async () => {
    const unlock = await lockByFile(directory);
    await refused();
    await unlock();
    expect(existsSync(file)).to.equal(false);
    await granted();
  });

  it("a running process keeps its directory; a killed one does not", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await held({ pid: child.pid as number });
    await refused();
    child.kill("SIGKILL");
    await once(child, "exit");
    await granted();
  });

  it("a file with our own pid is an earlier process's: containers give the same pid again", async () => {
    await held({ pid: process.pid });
    await granted();
  });

  it("a file that was cut off while being written counts for nothing", async () => {
    await writeFile(file, "{");
    await granted();
  });

  it("a file that another process has made and is about to fill is that process's", async () => {
    await writeFile(file, "");
    const attempt = refused();
    await sleep(20);
    await held({ pid: process.ppid });
    await attempt;
  });

  it("a process of another host keeps its directory as long as it shows that it lives", async () => {
    await held({ pid: 1, host: "elsewhere" });
    await refused();
    const longAgo = new Date(Date.now() - 120_000);
    await utimes(file, longAgo, longAgo);
    await granted();
  });

  it("of ten who find a stale file at once, one gets the directory", async () => {
    await held({ pid: process.pid });
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => lockByFile(directory)));
    const winners = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(winners).to.have.length(1);
    await winners[0]?.();
  });
});
