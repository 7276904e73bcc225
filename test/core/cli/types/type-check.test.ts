import { expect } from "chai";
import { declareApp } from "#core/cli/types/declare-app.js";
import { type FilterOperator, SCALAR_TRAITS } from "#core/schema/attribute.js";
import { largeModel, shopModel } from "../../../types/shop-model.js";
import type { ProjectFiles } from "../../../projects.js";
import { fixture, typeCheck } from "../../../types/type-check.js";

const GENERATED = "types/generated.d.ts";

const shop = declareApp({
  model: shopModel(),
  actions: ["api::product.prices.list", "api::product.product.find"],
  configFiles: ["server", "mail"],
  serviceFiles: {
    "api::product.stock": "src/api/product/services/stock",
    "api::product.product": "src/api/product/services/product",
  },
  packages: [],
});

const CONFIG = { "config/server.ts": fixture("server.ts"), "config/mail.ts": fixture("mail.ts") };
const EQUAL = { "src/equal.ts": fixture("equal.ts") };

const mistakes = fixture("mistakes.ts");

/** What generated types do, and the files of a project that compiles if they do. */
const PROJECTS = {
  "give reads the types of what fields, populate and status ask for, and writes those of their data": {
    [GENERATED]: shop,
    ...CONFIG,
    ...EQUAL,
    "src/reads.ts": fixture("reads.ts"),
  },
  "make wrong names, operators, values and populate paths errors of the compiler": {
    [GENERATED]: shop,
    ...CONFIG,
    "src/mistakes.ts": mistakes,
  },
  "name uids, actions, configuration, hooks and the services of plugins and of the app": {
    [GENERATED]: shop,
    ...CONFIG,
    ...EQUAL,
    "src/prices.ts": fixture("prices.ts"),
    "src/api/product/services/stock.ts": fixture("stock.ts"),
    "src/api/product/services/product.ts": fixture("product.ts"),
    "src/around.ts": fixture("around.ts"),
  },
  "let each kind of attribute be compared by the operators that the server takes, and by no other": {
    [GENERATED]: shop,
    ...CONFIG,
    "src/operators.ts": operatorsOfAllKinds(),
  },
  "are not needed: without them every name compiles, and documents are of unknown content": {
    "src/loose.ts": `import { type App, definePermissions, transformOutput } from "@plinth/core";
export const permissions = definePermissions({ public: ["api::any.any.find", { action: "api::any.any.find", where: { a: 1 } }] });
export const output = transformOutput("api::any.any");
export async function read(app: App): Promise<unknown> {
  const any = app.documents("api::any.any");
  await any.create({ data: { anything: 1 } });
  const port: number | undefined = app.config.get<number>("server.port");
  const [found] = await any.findMany({ filters: { what: { ever: port } }, populate: "x.y.z", sort: "a:b" });
  return found?.["anything"];
}`,
  },
};

/** So many content-types, and so many of them used. */
const MANY = 500;
const USED = 100;
/** As many times the type check of a small project a check of all that may take. It takes 4 to 5 times as long. */
const LIMIT = 12;

describe("generated types", () => {
  const problems = new Map<string, string>();

  before("compile all projects", async () => {
    const said = await typeCheck(Object.values(PROJECTS));
    for (const [index, title] of Object.keys(PROJECTS).entries()) problems.set(title, said[index] ?? "not compiled");
  });

  for (const title of Object.keys(PROJECTS)) it(title, () => expect(problems.get(title)).to.equal(""));

  it("have mistakes to find", () => {
    expect(mistakes.match(/@ts-expect-error/g)?.length).to.be.greaterThan(50);
  });

  it(`are checked for ${MANY} content-types within ${LIMIT} times of what a small project takes`, async () => {
    const generated = declareApp({
      model: largeModel(MANY),
      actions: [],
      configFiles: [],
      serviceFiles: {},
      packages: [],
    });
    const large = { [GENERATED]: generated, "src/large.ts": useOfMany() };
    const [small] = Object.values(PROJECTS);
    let [quickest, quickestSmall] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    // What else the machine does counts as well, so that one slow run proves nothing.
    for (let run = 0; run < 3 && quickest >= LIMIT * quickestSmall; run++) {
      quickestSmall = Math.min(quickestSmall, await timeOf(small as ProjectFiles));
      quickest = Math.min(quickest, await timeOf(large));
    }
    expect(quickest / quickestSmall).to.be.lessThan(LIMIT);
  });
});

/** Milliseconds until a project is checked, in which nothing is wrong. */
async function timeOf(project: ProjectFiles): Promise<number> {
  const since = performance.now();
  expect(await typeCheck([project])).to.deep.equal([""]);
  return performance.now() - since;
}

/** Reads and writes of many content-types, with relations two levels deep, and permissions on all of them. */
function useOfMany(): string {
  const uses = Array.from({ length: USED }, (_, index) => {
    const uid = `api::thing-${index * 3}.thing-${index * 3}`;
    return `export async function use${index}(app: App): Promise<string | null | undefined> {
  const things = app.documents("${uid}");
  await things.create({ data: { title: "a", state: "new", others: ["x"], sections: [{ __component: "shop.quote", text: "b" }] } });
  const [found] = await things.findMany({
    filters: { $or: [{ views: { $gt: 1 } }, { next: { next: { title: { $contains: "a" } } } }] },
    sort: ["title:desc", "next.views"],
    populate: { next: { populate: { others: { fields: ["title"] } } }, sections: { on: { "shop.quote": true } } },
  });
  return found?.next?.others[0]?.title;
}`;
  });
  const rule = `export const permissions = definePermissions({
  public: ["api::*.find", { action: "api::thing-1.thing-1.find", where: { next: { title: "a" } } }],
});`;
  return ['import { type App, definePermissions } from "@plinth/core";', ...uses, rule].join("\n");
}

/** A filter by each operator on each kind of attribute, with the mark of an error where the server refuses it. */
function operatorsOfAllKinds(): string {
  const sample = {
    boolean: "true",
    ...Object.fromEntries(["integer", "float", "decimal"].map((kind) => [kind, "1"])),
  } as Readonly<Record<string, string>>;
  const kinds = Object.entries(SCALAR_TRAITS).filter(([kind]) => kind !== "uid" && kind !== "enumeration");
  const lines = kinds.flatMap(([kind, traits]) =>
    SCALAR_TRAITS.string.operators.map((operator) => {
      const value = sample[kind] ?? '"1"';
      const list = `[${value}, ${value}]`;
      const given = operator.endsWith("ull") ? "true" : /^\$(in|notIn|between)$/.test(operator) ? list : value;
      const filter = `  find({ filters: { ${kind}: { ${operator}: ${given} } } });`;
      const taken: readonly FilterOperator[] = traits.operators;
      return taken.includes(operator) ? filter : `  // @ts-expect-error refused\n${filter}`;
    }),
  );
  return `import type { App } from "@plinth/core";
export function all(app: App): void {
  const find = app.documents("api::product.product").findMany;
${lines.join("\n")}
}`;
}
