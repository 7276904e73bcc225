import { expect } from "chai";
import { emptyFolder, runPlinth, runProcess } from "./plinth-command.js";

describe("the plinth command", () => {
  const cwd = emptyFolder();

  it("says which command was meant", async () => {
    // In a process of its own, which shows the exit code of a command that does not serve.
    const { code, stderr } = await runProcess(["strat"], { cwd });
    expect(stderr).to.include("unknown command 'strat'").and.include("Did you mean start?");
    expect(code).to.equal(1);
  });

  it("says which kind of thing to generate was meant", async () => {
    const { code, stderr } = await runPlinth(["generate", "polcy", "is-owner"], { cwd });
    expect(stderr).to.include("Did you mean policy?");
    expect(code).to.equal(1);
  });

  it("says which option was meant", async () => {
    const { code, stderr } = await runPlinth(["schema", "apply", "--allow-data-los"], { cwd });
    expect(stderr).to.include("Did you mean --allow-data-loss?");
    expect(code).to.equal(1);
  });

  for (const command of ["start", "build"]) {
    it(`says that a folder without a project is none, to ${command}`, async () => {
      const { code, stderr } = await runPlinth([command], { cwd });
      expect(stderr).to.include("PLINTH_PROJECT_NOT_FOUND").and.include("plinth new").and.not.include("    at ");
      expect(code).to.equal(1);
    });
  }

  it("prints the stack of a failure with --debug", async () => {
    const { stderr } = await runPlinth(["start", "--debug"], { cwd });
    expect(stderr).to.match(/PLINTH_PROJECT_NOT_FOUND[\s\S]*\n +at /);
  });
});
