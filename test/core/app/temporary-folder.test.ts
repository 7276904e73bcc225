import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { makeTemporaryFolder, withTemporaryFolder } from "#core/app/temporary-folder.js";

const MODULE = import.meta.resolve("#core/app/temporary-folder.js");
/** A process that makes a folder, writes a file into it, and keeps it. */
const HOLD = `
  import { writeFileSync } from "node:fs";
  const { makeTemporaryFolder } = await import(${JSON.stringify(MODULE)});
  const { path } = await makeTemporaryFolder("export", process.argv[1]);
  writeFileSync(path + "/secret", "all of the content");
  process.stdout.write(path);
  setInterval(() => {}, 1000);
`;
/** A process that makes and removes folders, one after the other, each with a file that has to stay. */
const HURRY = `
  import { existsSync, writeFileSync } from "node:fs";
  const { withTemporaryFolder } = await import(${JSON.stringify(MODULE)});
  for (let count = 0; count < 40; count += 1)
    await withTemporaryFolder("export", async (path) => {
      writeFileSync(path + "/kept", "");
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (!existsSync(path + "/kept")) throw new Error("the folder of a running process was removed");
    }, process.argv[1]);
`;

describe("temporary folders", () => {
  let parent: string;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "plinth-parent-"));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    rmSync(parent, { recursive: true, force: true });
  });

  function run(program: string): ChildProcess {
    const args = ["--import=tsx", "--input-type=module", "-e", program, parent];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    return child;
  }

  /** Another process that has a folder, and the path of that. */
  async function holder(): Promise<{ readonly child: ChildProcess; readonly path: string }> {
    const child = run(HOLD);
    const [path] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
    return { child, path: String(path) };
  }

  async function kill(child: ChildProcess): Promise<void> {
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  const makeAnother = () => withTemporaryFolder("import", async () => undefined, parent);

  it("are gone after the work, also where it fails", async () => {
    const write = (path: string) => {
      mkdirSync(join(path, "deeper"));
      writeFileSync(join(path, "deeper", "file"), "text");
    };
    expect(
      await withTemporaryFolder("export", async (path) => Promise.resolve(write(path)).then(() => 1), parent),
    ).to.equal(1);
    const failure = await withTemporaryFolder("export", async (path) => Promise.reject(Error(path)), parent).catch(
      (error: Error) => error,
    );
    expect(failure).to.be.instanceOf(Error);
    expect(readdirSync(parent)).to.deep.equal([]);
  });

  it("are for their owner alone, and say what they are for", async () => {
    const folder = await makeTemporaryFolder("drill", parent);
    expect(readdirSync(parent)).to.have.length(1);
    expect(readdirSync(parent)[0]).to.match(/^plinth-temporary-drill-\w{6}$/);
    expect(statSync(dirname(folder.path)).mode & 0o077).to.equal(0);
    await folder.remove();
  });

  it("of a killed process are removed by the next work, those of a running or paused one stay", async () => {
    const [killed, running, paused] = await Promise.all([holder(), holder(), holder()]);
    await kill(killed.child);
    paused.child.kill("SIGSTOP");
    await makeAnother();
    expect([killed, running, paused].map(({ path }) => existsSync(join(path, "secret")))).to.deep.equal([
      false,
      true,
      true,
    ]);
    await Promise.all([kill(running.child), kill(paused.child)]);
    await makeAnother();
    expect(readdirSync(parent)).to.deep.equal([]);
  });

  it("of a process that was killed before it wrote are removed, too", async () => {
    mkdirSync(join(parent, "plinth-temporary-export-abcdef"));
    await makeAnother();
    expect(readdirSync(parent)).to.deep.equal([]);
  });

  it("are not files and folders of others, whatever their names", async () => {
    const others = ["plinth-temporary-notes", "plinth-export-abcdef", "site.tar.gz"];
    for (const name of others) {
      mkdirSync(join(parent, name));
      writeFileSync(join(parent, name, "text"), "kept");
    }
    writeFileSync(join(parent, "plinth-temporary-file"), "kept");
    await makeAnother();
    expect(readdirSync(parent)).to.have.members([...others, "plinth-temporary-file"]);
    for (const name of others) expect(readdirSync(join(parent, name)), name).to.deep.equal(["text"]);
  });

  it("of processes that make and remove them all the time are not removed by each other", async () => {
    const hurried = Array.from({ length: 3 }, () => run(HURRY));
    const codes = await Promise.all(hurried.map(async (child) => (await once(child, "exit"))[0] as number));
    expect(codes).to.deep.equal([0, 0, 0]);
    expect(readdirSync(parent)).to.deep.equal([]);
  });
});
