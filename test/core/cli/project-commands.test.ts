import { expect } from "chai";
import { writeProject } from "../../projects.js";
import { runPlinth } from "./plinth-command.js";

const DATABASE = 'export default { client: "pglite", directory: ":memory:" };';
const GREET = `export default { commands: { "greet loudly": {
  description: "say hello",
  arguments: ["<who>", "[how]"],
  options: { "--times <n>": "how often", "--in-capitals": "as it says" },
  run: ({ app, arguments: given, options, print, table }) =>
    print(table(["WHAT"], [[JSON.stringify({ given, options, types: app.model.contentTypes.size })]])),
} } };`;

/** Adds a content-type to the project, and counts the types before and after. */
const GROW = `export default {
  bootstrap: () => { throw new TypeError("the app's own bootstrap ran"); },
  commands: { grow: { description: "add a type", async runOnProject({ project, print, say }) {
    const schema = { info: { singularName: "note", pluralName: "notes", displayName: "Note" }, attributes: { a: { type: "string" } } };
    say("writing");
    await project.writeFiles([{ path: "src/api/note/content-types/note/schema.json", text: JSON.stringify(schema) }]);
    const after = await project.withApp((app) => app.model.contentTypes.size);
    print(JSON.stringify([project.model.contentTypes.size, after]));
  } } },
};`;

describe("a command of the app or of a plugin", () => {
  const cwd = writeProject({ "config/database.ts": DATABASE, "src/index.ts": GREET });

  it("runs with the started app, its arguments and its options", async () => {
    const { code, stdout, stderr } = await runPlinth(["greet", "loudly", "Ada", "--times", "2", "--in-capitals"], {
      cwd,
    });
    expect(code, stderr).to.equal(0);
    expect(stdout).to.equal('WHAT\n{"given":{"who":"Ada"},"options":{"times":"2","inCapitals":true},"types":0}\n');
  });

  it("may change the project before its app starts, and start it without the app's own bootstrap", async () => {
    const root = writeProject({ "config/database.ts": DATABASE, "src/index.ts": GROW });
    const { code, stdout, stderr } = await runPlinth(["grow"], { cwd: root });
    expect(code, stderr).to.equal(0);
    expect([stdout, stderr.includes("[plinth] writing")]).to.deep.equal(["[0,1]\n", true]);
    const again = await runPlinth(["grow"], { cwd: root });
    expect([again.code, again.stderr.includes("PLINTH_CLI_FILE_EXISTS")]).to.deep.equal([1, true]);
  });

  it("stands in the help, and is what a slip of the pen was meant to be", async () => {
    expect((await runPlinth(["help"], { cwd })).stdout).to.match(/^ {2}greet/m);
    expect((await runPlinth(["greet", "loudli"], { cwd })).stderr).to.include("Did you mean loudly?");
  });

  it("does not keep a broken project from showing help", async () => {
    const broken = writeProject({ "src/index.ts": "export default {" });
    const { code, stdout, stderr } = await runPlinth(["--help"], { cwd: broken });
    expect([code, stdout.includes("generate")]).to.deep.equal([0, true]);
    expect(stderr).to.include("the commands of plugins are not listed");
  });

  it("fails with the fault of the project when that cannot be read", async () => {
    const broken = writeProject({ "src/index.ts": "export default {" });
    const { code, stderr } = await runPlinth(["greet", "loudly"], { cwd: broken });
    expect(code).to.equal(1);
    expect(stderr).to.include("PLINTH_PROJECT_MODULE_FAILED");
  });
});
