import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { watchTests } from "../../scripts/watch-tests.mjs";

describe("the watch over the processes of npm test", () => {
  let folder: string;
  let endWatch: () => void;
  const said: string[] = [];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "plinth-watch-"));
  });
  after(() => {
    endWatch();
    rmSync(folder, { recursive: true });
  });

  it("kills one whose tests stand still, names the test, and lets the others run", async () => {
    const processes = ["stuck", "busy"].map((name) => {
      const child = spawn(process.execPath, ["-e", "for (;;);"]);
      const file = join(folder, name);
      writeFileSync(file, `${child.pid}\n12\na ${name} test`);
      return { child, file };
    });
    const [stuck, busy] = processes as [(typeof processes)[0], (typeof processes)[0]];
    const long = Date.now() / 1000 - 3600;
    utimesSync(stuck.file, long, long);
    try {
      const files = [...processes.map(({ file }) => file), join(folder, "not begun")];
      endWatch = watchTests(files, { tellEvery: 0.05, stuckAfter: 600, say: (line) => said.push(line) });
      const [, signal] = (await once(stuck.child, "exit")) as [unknown, string];
      expect(signal).to.equal("SIGKILL");
      expect(busy.child.exitCode ?? busy.child.signalCode).to.equal(null);
      expect(said).to.include("[plinth] 0 min: 12 tests of one process ended, now: a busy test");
      expect(said.join("\n")).to.match(/killed: nothing has happened for 36\d\d s in: a stuck test/);
    } finally {
      for (const { child } of processes) child.kill("SIGKILL");
    }
  });

  it("goes on when a process has ended by itself, and no longer watches one whose file is gone", async () => {
    const sleep = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));
    const count = said.length;
    await sleep(300);
    expect(said.slice(count).join("\n")).to.include("killed").and.include("a busy test");
    for (const name of ["stuck", "busy"]) rmSync(join(folder, name));
    const last = said.length;
    await sleep(300);
    expect(said).to.have.length(last);
  });
});
