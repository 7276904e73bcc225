import { expect } from "chai";
import { unlimited } from "#core/access/ability.js";
import type { Database, Statement } from "#core/database/driver/database.js";
import { type PlanNode, wholeTableUnits } from "#core/database/reads/plan-units.js";
import { createReader } from "#core/database/reads/reader.js";
import type { Reader } from "#core/database/reads/read.js";
import { syncDatabase } from "#core/database/sync/sync-database.js";
import { parseReadParams } from "#core/documents/params/parse-params.js";
import { buildModel } from "#core/schema/build-model.js";
import { eachDatabase } from "../../../databases.js";

const ROWS = 100_000;

/** Points of a read that looks at each of these rows, which are short ones. */
const EXPENSIVE = 20_000;

const STONE = "api::stone.stone";

const localized = { pluginOptions: { i18n: { localized: true } } };

const model = buildModel({
  locales: ["en", "fr"],
  contentTypes: [
    {
      uid: "api::leaf.leaf",
      kind: "collectionType",
      collectionName: "leaves",
      info: { singularName: "leaf", pluralName: "leaves", displayName: "Leaf" },
      options: { draftAndPublish: true },
      ...localized,
      attributes: { name: { type: "string", ...localized }, shade: { type: "integer", index: true } },
    },
    {
      uid: "api::stone.stone",
      kind: "collectionType",
      collectionName: "stones",
      info: { singularName: "stone", pluralName: "stones", displayName: "Stone" },
      options: { draftAndPublish: false },
      attributes: {
        name: { type: "string" },
        weight: { type: "integer" },
        code: { type: "string", index: true },
        color: { type: "integer", index: true },
        heap: { type: "relation", relation: "manyToOne", target: "api::heap.heap", inversedBy: "stones" },
      },
    },
    {
      uid: "api::heap.heap",
      kind: "collectionType",
      collectionName: "heaps",
      info: { singularName: "heap", pluralName: "heaps", displayName: "Heap" },
      options: { draftAndPublish: false },
      attributes: {
        name: { type: "string" },
        stones: { type: "relation", relation: "oneToMany", target: "api::stone.stone", mappedBy: "heap" },
      },
    },
  ],
});

/** Every heap has ten stones, and every second stone is of color 1. */
const FILL = [
  `insert into stones (document_id, published_at, name, weight, code, color, heap, heap_position)
    select 'stone' || n, now(), 'Stone ' || n, n, 'code' || n, case when n % 2 = 0 then 1 else n end, 'heap' || n / 10, n
    from generate_series(1, ${ROWS}) n`,
  `insert into heaps (document_id, published_at, name) select 'heap' || n, now(), 'Heap ' || n from generate_series(0, ${ROWS / 10}) n`,
  `insert into leaves (document_id, locale, published_at, name, shade)
    select 'leaf' || n, locale, published, 'Leaf ' || n, n % 1000
    from generate_series(1, ${ROWS / 2}) n, (values ('en', now()), ('en', null)) as v(locale, published)`,
  "analyze leaves",
  "analyze stones",
  "analyze heaps",
];

