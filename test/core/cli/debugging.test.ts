import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { RunningCommand, runPlinth, scaffoldedApp } from "./plinth-command.js";

const FILES = {
  "src/api/fault/controllers/fault.ts": `interface Nothing { readonly name: string }

export default {
  index: () => (undefined as unknown as Nothing).name,
};
`,
  "src/api/fault/routes/fault.ts":
    'import type { Route } from "@plinth/core";\n\nconst routes: readonly Route[] = [{ method: "GET", path: "/fault", handler: "fault.index", config: { auth: false } }];\nexport default routes;\n',
};

describe("finding a fault of an app", () => {
  const cwd = scaffoldedApp();

  before("add a route that fails", () => {
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      writeFileSync(join(cwd, file), text);
    }
  });

  it("shows the lines of its sources in the log of production, and builds no tests", async () => {
    const built = await runPlinth(["build"], { cwd });
    expect(built.code, built.stdout + built.stderr).to.equal(0);
    const files = readdirSync(join(cwd, "dist"), { recursive: true }) as string[];
    expect(files.some((file) => file.endsWith("fault.js"))).to.equal(true);
    expect(files.filter((file) => file.includes(".test."))).to.deep.equal([]);
    const controller = join(cwd, "dist", "src", "api", "fault", "controllers", "fault.js");
    const code = `const { default: made } = await import(${JSON.stringify(controller)});
try { made.index(); } catch (error) { console.log(error.stack); }`;
    // As `plinth start` does it; the command of these tests runs through a loader, which has source maps of its own.
    const args = ["--input-type=module", "--eval", `process.setSourceMapsEnabled(true); ${code}`];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
    expect(stdout).to.match(/src\/api\/fault\/controllers\/fault\.ts:4/);
  });

  it("lets a debugger attach to the app that `develop` serves", async () => {
    const develop = new RunningCommand(["develop", "--inspect", "0"], { cwd });
    try {
      await develop.waitFor(/Debugger listening on ws:\/\/127\.0\.0\.1:\d+/);
      await develop.waitFor(/started in/);
    } finally {
      await develop.stop();
    }
  });
});
