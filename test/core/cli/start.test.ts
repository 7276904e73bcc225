import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { build } from "#core/cli/build.js";
import { loadSetup } from "#core/cli/load-setup.js";
import { databaseVariables, serverDatabase } from "../../databases.js";
import { testHost } from "./run-in-process.js";
import { emptyFolder, linkPackages, RunningCommand, runPlinth, scaffoldedApp } from "./plinth-command.js";

/** What only commands of developers need. */
const FOR_DEVELOPERS = ["chokidar", "commander", "pino-pretty", "tar-stream"];

const SCHEMA = "src/api/article/content-types/article/schema.json";

describe("plinth build, start, schema and console", () => {
  const cwd = scaffoldedApp();
  /** Of commands whose subject is not the embedded database. */
  const env = databaseVariables(serverDatabase());
  const schema = () => JSON.parse(readFileSync(join(cwd, SCHEMA), "utf8"));
  const writeSchema = (content: unknown) => writeFileSync(join(cwd, SCHEMA), JSON.stringify(content));

  before("do not wait for a load balancer at each stop", () => {
    mkdirSync(join(cwd, "config/env/production"), { recursive: true });
    writeFileSync(join(cwd, "config/env/production/server.json"), '{ "drainDelay": 0 }');
  });

  it("does not start what was not built, and says what to do", async () => {
    const { code, stderr } = await runPlinth(["start"], { cwd });
    expect(stderr).to.include("PLINTH_CLI_NOT_BUILT").and.include("plinth build");
    expect(code).to.equal(1);
    const failure = await loadSetup(cwd, "build", { ...process.env }).catch((error: unknown) => error);
    expect(failure).to.include({ code: "PLINTH_CLI_NOT_BUILT" });
  });

  it("plans the tables of an empty database without making them", async () => {
    const { code, stdout } = await runPlinth(["schema", "plan"], { cwd, env });
    expect(stdout)
      .to.match(/create table articles: /)
      .and.include("None loses content.");
    expect(code).to.equal(0);
  });

  it("builds, starts, and prints where REST is", async () => {
    const built = await runPlinth(["build"], { cwd });
    expect(built.code, built.stdout + built.stderr).to.equal(0);
    const server = new RunningCommand(["start"], { cwd });
    try {
      const [, rest] = await server.waitFor(/REST +(http:\/\/127\.0\.0\.1:\d+\/api)/);
      await server.waitFor(/started in [\d.]+ s, production/);
      expect(server.stdout).to.include(`try: curl '${rest}/articles?populate=author'`);
      expect(server.stdout).to.include("database  embedded, in .plinth/data");
      expect(server.stdout).to.match(/welcome +http:\/\/127\.0\.0\.1:\d+\/admin\/welcome#[\w-]{43}\n/);
      const answer = await fetch(`${rest}/articles?populate=author`);
      expect(((await answer.json()) as { data: unknown[] }).data).to.have.length(2);

      const second = await runPlinth(["schema", "plan"], { cwd });
      expect([second.code, second.stdout.includes("nothing to do")], second.stderr).to.deep.equal([0, true]);
      expect(second.stderr).to.match(/`plinth start` \(process \d+\) has the database open, and runs this command/);
    } finally {
      expect(await server.stop()).to.equal(0);
    }
    expect(server.stderr).to.include("stopping").and.include("stopped");
  });

  it("prints readable, coloured lines on a terminal, and JSON elsewhere", async () => {
    const askAll = async (variables: Readonly<Record<string, string>>) => {
      const server = new RunningCommand(["start"], { cwd, env: { ...env, ...variables } });
      try {
        const [, rest] = await server.waitFor(/REST +(http:\/\/127\.0\.0\.1:\d+\/api)/);
        await fetch(`${rest}/articles?populate=author&filters[title]=${"x".repeat(200)}&access_token=secret`);
        await fetch(`${rest}/articles?sort=nothing`);
      } finally {
        await server.stop();
      }
      return server.stderr;
    };
    const onTerminal = { NODE_OPTIONS: "--import=data:text/javascript,process.stderr.isTTY=true", TERM: "xterm" };
    const plain = await askAll({ ...onTerminal, NO_COLOR: "1" });
    expect(plain).to.match(
      /\[\d\d:\d\d:\d\d\] INFO: GET \/api\/articles\?populate=author&filters\[title\]=…&access_token=… 200 \(\d+ ms\)\n/,
    );
    expect(plain).to.match(/GET \/api\/articles\?sort=nothing 400 \(\d+ ms\) PLINTH_QUERY_\w+ .*nothing/);
    expect(plain).not.to.contain("\u001b");
    expect(await askAll(onTerminal))
      .to.contain("\u001b[32m200")
      .and.contain("\u001b[33m400");
    const lines = (await askAll({})).split("\n").filter((line) => line.startsWith("{"));
    // Others tell of statements that took long, on a busy machine.
    const statuses = lines.map((line) => JSON.parse(line).status).filter((status) => status !== undefined);
    expect(statuses).to.deep.equal([200, 400]);
    expect(lines.join("\n")).not.to.contain("secret");
  });

  it("loads nothing in production that only the command line needs", async () => {
    const folder = emptyFolder();
    const hook = `--import=${import.meta.resolve("./record-loaded.mjs")}`;
    const env = { NODE_ENV: "production", NODE_OPTIONS: hook, LOADED_FOLDER: folder };
    const server = new RunningCommand(["start"], { cwd, env });
    try {
      const [, rest] = await server.waitFor(/REST +(http:\/\/127\.0\.0\.1:\d+\/api)/);
      expect((await fetch(`${rest}/articles?populate=author`)).status).to.equal(200);
    } finally {
      await server.stop();
    }
    const loaded = readdirSync(folder).flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
    expect(loaded).to.include.members(["koa", "pino", "@electric-sql/pglite"]);
    expect(loaded.filter((name) => FOR_DEVELOPERS.includes(name))).to.deep.equal([]);
  });

  it("opens a console with the app at hand, and stops the app when it is left", async () => {
    const prompt = new RunningCommand(["console"], { cwd, env });
    const fill = 'await app.db.knex("articles").update({ body: "[]" })';
    prompt.type('(await app.documents("api::article.article").count()) + 100', fill, ".exit");
    expect(await prompt.ended).to.equal(0);
    expect(prompt.stdout).to.match(/\b10[23]\b/);
  });

  it("refuses to lose content, and says what would be lost", async () => {
    const { body: _, ...attributes } = schema().attributes;
    writeSchema({ ...schema(), attributes });
    const plan = await runPlinth(["schema", "plan"], { cwd, env });
    expect(plan.stdout).to.match(/LOSES CONTENT +drop column articles\.body/);
    const refused = await runPlinth(["schema", "apply"], { cwd, env });
    expect(refused.stderr).to.include("PLINTH_SCHEMA_DESTRUCTIVE");
    expect(refused.code).to.equal(1);
    const json = await runPlinth(["schema", "plan", "--json"], { cwd, env });
    expect(JSON.parse(json.stdout)).to.satisfy((steps: { isDestructive: boolean }[]) =>
      steps.some((step) => step.isDestructive),
    );
  });

  it("loses content when that is allowed, and is in step afterwards", async () => {
    const applied = await runPlinth(["schema", "apply", "--allow-data-loss"], { cwd, env });
    expect(applied.code, applied.stderr).to.equal(0);
    const { stdout } = await runPlinth(["schema", "plan"], { cwd, env });
    expect(stdout).to.include("nothing to do");
  });

  it("prints all problems of the schemas, each with its file and place, and ends with 1", async () => {
    const good = schema();
    writeSchema({
      ...good,
      attributes: { ...good.attributes, a: { type: "strin" }, b: { type: "integer", min: 3, max: 1 } },
    });
    const { code, stderr } = await runPlinth(["start"], { cwd });
    writeSchema(good);
    expect(stderr).to.include("PLINTH_SCHEMA_INVALID").and.not.include("    at ");
    for (const path of ["attributes.a.type", "attributes.b"]) {
      expect(
        stderr.split("\n").some((line) => line.includes(SCHEMA) && line.includes(path)),
        path,
      ).to.equal(true);
    }
    expect(code).to.equal(1);
  });

  it("ends at once when the port is taken, and says so", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const port = String((other.address() as AddressInfo).port);
    const { code, stderr } = await runPlinth(["start"], { cwd, env: { ...env, PORT: port } });
    other.close();
    expect(stderr).to.include("PLINTH_HTTP_CANNOT_LISTEN").and.include(port);
    expect(code).to.equal(1);
  });

  it("says what is missing for a build, and that a build failed", async () => {
    const failureOf = (root: string) => build(testHost({ cwd: root }).host).catch((error: unknown) => error);
    const folder = emptyFolder();
    writeFileSync(join(folder, "package.json"), "{}");
    expect(await failureOf(folder)).to.include({ code: "PLINTH_PROJECT_NOT_FOUND" });
    writeFileSync(join(folder, "src"), "");
    expect(await failureOf(folder)).to.include({ code: "PLINTH_CLI_TOOL_MISSING" });
    linkPackages(folder);
    rmSync(join(cwd, "dist"), { recursive: true });
    expect(await failureOf(folder)).to.include({ code: "PLINTH_CLI_BUILD_FAILED" });
  });
});
