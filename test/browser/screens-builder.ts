import type { Page } from "playwright-core";
import type { Screen } from "./screens.js";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** A type that only tests of the builder draft: the app serves no files, so the draft is that of an answer. */
const SHAPES = [
  {
    ...{ uid: "api::book.book", shape: "type", path: "src/api/book/content-types/book/schema.json", form: "whole" },
    ...{ isChangeable: true, base: "x", others: { createdIn: { type: "string" } } },
    schema: {
      info: { singularName: "book", pluralName: "books", displayName: "Book" },
      options: { draftAndPublish: true },
      pluginOptions: { admin: { list: ["title", "pages"], layout: [["title", "pages"], ["summary"]] } },
      attributes: {
        title: { type: "string", required: true },
        pages: { type: "integer" },
        summary: { type: "richtext", conditions: { visible: { "==": [{ var: "title" }, "x"] } } },
      },
    },
  },
  {
    ...{ uid: "shared.seo", shape: "component", path: "src/components/shared/seo.json", form: "whole" },
    ...{ isChangeable: true, base: "y", others: {}, schema: { info: { displayName: "SEO" }, attributes: {} } },
  },
];

const PROBLEM = {
  uid: "api::book.book",
  path: "attributes.pages.min",
  message: "10 is greater than 1.",
  remedy: "Lower min.",
};
const PLAN = {
  problems: [],
  files: [
    {
      path: "src/api/book/content-types/book/schema.json",
      before: '{\n  "attributes": {\n    "pages": { "type": "integer" }\n  }\n}\n',
      after: '{\n  "attributes": {\n  }\n}\n',
    },
  ],
  steps: [
    {
      ...{ kind: "drop column", table: "books", column: "pages", phase: "tables", lock: "access exclusive" },
      ...{ losesContent: true, why: 'the attribute "pages" is gone' },
      sql: ['alter table "books" drop column "pages"'],
    },
  ],
  losses: [{ id: "api::book.book#pages", uid: "api::book.book", attribute: "pages", name: "pages" }],
  hash: "h",
};

/** Answers as a server does whose app is developed, with a draft that has begun. */
async function develop(page: Page, plan: object): Promise<void> {
  const view = { canChange: true, modelVersion: "1", shapes: SHAPES, change: null };
  await page.route("**/admin/api/builder", (route) => route.fulfill({ json: view }));
  await page.route("**/admin/api/builder/plan", (route) => route.fulfill({ json: plan }));
  const schema = { ...SHAPES[0]?.schema, kind: "collectionType" };
  const changes = { "api::book.book": { uid: "api::book.book", shape: "type", base: "x", schema } };
  await page.evaluate((draft) => sessionStorage.setItem("plinth-builder", JSON.stringify(draft)), { changes });
  await page.reload();
  await page.getByRole("heading", { name: "Book", level: 2 }).waitFor();
}

/** Screens of the builder as they are in production. */
export const builderScreens = (): readonly Screen[] => [
  {
    name: "builder",
    path: "/builder",
    ready: (page) => page.getByRole("heading", { name: "Choose a type or component" }).waitFor(),
  },
  {
    name: "builder-type-shown",
    path: "/builder/api::article.article",
    ready: (page) => page.getByRole("heading", { name: "Article", level: 2 }).waitFor(),
  },
  {
    name: "builder-forbidden",
    path: "/builder",
    role: "editor",
    ready: (page) => page.getByText("You do not have access to this").waitFor(),
  },
];

/** What is open in the builder where the app is developed. */
export function builderStates(): readonly Screen[] {
  const state = (name: string, act: (page: Page) => Promise<unknown>, plan: object = PLAN): Screen => ({
    ...{ name: `builder-${name}`, path: "/builder/api::book.book" },
    ready: (page) => page.getByRole("heading", { name: "Content model", level: 1 }).waitFor(),
    act: async (page) => {
      await develop(page, plan);
      await act(page);
    },
  });
  return [
    state("type", (page) => page.getByRole("button", { name: /^title/ }).waitFor()),
    state("attribute", async (page) => {
      await page.getByRole("button", { name: /^summary/ }).click();
      await page.getByRole("dialog", { name: "Attribute summary" }).waitFor();
    }),
    state("kinds", async (page) => {
      await button(page, "Add an attribute").click();
      await page.getByRole("region", { name: "Dates and times" }).waitFor();
    }),
    state("new-attribute", async (page) => {
      await button(page, "Add an attribute").click();
      await page.getByRole("button", { name: /^Relation/ }).click();
      await page.getByRole("dialog", { name: "New attribute: Relation" }).waitFor();
    }),
    state("new-type", async (page) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await button(page, "New type").click();
      await page.getByRole("dialog", { name: "New type" }).waitFor();
    }),
    state("plan", async (page) => {
      await button(page, "Plan").click();
      await page.getByRole("region", { name: "Content is lost" }).waitFor();
    }),
    state(
      "problems",
      async (page) => {
        await button(page, "Plan").click();
        await page.getByRole("dialog").getByText("10 is greater than 1.").waitFor();
        await button(page, "Cancel").click();
        await page.getByRole("button", { name: /^pages.*10 is greater/ }).waitFor();
      },
      { ...PLAN, problems: [PROBLEM], steps: [], losses: [], hash: null },
    ),
    state("undo-all", async (page) => {
      await button(page, "Undo all").click();
      await page.getByRole("alertdialog", { name: "Undo the whole draft?" }).waitFor();
    }),
  ];
}
