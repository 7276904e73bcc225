import { createPlinth, definePlugin, type PlinthApp } from "@plinth/core";
import { expect } from "chai";
import { doctorCommand } from "#core/cli/doctor-command.js";
import { compileQuery } from "#core/database/reads/compile-query.js";
import type { Finding } from "#core/database/doctor/finding.js";
import { findMissingIndexes } from "#core/database/doctor/slow-statements.js";
import { eachDatabase } from "../../databases.js";
import { runCommand } from "../../run-command.js";
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
    board: {
      kind: "collectionType",
      info: { singularName: "board", pluralName: "boards", displayName: "Board" },
      attributes: { pins: { type: "component", component: "notes.pin", repeatable: true } },
    },
  },
  components: {
    "notes.pin": {
      info: { displayName: "Pin" },
      attributes: { note: { type: "relation", relation: "oneToOne", target: "plugin::notes.note" } },
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

    /** Whether what was found last is an error. */
    let isGrave = false;
    const sql = (text: string) => plinth.app.db.query({ text, values: [] });
    const run = async (options: Readonly<Record<string, unknown>> = {}): Promise<string> => {
      const { stdout, hasFailed } = await runCommand(doctorCommand, plinth.app, { options });
      isGrave = hasFailed;
      return stdout;
    };
    /** What it finds in the app, whatever the server has or lacks. */
    const findings = async (options = {}) => {
      const { findings } = JSON.parse(await run({ ...options, json: true }));
      return findings.filter(
        ({ kind }: { kind: string }) => !["no statistics", "small cache", "end of life"].includes(kind),
      );
    };

    it("finds nothing in a new app", async () => {
      expect(await findings()).to.deep.equal([]);
      expect(isGrave).to.equal(false);
    });

    it("says which index of a content-type is missing, and what to do", async () => {
      const [{ indexname: name, indexdef: definition } = {}] = await sql(
        "select indexname, indexdef from pg_indexes where tablename = 'notes' and indexname like '%stars%'",
      );
      await sql(`drop index "${String(name)}"`);
      expect(await findings()).to.deep.equal([
        {
          weight: "warning",
          kind: "missing index",
          where: `notes ${String(name)}`,
          what: "is asked for by a content-type, and is not there",
          advice: "Run plinth schema apply, or start the app.",
        },
      ]);
      const shown = await run();
      await sql(String(definition));
      expect(shown)
        .to.match(/^WEIGHT +FOUND +WHERE +WHAT, AND WHAT TO DO$/m)
        .and.include(String(name));
      expect(isGrave, "a warning").to.equal(false);
    });

    it("notices totals that were written past, and counts them again when it is told to", async () => {
      await sql("alter table notes disable trigger user");
      await sql("insert into notes (document_id, published_at) values ('a', now())");
      await sql("alter table notes enable trigger user");
      const uid = "plugin::notes.note";
      expect(await findings()).to.have.nested.property("[0].where", uid);
      expect(isGrave, "an error").to.equal(true);
      expect(await plinth.app.documents(uid).count()).to.equal(0);
      expect(await findings({ repair: true })).to.deep.equal([]);
      expect(await plinth.app.documents(uid).count()).to.equal(1);
    });

    it("counts no table of more than a million rows, unless it is told to", async () => {
      await sql("insert into plinth_deltas (\"table\", is_draft, locale, rows) values ('notes', false, '', 1000001)");
      const [notCounted, ...others] = (await findings()) as Finding[];
      expect([notCounted?.kind, notCounted?.where, others]).to.deep.equal(["not counted", "plugin::notes.note", []]);
      expect(isGrave).to.equal(false);
      expect(await findings({ totals: true })).to.have.nested.property("[0].kind", "wrong total");
      expect(await findings({ repair: true })).to.deep.equal([]);
    });

    it("finds links of components that no component holds, and deletes them when it is told to", async () => {
      const uid = "plugin::notes.board";
      const notes = plinth.app.documents("plugin::notes.note");
      const held = await notes.create({ data: { text: "held" } });
      const unheld = await notes.create({ data: { text: "unheld" } });
      await plinth.app.documents(uid).create({ data: { pins: [{ note: held.documentId }] } });
      const links = () => sql("select target from boards_links order by target");
      const before = await links();
      expect(before).to.have.length(1);
      await sql(
        `insert into boards_links select source, attribute, '${unheld.documentId}', target_type, position, inverse_position from boards_links`,
      );
      expect(await findings()).to.deep.equal([
        {
          weight: "warning",
          kind: "surplus links",
          where: uid,
          what: "has links of components that no component holds (1): what they lead to counts as used",
          advice: "Run plinth doctor --repair when no earlier version of the app runs.",
        },
      ]);
      expect(await findings({ repair: true })).to.deep.equal([]);
      expect(await links()).to.deep.equal(before);
    });

    it("says what health checks with advice find, an error of those that fail", async () => {
      const advice = "Look there.";
      const problem = { kind: "dead things", where: "here", what: "2 are dead", advice: "Bury them." };
      const problems = [
        { ...problem, weight: "error" as const },
        { ...problem, weight: "hint" as const },
      ];
      const checks = [
        { name: "well", advice, run: () => ({ status: "ok" as const }) },
        { name: "silent", run: () => ({ status: "down" as const }) },
        { name: "full", advice, run: () => ({ status: "degraded" as const, reason: "has room for 3 bytes" }) },
        { name: "gone", advice, run: () => Promise.reject(new TypeError("nobody answers")) },
        { name: "late", advice, run: () => ({ status: "overloaded" as const }) },
        { name: "several", advice, run: () => ({ status: "degraded" as const, problems }) },
      ];
      const removals = checks.map((check) => plinth.app.health.add(check));
      expect(await findings()).to.deep.equal([
        { weight: "error", kind: "health check", where: "gone", what: "nobody answers", advice },
        { weight: "error", kind: "health check", where: "late", what: "is overloaded", advice },
        problems[0],
        { weight: "warning", kind: "health check", where: "full", what: "has room for 3 bytes", advice },
        problems[1],
      ]);
      expect(isGrave).to.equal(true);
      for (const remove of removals) remove();
      expect(await findings()).to.deep.equal([]);
    });

    it("names sequences that come to their end", async () => {
      const [{ name } = {}] = await sql("select pg_get_serial_sequence('notes', 'id') as name");
      const setTo = (part: number) => sql(`select setval('${String(name)}', (9223372036854775807 * ${part})::bigint)`);
      await setTo(0.81);
      expect((await findings()).map(({ weight, kind }: Finding) => [weight, kind])).to.deep.equal([
        ["warning", "sequence"],
      ]);
      await setTo(0.96);
      expect((await findings()).map(({ weight, kind }: Finding) => [weight, kind])).to.deep.equal([
        ["error", "sequence"],
      ]);
      await sql(`select setval('${String(name)}', 100)`);
      expect(await findings()).to.deep.equal([]);
    });
  });

  describe("of slow statements", () => {
    const sort = [{ path: ["title"], direction: "asc" as const }];
    const selection = { fields: ["id", "pages", "printedAt"], populate: [] };
    const slow = (operator: "$gt" | "$eq", mean: number, model = libraryModel) => {
      const filter = { op: "compare", field: "pages", operator, value: 1 } as const;
      const { text } = compileQuery({ ...books, filter, sort, selection }, libraryLayout);
      return findMissingIndexes(model, [{ text, calls: 100, mean, total: 4000 }]);
    };

    it("names the attributes that they compare and sort by, and not those that they show", () => {
      expect(slow("$gt", 40).map(({ where }) => where)).to.have.members([
        "api::book.book pages",
        "api::book.book title",
      ]);
      expect(slow("$gt", 1)).to.deep.equal([]);
    });

    it("names the index that one attribute's value and the order of another need together", () => {
      const [finding, ...others] = slow("$eq", 40);
      expect(others).to.deep.equal([]);
      expect(finding).to.include({ where: "api::book.book pages, title" });
      expect(finding?.advice).to.contain('"indexes": [["pages","title"]]');
      const book = libraryModel.contentTypes.get("api::book.book");
      if (!book) throw new TypeError("There is no book.");
      const contentTypes = new Map([[book.uid, { ...book, indexes: [["pages", "title"]] }]]);
      expect(slow("$eq", 40, { ...libraryModel, contentTypes })).to.deep.equal([]);
    });
  });
});
