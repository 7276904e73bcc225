import { expect } from "chai";
import { databaseVariables, serverDatabase } from "../../databases.js";
import { writeProject } from "../../projects.js";
import { RunningCommand } from "./plinth-command.js";

const DECLARE = `import { jobs } from "@plinth/plugin-jobs";
export default {
  register: ({ extension, command }) => {
    extension(jobs).define({ name: "greet", run: ({ data }) => console.log("hello " + data.name) });
    command("greet", { description: "greet by a job", run: ({ app }) => app.extension(jobs).enqueue("greet", { name: "Ada" }) });
  },
};
`;

describe("plinth work", () => {
  const database = serverDatabase();
  if (!database) return;

  it("runs what a command has enqueued, which that does not; takes no requests, and ends when it is asked to", async () => {
    const cwd = writeProject({
      "package.json": '{ "type": "module", "dependencies": {} }',
      "config/database.json": JSON.stringify(database.config()),
      "config/plugins.json": '{ "jobs": { "config": { "work": false } } }',
      "config/server.json": '{ "management": 0 }',
      "src/index.mjs": DECLARE,
    });
    const env = { ...databaseVariables(database), NODE_ENV: "test" };
    const command = new RunningCommand(["greet"], { cwd, env });
    expect(await command.ended, command.stderr).to.equal(0);
    expect(command.stdout).not.to.include("hello");
    const worker = new RunningCommand(["work", "--sources"], { cwd, env });
    await worker.waitFor(/working +jobs/);
    await worker.waitFor(/hello Ada/);
    expect(await worker.stop()).to.equal(0);
    expect(worker.stdout).not.to.include("REST");
  });
});
