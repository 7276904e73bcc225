import type { Page } from "playwright-core";
import { administratorOf, type BrowserApp } from "./browser-app.js";
import type { Screen } from "./screen.js";

const ARTICLE = "api::article.article";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const home = (page: Page) => page.getByRole("heading", { name: /Hello/, level: 1 }).waitFor();

/** Saved views, the search of everything and the list of keys, in their states. */
export async function listStates(app: BrowserApp): Promise<readonly Screen[]> {
  const { documentId: account } = await administratorOf(app.plinth.app, "super");
  const state = { q: "draft", filters: { $and: [{ rank: { $gte: "1" } }] }, columns: ["title", "rank"] };
  const data = { account, contentType: ARTICLE, name: "Drafts with a rank", state, roles: ["editor"], isShared: true };
  const { documentId: view } = await app.plinth.app.documents("plugin::admin.view").create({ data });
  const views = `/content/${ARTICLE}?q=other&view=${view}`;
  const tabs = (page: Page) => page.getByText("Changed", { exact: true }).waitFor();
  return [
    { name: "list-views", path: views, ready: tabs },
    {
      name: "list-view-dialog",
      path: views,
      ready: tabs,
      act: async (page) => {
        await button(page, "Save as another view").click();
        await page.getByRole("dialog", { name: "Save this list as a view" }).getByRole("checkbox").nth(1).waitFor();
      },
    },
    {
      name: "list-view-menu",
      path: views,
      ready: tabs,
      act: async (page) => {
        await button(page, "Actions for the view Drafts with a rank").click();
        await page.getByRole("menuitem").first().waitFor();
      },
    },
    {
      name: "palette",
      path: "",
      ready: home,
      act: async (page) => {
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox").fill("dra");
        await page.getByRole("option", { name: /Draft 1/ }).waitFor();
      },
    },
    {
      name: "keys",
      path: `/content/${ARTICLE}`,
      ready: (page) => page.getByRole("row").nth(1).waitFor(),
      act: async (page) => {
        await page.keyboard.press("?");
        await page.getByRole("dialog", { name: "Keys" }).waitFor();
      },
    },
  ];
}
