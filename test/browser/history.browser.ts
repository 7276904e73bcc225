import { expect } from "chai";
import type { Page } from "playwright-core";
import { useBrowser } from "./browser.js";
import { administratorOf, serveBrowserApp } from "./browser-app.js";

const ARTICLE = "api::article.article";
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const said = (page: Page, text: string) => page.getByRole("alertdialog").filter({ hasText: text });
const versions = (page: Page) => page.getByRole("navigation", { name: "All versions" }).getByRole("link");
const difference = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const text = (words: string) => [{ type: "paragraph", children: [{ type: "text", text: words }] }];

describe("earlier versions", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  const documents = (uid: string = ARTICLE) => app().plinth.app.documents(uid);
  const openAs = async (role: string, path: string) => {
    const tab = await open();
    await app().enter(tab, role);
    await tab.page.goto(`${app().url}/admin${path}`);
    return tab;
  };

  it("are listed with author, time and what changed, compared by kind, and given back to the form field by field", async () => {
    const { documentId: account } = await administratorOf(app().plinth.app, "super");
    await documents("plugin::api-tokens.admin").update({ documentId: account, data: { name: "Nora Field" } });
    const [ada, grace] = [
      await app().create("api::author.author", { name: "Ada" }),
      await app().create("api::author.author", { name: "Grace" }),
    ];
    const [blue, red] = [
      await app().create("api::tag.tag", { name: "Blue" }),
      await app().create("api::tag.tag", { name: "Red" }),
    ];
    const quote = (words: string) => ({ __component: "shared.quote", words });
    const documentId = await app().create(ARTICLE, {
      ...{
        title: "The first title",
        summary: "It weaves patterns of numbers",
        rank: 3,
        day: "2026-03-01",
        isHot: true,
      },
      ...{ body: [...text("Stays."), ...text("The engine thinks.")], notes: "# Sources", settings: { colour: "blue" } },
      ...{ author: { connect: [ada] }, tags: { connect: [blue, red] }, seo: { metaTitle: "Old" } },
      sections: [quote("To be"), { __component: "shared.step", text: "Then" }],
    });
    const before = (await app().read(ARTICLE, documentId))["sections"] as { id: number; __component: string }[];
    await documents().update({
      documentId,
      data: {
        ...{
          title: "The second title",
          summary: "It weaves figures of numbers",
          rank: 4,
          day: "2026-04-02",
          isHot: false,
        },
        ...{
          body: [...text("Stays."), ...text("The engine computes.")],
          notes: "# Books",
          settings: { colour: "red" },
        },
        ...{ author: { set: [grace] }, tags: { set: [red] }, seo: { metaTitle: "New" } },
        sections: [{ __component: "shared.quote", id: before[0]?.id, words: "To be, or not" }, quote("Added")] as never,
      },
      status: "published",
    });
    const { page, wrong } = await openAs("super", `/content/${ARTICLE}/${documentId}`);
    await page.getByRole("link", { name: "Versions", exact: true }).click();
    await versions(page).first().waitFor();
    expect(await versions(page).allInnerTexts()).to.have.length(2);
    expect((await versions(page).nth(0).innerText()).replaceAll("\n", " ")).to.match(
      /Saved and published.*The server.*Title/,
    );
    expect(await versions(page).nth(1).innerText()).to.match(/Created[\s\S]*Nora Field/);
    // Without a choice it is the version before the last, compared with the form.
    expect(page.url()).to.contain("tab=history").and.not.contain("version=");
    const words = async (name: string) => (await difference(page, name).innerText()).replace(/\s+/g, " ");
    await difference(page, "Summary").locator("del").filter({ hasText: "patterns" }).waitFor();
    await difference(page, "Summary").locator("ins").filter({ hasText: "figures" }).waitFor();
    expect(await words("Body")).to.match(/1 paragraph or block is unchanged.*The engine.*thinks.*computes/);
    expect(await words("Author")).to.match(/Ada.*Grace/);
    expect(await words("Tags")).to.match(/Removed: Blue.*Red/);
    expect(await words("Rank")).to.match(/3.*4/);
    expect(await words("Day")).to.match(/March 1, 2026.*April 2, 2026/);
    expect(await words("Is hot")).to.match(/Yes.*No/);
    expect(await words("Seo")).to.match(/Old.*New/);
    expect(await words("Sections")).to.match(/1\. Quote.*or not.*Step.*Removed.*2\. Quote.*Added/);
    expect(await words("Settings")).to.match(/blue[\s\S]*red/);
    // One field goes back to the form, is taken back, and goes again: nothing is saved.
    await button(page, "Restore Summary").click();
    await difference(page, "Summary").waitFor({ state: "detached" });
    await page.getByText("Not saved").waitFor();
    await said(page, "Summary is in the form as it was").getByRole("button", { name: "Undo" }).click();
    await button(page, "Restore Summary").click();
    await button(page, "Restore Sections").click();
    await button(page, "Restore Author").click();
    expect(await app().read(ARTICLE, documentId)).to.include({ summary: "It weaves figures of numbers" });
    await page.getByRole("link", { name: "Draft", exact: true }).click();
    expect(await field(page, "Summary").inputValue()).to.equal("It weaves patterns of numbers");
    await button(page, "Save").click();
    await said(page, "Saved").waitFor();
    const saved = await app().read(ARTICLE, documentId);
    expect(saved).to.include({ summary: "It weaves patterns of numbers", title: "The second title" });
    const sections = saved["sections"] as { __component: string; words?: string; text?: string }[];
    expect(sections.map((each) => each.words ?? each.text)).to.deep.equal(["To be", "Then"]);
    expect((saved["author"] as { items: { title: string }[] }).items.map(({ title }) => title)).to.deep.equal(["Ada"]);
    // What is published stays as it is until somebody publishes.
    expect((await documents().findOne({ documentId, status: "published" }))?.["summary"]).to.equal(
      "It weaves figures of numbers",
    );
    expect(wrong).to.deep.equal([]);
  });

  it("are compared with each other by an address, restored as a whole, and say what is no more", async () => {
    const tag = await app().create("api::tag.tag", { name: "Gone" });
    const documentId = await app().create(ARTICLE, { title: "One", summary: "first", tags: { connect: [tag] } });
    await documents().update({ documentId, data: { summary: "second", tags: { set: [] } } });
    await documents().update({ documentId, data: { title: "Three", summary: "third" } });
    await documents("api::tag.tag").delete({ documentId: tag });
    const { page } = await openAs("super", `/content/${ARTICLE}/${documentId}?tab=history`);
    await versions(page).nth(2).click();
    await page.getByText("Tags: 1 linked document is not there any more.").waitFor();
    const select = page.getByLabel("Compared with");
    await select.selectOption({ index: 2 });
    await difference(page, "Summary").locator("ins").filter({ hasText: "second" }).waitFor();
    expect(await difference(page, "Title").count()).to.equal(0);
    const address = page.url();
    expect(address).to.match(/version=[\w-]+&with=[\w-]+|with=[\w-]+.*version=[\w-]+/);
    await page.goto(`${app().url}/admin/`);
    await page.goto(address);
    await difference(page, "Summary").locator("ins").filter({ hasText: "second" }).waitFor();
    await select.selectOption({ label: "The form as it is now" });
    await button(page, "Restore everything").click();
    await page.getByText("There is no difference.").waitFor();
    await page.keyboard.press("Control+s");
    await said(page, "Saved").waitFor();
    expect(await app().read(ARTICLE, documentId)).to.include({ title: "One", summary: "first" });
    await versions(page).nth(3).waitFor();
    // What is refused is said here as well, and leads to its field.
    await documents().update({ documentId, data: { title: null } });
    await versions(page).nth(4).waitFor();
    await button(page, "Publish").click();
    await page
      .getByRole("alert")
      .getByRole("button", { name: /^Title/ })
      .click();
    await field(page, "Title").waitFor();
    expect(page.url()).not.to.contain("tab=");
    await field(page, "Title").fill("Published");
    await button(page, "Publish").click();
    await said(page, "Published").waitFor();
    // What is live is shown no longer than it is live.
    await page.getByRole("link", { name: "Published", exact: true }).click();
    await page.locator("input[readonly]").first().waitFor();
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Unpublish" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Unpublish" }).click();
    await page.waitForURL((url) => !url.searchParams.has("tab"));
    await button(page, "Publish").waitFor();
  });

  it("bring back what was deleted, as a draft, after a look at it", async () => {
    const documentId = await app().create(
      ARTICLE,
      { title: "Deleted by mistake", summary: "still needed" },
      "published",
    );
    await documents().delete({ documentId });
    const { page } = await openAs("super", `/content/${ARTICLE}`);
    await page.getByRole("link", { name: "Deleted documents" }).click();
    await page.getByRole("heading", { name: "Article: deleted documents" }).waitFor();
    const row = page.getByRole("listitem").filter({ hasText: "Deleted by mistake" });
    expect(await row.innerText()).to.match(/English \(en\) · deleted by The server, /);
    await row.getByRole("button", { name: "Look at Deleted by mistake" }).click();
    const dialog = page.getByRole("dialog", { name: "Deleted by mistake" });
    await dialog.getByText("still needed").waitFor();
    await dialog.getByRole("button", { name: "Restore", exact: true }).click();
    await field(page, "Title").waitFor();
    expect(await field(page, "Summary").inputValue()).to.equal("still needed");
    expect((await app().read(ARTICLE, documentId))["_facts"]).to.include({ state: "draft" });
    expect(await documents().findOne({ documentId, status: "published" })).to.equal(null);
  });

  it("are shown to nobody whose role may not see them", async () => {
    const documentId = await app().create(ARTICLE, { title: "Without a past" });
    const { page } = await openAs("editor", `/content/${ARTICLE}/${documentId}`);
    await field(page, "Title").waitFor();
    expect(await page.getByRole("link", { name: "Versions", exact: true }).count()).to.equal(0);
    await page.goto(`${app().url}/admin/content/${ARTICLE}/deleted`);
    await page.getByText("You do not have access to this").waitFor();
  });
});
