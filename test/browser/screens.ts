import type { Page } from "playwright-core";
import type { BrowserApp } from "./browser-app.js";
import { findOption } from "./find-option.js";
import type { Screen } from "./screen.js";

export type { Screen } from "./screen.js";

const ARTICLE = "api::article.article";

/** A group within a group. */
const FILTERS = {
  $and: [{ title: { $containsi: "draft" } }, { $or: [{ rank: { $gte: "2" } }, { cover: { $notNull: "true" } }] }],
};

const heading = (name: string | RegExp) => (page: Page) => page.getByRole("heading", { name, level: 1 }).waitFor();
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const titleField = (page: Page) => field(page, "Title").waitFor();
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name }).waitFor();
const question = (page: Page, name: string) => page.getByRole("alertdialog", { name }).waitFor();

/** What is open, or said, on a screen as it is loaded. */
export const screens = (documentId: string): readonly Screen[] => [
  { name: "sign-in", path: "", isSignedOut: true, ready: heading("Sign in") },
  { name: "welcome", path: "/welcome#code", isSignedOut: true, ready: heading("Welcome") },
  { name: "home", path: "", ready: heading(/Hello/) },
  { name: "list", path: `/content/${ARTICLE}`, ready: (page) => page.getByRole("row").nth(2).waitFor() },
  {
    name: "list-nothing-found",
    path: `/content/${ARTICLE}?q=zzzz`,
    ready: (page) => page.getByText("Nothing found").waitFor(),
  },
  {
    name: "list-filtered",
    path: `/content/${ARTICLE}?filters=${encodeURIComponent(JSON.stringify(FILTERS))}`,
    ready: (page) => page.getByText("Rank is at least 2").waitFor(),
  },
  { name: "list-empty", path: "/content/api::tag.tag", ready: (page) => page.getByText("No Tag yet").waitFor() },
  { name: "edit-new", path: `/content/${ARTICLE}/new`, ready: titleField },
  { name: "edit", path: `/content/${ARTICLE}/${documentId}`, ready: titleField },
  { name: "published", path: `/content/${ARTICLE}/${documentId}?tab=published`, ready: titleField },
  {
    name: "single",
    path: "/single/api::home.home",
    ready: (page) => page.getByRole("textbox", { name: "Heading" }).waitFor(),
  },
  { name: "not-found", path: "/content/api::gone.gone", ready: (page) => page.getByText("Not found").waitFor() },
  {
    name: "forbidden",
    path: `/content/${ARTICLE}`,
    role: "visitor",
    ready: (page) => page.getByText("You do not have access to this").waitFor(),
  },
];

/** What is open, or said, after something was done. */
export async function states(app: BrowserApp, documentId: string): Promise<readonly Screen[]> {
  const edit = (name: string, act: NonNullable<Screen["act"]>, id = documentId): Screen => ({
    ...{ name, act, path: `/content/${ARTICLE}/${id}`, ready: titleField },
  });
  // What is typed and not saved is there again when a document is opened: those that are typed into are shown once.
  const typedInto = async (name: string, act: (page: Page, id: string) => Promise<unknown>) => {
    const sections = [
      { __component: "shared.step", text: "First" },
      { __component: "shared.step", text: "Second" },
    ];
    const id = await app.create(ARTICLE, { title: name, sections });
    return edit(name, (page) => act(page, id), id);
  };
  const list = (name: string, act: NonNullable<Screen["act"]>): Screen => ({
    ...{ name, act, path: `/content/${ARTICLE}`, ready: (page) => page.getByRole("row").nth(2).waitFor() },
  });
  return [
    { ...list("list-filter", async (page) => button(page, "Filter").click()), isPopover: true },
    { ...list("list-columns", async (page) => button(page, "Columns").click()), isPopover: true },
    {
      ...list("list-row-menu", async (page) => {
        await page.getByRole("row").nth(1).getByRole("button").last().click();
        await page.getByRole("menuitem").first().waitFor();
      }),
      isPopover: true,
    },
    {
      ...edit(
        "combobox",
        async (page) => (await findOption(page, page.getByRole("combobox", { name: "Author" }), "Ada")).waitFor(),
        await app.create(ARTICLE, { title: "Without an author" }),
      ),
      isPopover: true,
    },
    {
      name: "list-set-value",
      path: `/content/${ARTICLE}`,
      ready: (page) => page.getByRole("row").nth(2).waitFor(),
      act: async (page) => {
        await page.getByRole("checkbox", { name: "Select all rows of this page" }).click();
        await button(page, "Set a value").click();
        await page.getByRole("alertdialog").getByRole("textbox").waitFor();
      },
    },
    edit("menu", async (page) => {
      await button(page, "More actions").click();
      await page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
    }),
    edit("menu-of-card", async (page) => {
      await button(page, "Actions for item 1").click();
      await page.getByRole("menuitem", { name: "Move down" }).waitFor();
    }),
    edit("move-to", async (page) => {
      await button(page, "Actions for item 1").click();
      await page.getByRole("menuitem", { name: "Move to…" }).click();
      await dialog(page, "Move to…");
    }),
    edit("component-picker", async (page) => {
      await button(page, "Add Sections").click();
      await page.getByRole("region", { name: "shared" }).waitFor();
    }),
    edit("library", async (page) => {
      await button(page, "Choose from the library").click();
      await dialog(page, "Library");
    }),
    edit("create-in-place", async (page) => {
      await button(page, "New Tag").click();
      await dialog(page, "New Tag");
    }),
    edit("create-in-place-question", async (page) => {
      await button(page, "New Tag").click();
      await field(page, "Name").fill("Half a tag");
      await page.keyboard.press("Escape");
      await question(page, "Discard what you typed?");
    }),
    edit("delete-question", async (page) => {
      await button(page, "More actions").click();
      await page.getByRole("menuitem", { name: "Delete", exact: true }).click();
      await question(page, "Delete this document?");
    }),
    await typedInto("conflict", async (page, id) => {
      await field(page, "Summary").fill("Of mine");
      await app.plinth.app.documents(ARTICLE).update({ documentId: id, data: { summary: "Of theirs" } });
      await button(page, "Save").click();
      await dialog(page, "Two people changed this");
    }),
    await typedInto("removed-card", async (page) => {
      await button(page, "Actions for item 2").click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByText("Step removed").first().waitFor();
    }),
    edit("offline", async (page) => {
      await page.context().setOffline(true);
      await page.getByText(/No network since/).waitFor();
    }),
    await typedInto("sign-in-again", async (page) => {
      await field(page, "Title").fill("Not saved yet");
      await page.context().clearCookies();
      // It is said by whatever is sent next: what was typed, or where the reader is.
      await question(page, "Sign in again");
    }),
    {
      name: "problems",
      path: `/content/${ARTICLE}/new`,
      ready: titleField,
      act: async (page) => {
        await button(page, "Add Seo").click();
        await button(page, "Publish").click();
        await page.getByRole("alert", { name: /things have to be corrected/ }).waitFor();
      },
    },
  ];
}
