import { createPlinth, type Database, type PlinthApp, type PlinthError } from "@plinth/core";
import { expect } from "chai";
import { planSync } from "#core/database/sync/plan-sync.js";
import { assertUnused } from "#core/database/sync/processes.js";
import { serverDatabase } from "../../databases.js";
import { writeProject } from "../../projects.js";
import { runPlinth } from "./plinth-command.js";

const article = (attributes: object) => ({
  kind: "collectionType" as const,
  collectionName: "articles",
  info: { singularName: "article", pluralName: "articles", displayName: "Article" },
  attributes: attributes as never,
});
const TITLE = { title: { type: "string" } };

describe("plinth processes, and schema apply beside processes of another version", () => {
  const database = serverDatabase();
  if (!database) return;
  let cwd = "";
  let older: PlinthApp | undefined;
  const column = async () =>
    (await older?.app.db.query({ text: "select 1 from pg_attribute where attname = 'lead'", values: [] }))?.length;

  before("start the older version beside the files of the newer one", async () => {
    cwd = writeProject({
      "package.json": '{ "type": "module", "version": "3.2.1" }',
      "config/database.json": JSON.stringify(database.config()),
      "src/api/article/content-types/article/schema.json": JSON.stringify(article(TITLE)),
    });
    older = createPlinth({
      root: cwd,
      plugins: [],
      app: { contentTypes: { "api::article.article": article({ ...TITLE, lead: { type: "text" } }) } },
      config: { server: { port: 0 }, log: { level: "silent" }, database: database.config() },
    });
    await older.start();
    await older.app.db.query({ text: "insert into articles (document_id, lead) values ('a', 'kept')", values: [] });
  });
  after(() => older?.stop());

  it("lists who uses the database, with version and model", async () => {
    const { code, stdout, stderr } = await runPlinth(["processes", "--json"], { cwd });
    expect(code, stderr).to.equal(0);
    const [row, ...others] = JSON.parse(stdout) as Record<string, string>[];
    expect(others).to.deep.equal([]);
    expect(row).to.include({ version: "3.2.1" });
    expect(row?.["model"]).to.match(/^[0-9a-f]{64}$/);
    expect((await runPlinth(["processes"], { cwd })).stdout).to.match(/^ID +HOST +VERSION +MODEL +SINCE +SEEN$/m);
  });

  it("names the processes that use what a plan takes away", async () => {
    const db = older?.app.db as Database;
    const contentTypes = { "api::article.article": article(TITLE) };
    const newer = createPlinth({ root: cwd, plugins: [], app: { contentTypes }, config: { log: { level: "silent" } } });
    const plan = await planSync(db, newer.declareModel());
    const error = await assertUnused(db, plan).catch((err: PlinthError) => err);
    expect(error).to.include({ code: "PLINTH_SCHEMA_IN_USE" });
    expect((error as PlinthError).details).to.have.nested.property("processes[0].version", "3.2.1");
  });

  it("takes nothing away that another version uses, unless it is forced to", async () => {
    const refused = await runPlinth(["schema", "apply", "--allow-data-loss"], { cwd });
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include("PLINTH_SCHEMA_IN_USE").and.include("version 3.2.1");
    expect(await column()).to.equal(1);
    const forced = await runPlinth(["schema", "apply", "--allow-data-loss", "--force"], { cwd });
    expect(forced.code, forced.stderr).to.equal(0);
    expect(forced.stdout).to.include("phase: tables; lock: access exclusive");
    expect(await column()).to.equal(0);
  });

  it("no longer lists a process that has stopped", async () => {
    await older?.stop();
    expect((await runPlinth(["processes"], { cwd })).stdout).to.include("No process uses this database.");
  });
});
