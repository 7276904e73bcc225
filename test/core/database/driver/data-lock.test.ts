import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { connectDatabase } from "#core/database/driver/connect.js";
import { LOCK_FILE, lockDirectory } from "#core/database/driver/data-lock.js";
import { DatabaseLockedError } from "#core/database/errors.js";

const MODULE = import.meta.resolve("#core/database/driver/data-lock.js");
const HOLD = `
  const { lockDirectory } = await import(${JSON.stringify(MODULE)});
  await lockDirectory(process.argv[1]);
  process.stdout.write("held");
  setInterval(() => {}, 1000);
`;

describe("the lock of the system on an embedded database", () => {
  let directory: string;
  let file: string;
  const children: ChildProcess[] = [];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "plinth-lock-"));
    file = join(directory, LOCK_FILE);
    await writeFile(join(directory, "PG_VERSION"), "18\n");
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    await rm(directory, { recursive: true });
  });

  /** Another process that has the directory. */
  async function holder(): Promise<ChildProcess> {
    const args = ["--import=tsx", "--input-type=module", "-e", HOLD, directory];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    await once(child.stdout as NodeJS.ReadableStream, "data");
    return child;
  }
  const refused = async () => {
    const failure = await lockDirectory(directory).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.satisfy(DatabaseLockedError.is);
    return failure as Error;
  };
  const granted = async () => (await lockDirectory(directory)).release();

  it("gives a directory to one at a time, and again after it was given back", async () => {
    const lock = await lockDirectory(directory);
    expect((await refused()).message)
      .to.include(directory)
      .and.to.include(String(process.pid));
    await lock.release();
    expect(existsSync(file)).to.equal(false);
    await granted();
  });

  it("holds while its process is paused, and when the lock file is deleted or says what it wants", async () => {
    const child = await holder();
    child.kill("SIGSTOP");
    await refused();
    await writeFile(file, JSON.stringify({ pid: process.pid, host: hostname(), token: "x" }));
    await refused();
    await rm(file);
    await refused();
    child.kill("SIGCONT");
  });

  it("ends with its process at once, whatever host it was on", async () => {
    const child = await holder();
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), host: "elsewhere" }));
    child.kill("SIGKILL");
    await once(child, "exit");
    // It is asked for once, and a file of another host is believed for a minute.
    await granted();
  });

  it("of ten who want a directory at once, one gets it", async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => lockDirectory(directory)));
    const winners = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(winners).to.have.length(1);
    await winners[0]?.release();
  });

  it("is a file where the disk keeps no locks, such as some of networks", async () => {
    const unable = {
      tryLock: () => {
        throw Object.assign(new Error("operation not supported"), { code: "ENOTSUP" });
      },
    };
    const lock = await lockDirectory(directory, unable);
    const failure = await lockDirectory(directory, unable).catch((error: unknown) => error);
    expect(failure).to.satisfy(DatabaseLockedError.is);
    await lock.release();
    expect(existsSync(file)).to.equal(false);
  });

  it("is on a database from its first moment, until that is closed", async () => {
    const data = join(directory, "data", "deeper");
    const first = await connectDatabase({ client: "pglite", directory: data });
    await first.query({ text: "create table kept as select 1 as n", values: [] });
    await rm(join(data, LOCK_FILE));
    const failure = await connectDatabase({ client: "pglite", directory: data }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.satisfy(DatabaseLockedError.is);
    await first.close();
    const second = await connectDatabase({ client: "pglite", directory: data });
    expect(await second.query({ text: "select n from kept", values: [] })).to.deep.equal([{ n: 1 }]);
    await second.close();
  });
});
