import { createPlinth, definePlugin, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { table } from "../../../core/src/cli/terminal.js";
import { doctorCommand } from "../../../core/src/cli/core-commands.js";
import { compileQuery } from "../../../core/src/database/reads/compile-query.js";
import { findMissingIndexes } from "../../../core/src/database/doctor/slow-statements.js";
import { eachDatabase } from "../../databases.js";
import { libraryLayout, libraryModel } from "../database/reads/library.js";
import { books } from "../database/reads/queries.js";

const notes = definePlugin({
  name: "notes",
  contentTypes: {
    note: {
      kind: "collectionType",
      info: { singularName: "note", pluralName: "notes", displayName: "Note" },
      attributes: { text: { type: "text" }, stars: { type: "integer", index: true } },
    },
  },
});

describe("plinth doctor", () => {
  eachDatabase((database) => {
    let plinth: PlinthApp;
    before("start an app", async () => {
      const config = { log: { level: "silent" }, database: database.config() };
      plinth = createPlinth({ root: import.meta.dirname, plugins: [notes], config });
      await plinth.start({ listen: false });
    });
    after("stop it", () => plinth.stop());

    const sql = (text: string) => plinth.app.db.query({ text, values: [] });
    const run = async (options: Readonly<Record<string, unknown>> = {}): Promise<string> => {
      const lines: string[] = [];
      const print = (line = "") => void lines.push(line);
      await doctorCommand.run({ app: plinth.app, arguments: {}, options, print, table });
      return lines.join("\n");
    };
    /** What it finds in the app, whatever the server has or lacks. */
    const findings = async (options = {}) => {
      const { findings } = JSON.parse(await run({ ...options, json: true }));
      return findings.filter(({ kind }: { kind: string }) => !["no statistics", "small cache"].includes(kind));
    };

    it("finds nothing in a new app", async () => {
      expect(await findings()).to.deep.equal([]);
    });

    it("says which index of a content-type is missing, and what to do", async () => {
      const [{ indexname: name, indexdef: definition } = {}] = await sql(
        "select indexname, indexdef from pg_indexes where tablename = 'notes' and indexname like '%stars%'",
      );
      await sql(`drop index "${String(name)}"`);
      expect(await findings()).to.deep.equal([
        {
          kind: "missing index",
          where: `notes ${String(name)}`,
          what: "is asked for by a content-type, and is not there",
          advice: "Run plinth schema apply, or start the app.",
        },
      ]);
      const shown = await run();
      await sql(String(definition));
      expect(shown)
        .to.match(/^FOUND +WHERE +WHAT, AND WHAT TO DO$/m)
        .and.include(String(name));
    });

    it("notices totals that were written past, and counts them again when it is told to", async () => {
      await sql("alter table notes disable trigger user");
      await sql("insert into notes (document_id, published_at) values ('a', now())");
      await sql("alter table notes enable trigger user");
      const uid = "plugin::notes.note";
      expect(await findings()).to.have.nested.property("[0].where", uid);
      expect(await plinth.app.documents(uid).count()).to.equal(0);
      expect(await findings({ repair: true })).to.deep.equal([]);
      expect(await plinth.app.documents(uid).count()).to.equal(1);
    });
  });

  it("names the attributes that slow statements compare and sort by, and not those that they show", () => {
    const { text } = compileQuery(
      {
        ...books,
        filter: { op: "compare", field: "pages", operator: "$gt", value: 1 },
        sort: [{ path: ["title"], direction: "asc" }],
        selection: { fields: ["id", "pages", "printedAt"], populate: [] },
      },
      libraryLayout,
    );
    const slow = { text, calls: 100, mean: 40, total: 4000 };
    const names = (mean: number) => findMissingIndexes(libraryModel, [{ ...slow, mean }]).map(({ where }) => where);
    expect(names(40)).to.have.members(["api::book.book pages", "api::book.book title"]);
    expect(names(1)).to.deep.equal([]);
  });
});