describe("what a read of large tables costs", () => {
  eachDatabase(({ connect }) => {
    let reader: Reader;
    /** What the reader asked the database. */
    const asked: string[] = [];

    before(async () => {
      const db = await connect();
      const layout = await syncDatabase(db, model);
      for (const text of FILL) await db.query({ text, values: [] });
      reader = createReader(noting(db, asked), layout);
    });

    /** Points of a list as a client asks for it, counted or not. */
    const pointsOf = async (params: object, withCount = true, uid = STONE) => {
      const type = model.contentTypes.get(uid);
      if (!type) throw new Error(uid);
      const limits = { defaultLimit: 25, maxLimit: 100, withCount };
      const options = { visibility: "public", ability: unlimited, kind: "list", limits, defaultStatus: "published" };
      return await reader.pointsOf(
        parseReadParams(model, type, params, options as Parameters<typeof parseReadParams>[3]),
      );
    };
    const isExpensive = async (params: object, withCount = true, uid = STONE) =>
      (await pointsOf(params, withCount, uid)) > EXPENSIVE;

    for (const params of [
      { sort: "name" },
      { sort: "updatedAt:desc" },
      { filters: { weight: -1 } },
      { filters: { name: { $contains: "zz" } } },
      { filters: { name: { $containsi: "zz" } } },
      { filters: { heap: { name: { $containsi: "zz" } } } },
      { filters: { color: 1 }, sort: "name" },
      { _q: "zz" },
      { sort: "name", populate: { heap: { filters: { name: { $containsi: "z".repeat(1000) } } } } },
    ])
      it(`is high where no index serves it: ${JSON.stringify(params)}`, async () => {
        expect([await isExpensive(params), await isExpensive(params, false)]).to.deep.equal([true, true]);
      });

    for (const params of [
      {},
      { sort: "id:desc" },
      { sort: "color" },
      { filters: { code: "code7" } },
      { filters: { color: 7 }, sort: "name" },
      { filters: { documentId: "stone7" } },
      { filters: { heap: { documentId: "heap7" } }, populate: "heap" },
      { populate: "heap", pagination: { pageSize: 100 } },
    ])
      it(`is low where an index serves it: ${JSON.stringify(params)}`, async () => {
        expect([await isExpensive(params), await isExpensive(params, false)]).to.deep.equal([false, false]);
      });

    for (const params of [
      { locale: "*" },
      { pagination: { page: 50 } },
      { filters: { shade: 7 } },
      { sort: "shade", pagination: { pageSize: 100 } },
    ])
      it(`is low in several versions and locales where an index serves it: ${JSON.stringify(params)}`, async () => {
        const leaf = "api::leaf.leaf";
        expect([await isExpensive(params, true, leaf), await isExpensive(params, false, leaf)]).to.deep.equal([
          false,
          false,
        ]);
      });

    it("is low for a page with a fallback, whose rows are merged one by one, but for its total", async () => {
      const params = { locale: "fr", fallbackLocale: "en" };
      expect(await isExpensive(params, false, "api::leaf.leaf")).to.equal(false);
    });

    it("is low where a short list of each row is populated by an index", async () => {
      const params = { populate: "stones", pagination: { pageSize: 100 } };
      expect(await isExpensive(params, true, "api::heap.heap")).to.equal(false);
    });

    it("knows that to fold letters takes longer than to compare numbers", async () => {
      const [number, text] = [
        await pointsOf({ filters: { weight: 3 } }),
        await pointsOf({ filters: { name: { $eqi: "z" } } }),
      ];
      expect(text).to.be.greaterThan(2 * number);
    });

    it("is asked for once for equal reads, and for other values of one form by one statement more", async () => {
      const explained = async (...all: readonly object[]) => {
        asked.length = 0;
        await Promise.all(all.map((params) => pointsOf(params)));
        return asked.filter((text) => text.startsWith("explain")).length;
      };
      expect(await explained({ filters: { weight: 5 } }, { filters: { weight: 5 } })).to.equal(1);
      expect(await explained({ filters: { weight: 5 } })).to.equal(0);
      expect(await explained({ filters: { weight: 6 } })).to.equal(1);
      expect(asked.filter((text) => text.startsWith("prepare"))).to.deep.equal([]);
      await explained({ filters: { weight: { $lt: 5 } } }, { filters: { weight: { $lt: 6 } } });
      expect(asked.filter((text) => text.startsWith("prepare"))).to.have.length(1);
    });
  });
});

describe("the plan of a read for all values, which is the one that runs", () => {
  const node = (type: string, cost: number, plans: readonly PlanNode[] = []): PlanNode => ({
    "Node Type": type,
    "Startup Cost": 0,
    "Total Cost": cost,
    "Plan Rows": 1,
    Plans: plans,
  });

  it("costs at least the tables that it reads whole, and nothing for those that it reads by an index", () => {
    expect(wholeTableUnits(node("Sort", 300, [node("Seq Scan", 200), node("Index Scan", 50)]))).to.equal(200);
    expect(wholeTableUnits(node("Limit", 4, [node("Index Scan", 50)]))).to.equal(0);
  });
});

/** The same database, which notes the statements that it is asked. */
function noting(db: Database, asked: string[]): Database {
  const note = (given: unknown) => {
    for (const statement of [given].flat()) asked.push((statement as Statement).text);
  };
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: readonly unknown[]) => {
        if (name === "query" || name === "queryAll") note(args[0]);
        return (value as (...given: readonly unknown[]) => unknown).apply(target, [...args]);
      };
    },
  });
}
