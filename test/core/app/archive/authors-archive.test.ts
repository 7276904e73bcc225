import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "@plinth/core";
import { expect } from "chai";
import { writeProject } from "../../../projects.js";
import { runPlinth } from "../../cli/plinth-command.js";
import { importHere, whileServed } from "./archive-project.js";

const schemaOf = (name: string, more: object) =>
  JSON.stringify({
    kind: "collectionType",
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes: { name: { type: "string" } },
    ...more,
  });

/** An app whose content-type `writer` is that of authors. */
function writersProject(): string {
  return writeProject({
    "config/database.json": JSON.stringify({ client: "pglite", directory: ".plinth/data" }),
    "config/log.json": JSON.stringify({ level: "silent" }),
    "src/api/writer/content-types/writer/schema.json": schemaOf("writer", {
      authors: { fields: ["name"] },
      options: { archive: { part: "people", key: ["name"] } },
    }),
    "src/api/note/content-types/note/schema.json": schemaOf("note", { options: { draftAndPublish: true } }),
  });
}

/** Ada, who made herself, and Grace, whom Ada made and who changed Ada; a note of Ada's that Grace published. */
async function fill(app: App): Promise<void> {
  const writers = app.documents("api::writer.writer");
  const make = (name: string) => writers.create({ data: { name } });
  const authorOf = ({ id }: { readonly id: unknown }) => ({ id: Number(id) });
  const ada = await make("Ada");
  const grace = await writers.create({ data: { name: "Grace" }, author: authorOf(ada) });
  await writers.update({ documentId: String(ada["documentId"]), data: { name: "Ada" }, author: authorOf(grace) });
  const notes = app.documents("api::note.note");
  const note = await notes.create({ data: { name: "signed" }, author: authorOf(ada) });
  await notes.update({ documentId: note.documentId, data: {}, author: authorOf(grace), status: "published" });
  await notes.create({ data: { name: "nobody's" } });
}

const WHO = (table: string) => `select t.name, t.published_at is null as draft, c.name as by, u.name as last
  from ${table} t left join writers c on c.id = t.created_by_id left join writers u on u.id = t.updated_by_id
  order by 1, 2`;

const authorsIn = (root: string) =>
  whileServed(root, async ({ app }) => [
    await app.db.query({ text: WHO("notes"), values: [] }),
    await app.db.query({ text: WHO("writers"), values: [] }),
  ]);

describe("authors in an archive", function () {
  this.timeout(600_000);
  const source = writersProject();
  const place = mkdtempSync(join(tmpdir(), "plinth-authors-"));
  const file = join(place, "site.tar.gz");
  const notesOnly = join(place, "notes.tar.gz");

  before("export", async () => {
    await whileServed(source, ({ app }) => fill(app));
    for (const args of [
      ["export", file],
      ["export", notesOnly, "--types", "api::note.note"],
    ]) {
      const { code, stderr } = await runPlinth(args, { cwd: source });
      expect(code, stderr).to.equal(0);
    }
  });

  it("are the same people in an app whose people have other row ids", async () => {
    const root = writersProject();
    await whileServed(root, async ({ app }) => {
      for (const name of ["Mary", "Grace"]) await app.documents("api::writer.writer").create({ data: { name } });
      await app.db.query({ text: "delete from writers where name = 'Mary'", values: [] });
    });
    await importHere(root, file);
    const expected = await authorsIn(source);
    expect(expected[0]).to.deep.include({ name: "signed", draft: true, by: "Ada", last: "Grace" });
    expect(await authorsIn(root)).to.deep.equal(expected);
    for (const conflict of ["skip", "newer", "overwrite"] as const)
      expect(written(await importHere(root, file, conflict)), conflict).to.equal(0);
  });

  it("are nobody where the app does not know them, and a second import writes nothing", async () => {
    const root = writersProject();
    await importHere(root, notesOnly);
    const [notes] = await authorsIn(root);
    expect(notes?.map(({ by, last }) => [by, last])).to.deep.equal([
      [null, null],
      [null, null],
      [null, null],
    ]);
    expect(written(await importHere(root, notesOnly, "overwrite"))).to.equal(0);
    await importHere(root, file);
    expect(written(await importHere(root, file, "overwrite"))).to.equal(2);
    expect(written(await importHere(root, file, "overwrite"))).to.equal(0);
    expect(await authorsIn(root)).to.deep.equal(await authorsIn(source));
  });
});

const written = (types: Awaited<ReturnType<typeof importHere>>): number =>
  types.reduce((sum, each) => sum + each.written, 0);
