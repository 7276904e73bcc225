import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { connectDatabase } from "#core/database/driver/connect.js";
import { makeOwnedFolder } from "#core/database/driver/owned-folder.js";

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe("the folder of the embedded database", () => {
  const home = mkdtempSync(join(tmpdir(), "plinth-owned-"));
  const directory = join(home, "inner", "data");
  const open = async () => await (await connectDatabase({ client: "pglite", directory })).close();
  let umask: number;

  before("with the mask that most systems have", () => {
    umask = process.umask(0o022);
  });
  after(() => {
    process.umask(umask);
    rmSync(home, { recursive: true });
  });

  it("is made for its owner alone", async () => {
    await open();
    expect(modeOf(directory)).to.equal("700");
  });

  it("is closed to others where an earlier version left it open", async () => {
    chmodSync(directory, 0o755);
    await open();
    expect(modeOf(directory)).to.equal("700");
  });

  // Not even root may change the mode of this one.
  if (existsSync("/proc/sys"))
    it("stays as it is where it belongs to somebody else, and the log says what to do", async () => {
      const logged: string[] = [];
      await makeOwnedFolder("/proc/sys", { warn: (_, message) => logged.push(message) });
      expect(logged.join()).to.match(/^Other users of this machine may read .* chmod 700/);
    });
});
