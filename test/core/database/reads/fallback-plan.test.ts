import { expect } from "chai";
import { compileQuery } from "#core/database/reads/compile-query.js";
import type { Database } from "#core/database/driver/database.js";
import type { Layout } from "#core/database/layout/layout.js";
import type { Query } from "#core/database/reads/query.js";
import { syncDatabase } from "#core/database/sync/sync-database.js";
import { buildModel } from "#core/schema/build-model.js";
import { eachDatabase } from "../../../databases.js";

const LOCALIZED = { pluginOptions: { i18n: { localized: true } } };
const DOCUMENTS = 50_000;

const model = buildModel({
  locales: ["en", "fr"],
  contentTypes: [
    {
      uid: "api::entry.entry",
      kind: "collectionType",
      collectionName: "entries",
      info: { singularName: "entry", pluralName: "entries", displayName: "Entry" },
      options: { draftAndPublish: true },
      ...LOCALIZED,
      attributes: { title: { type: "string", maxLength: 100, index: true, ...LOCALIZED }, rank: { type: "integer" } },
    },
  ],
});

const byTitle: Query = {
  type: "api::entry.entry",
  status: "published",
  locale: 1,
  fallback: [0],
  isOne: false,
  sort: [{ path: ["title"], direction: "asc" }],
  page: { start: 2, limit: 3 },
  selection: { fields: ["id", "title", "locale"], populate: [] },
  count: false,
};

/** By slot; -3 is the most bytes of the answer. */
const VALUES: Readonly<Record<number, string>> = { 0: "'en'", 1: "'fr'", 2: "0", 3: "25", [-3]: "8000000" };

/** What EXPLAIN says of a step of a plan. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Subplan Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly Plans?: readonly PlanNode[];
}

eachDatabase(({ connect }) => {
  describe("a page of 100,000 rows with a fallback", () => {
    let db: Database;
    let layout: Layout;

    before("write 50,000 documents in English and French", async () => {
      // How long 100,000 rows take is up to the machine.
      db = await connect({ statementTimeout: 0 });
      layout = await syncDatabase(db, model);
      const text =
        "insert into entries (document_id, locale, published_at, title, rank) select 'd' || n, l, now(), md5(l || n), n from generate_series(1, $1::int) n, unnest(array['en', 'fr']) l where l = 'en' or n % $2::int <> 0 order by n, l";
      await db.query({ text, values: [DOCUMENTS, 1000] });
      await db.query({ text: "analyze entries", values: [] });
    });

    /** The steps of the plan that every call of a statement has, as it ran. */
    const planOf = (query: Query): Promise<readonly PlanNode[]> =>
      db.transaction(async () => {
        const { text: page, slots } = compileQuery(query, layout);
        await db.query({ text: `prepare page as ${page}`, values: [] });
        const values = slots.map((slot) => VALUES[slot]);
        const text = `explain (analyze, format json) execute page(${values.join(", ")})`;
        const [row] = await db.query<{ "QUERY PLAN": readonly { readonly Plan: PlanNode }[] }>({ text, values: [] });
        await db.query({ text: "deallocate page", values: [] });
        return stepsOf(row?.["QUERY PLAN"][0]?.Plan);
      });
    const rowsIn = (steps: readonly PlanNode[]) =>
      Math.max(...steps.map((step) => step["Actual Rows"] * step["Actual Loops"]));

    it("by an attribute with an index touches about as many rows as it shows, and scans no table", async () => {
      const steps = await planOf(byTitle);
      expect(steps.map((step) => step["Node Type"]))
        .to.include("Merge Append")
        .and.not.include("Seq Scan");
      expect(rowsIn(steps)).to.be.lessThan(200);
    });

    for (const path of [["rank"], ["id"]])
      it(`by ${path[0]} looks up once which documents are in the locale`, async () => {
        const steps = await planOf({ ...byTitle, sort: [{ path, direction: "asc" }] });
        const lookUps = steps.filter((step) => step["Subplan Name"]?.startsWith("SubPlan"));
        expect(lookUps.map((step) => step["Actual Loops"])).to.deep.equal([1]);
      });
  });
});

const stepsOf = (plan: PlanNode | undefined): readonly PlanNode[] =>
  plan ? [plan, ...(plan.Plans ?? []).flatMap(stepsOf)] : [];
