import { createPlinth, type Database } from "@plinth/core";
import { expect } from "chai";
import { serverDatabase } from "../../databases.js";
import { writeProject } from "../../projects.js";
import { runPlinth } from "./plinth-command.js";

const named = (name: string, attributes: object) => ({
  kind: "collectionType",
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
});
const TYPES: Readonly<Record<string, object>> = {
  tag: named("tag", { label: { type: "string" } }),
  note: named("note", {
    title: { type: "string" },
    tags: { type: "relation", relation: "manyToMany", target: "api::tag.tag" },
  }),
};

const projectOn = (database: object) =>
  writeProject({
    "config/database.json": JSON.stringify(database),
    ...Object.fromEntries(
      Object.entries(TYPES).map(([name, schema]) => [
        `src/api/${name}/content-types/${name}/schema.json`,
        JSON.stringify(schema),
      ]),
    ),
  });

describe("plinth database publication", () => {
  const database = serverDatabase();
  if (!database) return;
  let cwd = "";
  let db: Database;
  const publish = async (...args: string[]) => await runPlinth(["database", "publication", ...args], { cwd });
  const published = async () => {
    const text = "select tablename as name from pg_publication_tables where pubname = 'feed' order by 1";
    return (await db.query<{ name: string }>({ text, values: [] })).map(({ name }) => name);
  };

  before("make the tables", async () => {
    cwd = projectOn(database.config());
    const contentTypes = Object.fromEntries(
      Object.entries(TYPES).map(([name, type]) => [`api::${name}.${name}`, type]),
    );
    const config = { server: { port: 0 }, log: { level: "silent" }, database: database.config() };
    const plinth = createPlinth({ root: cwd, plugins: [], app: { contentTypes: contentTypes as never }, config });
    await plinth.start();
    await plinth.stop();
    db = await database.connect();
  });

  it("shows the statement, and changes nothing", async () => {
    const { code, stdout, stderr } = await publish("--types", "api::note.note", "--name", "feed");
    expect(code, stderr).to.equal(0);
    expect(stdout).to.equal('create publication "feed" for table "notes", "notes_links";\n');
    expect(await published()).to.deep.equal([]);
  });

  it("publishes the tables of the types with their links, and no others", async () => {
    const { code, stderr } = await publish("--types", "api::note.note", "--name", "feed", "--apply");
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include("wal_level");
    expect(await published()).to.deep.equal(["notes", "notes_links"]);
  });

  it("changes a publication that is there", async () => {
    const { code, stdout, stderr } = await publish(
      "--types",
      "api::tag.tag",
      "api::note.note",
      "--name",
      "feed",
      "--apply",
    );
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^alter publication "feed" set table /);
    expect(await published()).to.deep.equal(["notes", "notes_links", "tags"]);
  });

  it("refuses a type that is not there, before it changes anything", async () => {
    const { code, stderr } = await publish("--types", "api::note.notes", "--name", "feed", "--apply");
    expect([code, stderr.includes("PLINTH_CLI_TYPE_UNKNOWN")]).to.deep.equal([1, true]);
    expect(await published()).to.deep.equal(["notes", "notes_links", "tags"]);
  });

  it("makes no slot, so that the server keeps its log for nobody", async () => {
    const text = "select 1 from pg_replication_slots where database = current_database()";
    expect(await db.query({ text, values: [] })).to.deep.equal([]);
  });

  it("says why it does nothing on the embedded database", async () => {
    const alone = projectOn({ client: "pglite", directory: ":memory:" });
    const { code, stdout, stderr } = await runPlinth(["database", "publication", "--types", "api::tag.tag"], {
      cwd: alone,
    });
    expect([code, stdout, stderr.includes("embedded")]).to.deep.equal([0, "", true]);
  });
});
