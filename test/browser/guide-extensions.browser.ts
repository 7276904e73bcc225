import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { App } from "@plinth/core";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { signIn } from "../plugins/admin/sign-in.js";
import { fileOf, readBlocks } from "../docs/read-blocks.js";
import { copyTemplate, loadForTest, startForTest } from "../projects.js";
import { useBrowser } from "./browser.js";

const GUIDE = join(import.meta.dirname, "../../plugins/admin/guides/extending.md");
const ARTICLE = "api::article.article";
const BRAND = { name: "The Harbour", logo: "/logo.svg", accent: "#ffd54a" };

/** The files that the guide shows, by their paths in the app. */
const shownFiles = () =>
  Object.fromEntries(
    readBlocks(readFileSync(GUIDE, "utf8")).flatMap((block) => {
      const path = fileOf(block);
      return path === undefined ? [] : [[path, block.text]];
    }),
  );

describe("the extensions of the guide", () => {
  const open = useBrowser();
  let app: App;
  let url = "";
  let stop: (() => Promise<void>) | undefined;
  before("start the sample app with them", async () => {
    const setup = await loadForTest(copyTemplate(shownFiles()), { environment: "development" });
    const secrets = { "users-permissions": { jwtSecret: "of the tests of the guide only" } };
    const pluginConfigs = { ...setup.pluginConfigs, ...secrets, admin: { brand: BRAND } };
    const started = await startForTest({ ...setup, pluginConfigs });
    app = started.plinth.app;
    url = started.url;
    stop = () => started.plinth.stop();
  });
  after("stop it", () => stop?.());

  const enter = async (options: Parameters<typeof open>[0] = {}) => {
    const tab = await open(options);
    const { cookie = "" } = await signIn(app, "super");
    const [name = "", value = ""] = cookie.split("=");
    await tab.context.addCookies([{ name, value, url, httpOnly: true, sameSite: "Strict" }]);
    return tab;
  };
  const save = async (page: Page) => {
    await page.keyboard.press("Control+s");
    await page.getByRole("alertdialog").filter({ hasText: "Saved" }).waitFor();
  };

  it("bring a field for colours to the form, the list and its filter", async () => {
    const { page, wrong } = await enter();
    const { documentId } = await app.documents(ARTICLE).create({ data: { title: "Tides" } as never });
    await page.goto(`${url}/admin/content/${ARTICLE}/${documentId}`);
    await page.getByLabel("Colour").fill("#3f4fd0");
    await save(page);
    expect(await app.documents(ARTICLE).findOne({ documentId })).to.include({ colour: "#3f4fd0" });

    await page.goto(`${url}/admin/content/${ARTICLE}?columns=${encodeURIComponent('["title","colour"]')}`);
    await page.getByTitle("#3f4fd0").first().waitFor();
    await app.documents(ARTICLE).create({ data: { title: "Reefs", colour: "#17683a" } as never });
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByLabel("Field", { exact: true }).selectOption({ label: "Colour" });
    await page.getByLabel("Condition", { exact: true }).selectOption({ label: "is" });
    await page.getByLabel("Value", { exact: true }).selectOption("#3f4fd0");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("Colour is #3f4fd0").waitFor();
    await page.getByTitle("#3f4fd0").first().waitFor();
    expect(await page.getByTitle("#17683a").count()).to.equal(0);
    expect(wrong).to.deep.equal([]);
  });

  it("bring a panel that asks the endpoint of its plugin and changes a field, in the language of the page", async () => {
    const { page, wrong } = await enter({ locale: "de" });
    const { documentId } = await app
      .documents(ARTICLE)
      .create({ data: { title: "Ebb", summary: " Four words stand here " } as never });
    await page.goto(`${url}/admin/content/${ARTICLE}/${documentId}`);
    await page.getByText("Noch nicht gezählt.").waitFor();
    await page.getByRole("button", { name: "Zählen" }).click();
    await page.getByText("4 Wörter in der Zusammenfassung.").waitFor();
    await page.getByRole("button", { name: "Ränder entfernen" }).click();
    await page.keyboard.press("Control+s");
    await page.getByRole("alertdialog").waitFor();
    expect(await app.documents(ARTICLE).findOne({ documentId })).to.include({ summary: "Four words stand here" });
    expect(wrong).to.deep.equal([]);
  });

  it("bring a page to the navigation, below the name, logo and colour of the owner", async () => {
    const { page } = await enter();
    await app.documents(ARTICLE).create({ data: { title: "Currents", readingMinutes: 90 } as never });
    await page.goto(`${url}/admin`);
    await page.getByRole("link", { name: BRAND.name }).locator("img").waitFor({ state: "attached" });
    await page.getByRole("link", { name: "Long reads" }).click();
    await page.getByRole("heading", { name: "Long reads", level: 1 }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "90 min" }).getByRole("button", { name: "Currents" }).click();
    await page.getByRole("textbox", { name: "Title" }).waitFor();
    const publish = page.getByRole("button", { name: "Publish", exact: true });
    const colours = await publish.evaluate((button) => {
      const { backgroundColor, color } = getComputedStyle(button);
      return { backgroundColor, color };
    });
    // What stands on a light colour is dark, so that it can be read.
    expect(colours.backgroundColor).to.equal("rgb(255, 213, 74)");
    expect(colours.color).to.match(/^oklch\(0 |^rgb\(0, 0, 0\)/);
  });
});
