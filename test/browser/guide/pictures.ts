import type { Locator, Page } from "playwright-core";
import type { BrowserApp } from "../browser-app.js";
import { signIn } from "../../plugins/admin/sign-in.js";
import { ARTICLE, changeArticle, type Magazine } from "./magazine.js";

/** When the pictures are taken, by the clock of the browser. */
export const NOW = new Date("2026-03-12T09:30:00Z");

/** A picture of the guides. */
export interface Picture {
  readonly name: string;
  /** Below `/admin`. */
  readonly path: string;
  readonly isSignedOut?: true;
  /** Whether it shows what others do: its stream of events never ends. */
  readonly isLive?: true;
  /** Whether another page stands in a frame of it: playwright never takes such a one for loaded, so `show` has to wait. */
  readonly hasFrame?: true;
  /** Whether the clock of the browser is that of the server: what it shows has times that the server gave. */
  readonly isToday?: true;
  /** Goes on until what is shown is there. */
  readonly show: (page: Page) => Promise<unknown>;
  /** What the picture is cut to; without it the whole window. */
  readonly of?: (page: Page) => readonly Locator[];
  /** Of the window, in pixels. */
  readonly height?: number;
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });
const at = (documentId: string, rest = "") => `/content/${ARTICLE}/${documentId}${rest}`;

/** With room for what opens below. */
const toTheMiddle = (locator: Locator) => locator.evaluate((element) => element.scrollIntoView({ block: "center" }));

const HOUR = 3_600_000;
const FILTERS = {
  $and: [{ tags: { name: { $eq: "Islands" } } }, { $or: [{ kind: { $eq: "report" } }, { issue: { $gte: "12" } }] }],
};
const COLUMNS = JSON.stringify(["title", "kind", "author", "issue"]);

/** All of them. @param app - where a colleague changes something meanwhile */
export const picturesOf = (app: BrowserApp, { lighthouse, ferry, soup, cover }: Magazine): readonly Picture[] => [
  {
    ...{ name: "sign-in", path: "", isSignedOut: true },
    show: (page) => field(page, "E-mail address").fill("nora.field@example.com"),
    of: (page) => [page.locator("form"), heading(page, "Sign in")],
  },
  {
    ...{ name: "home", path: "", height: 500 },
    show: async (page) => {
      for (const [hours, documentId] of [soup, ferry, lighthouse].entries()) {
        await page.clock.setFixedTime(new Date(NOW.getTime() - (3 - hours) * HOUR));
        await page.goto(new URL(`/admin${at(documentId)}`, page.url()).href);
        await field(page, "Title").waitFor();
      }
      await page.goto(new URL("/admin", page.url()).href);
      await page.getByRole("link", { name: "The slow ferry" }).waitFor();
    },
  },
  {
    ...{ name: "list", height: 640 },
    path: `/content/${ARTICLE}?columns=${COLUMNS}`,
    show: async (page) => {
      await page.getByRole("button", { name: "Actions for The slow ferry" }).click();
      await page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
    },
  },
  {
    ...{ name: "filter", height: 600 },
    path: `/content/${ARTICLE}?columns=${COLUMNS}&filters=${encodeURIComponent(JSON.stringify(FILTERS))}`,
    show: async (page) => {
      await page.getByRole("row").nth(1).waitFor();
      await button(page, "Tags › Name is Islands").click();
      await button(page, "Or another condition").waitFor();
    },
  },
  {
    ...{ name: "views", height: 560 },
    path: `/content/${ARTICLE}?columns=${COLUMNS}`,
    show: async (page) => {
      for (const [search, name] of [
        ["slow", "Slow travel"],
        ["light", "Lighthouses"],
      ] as const) {
        await page.getByRole("searchbox").fill(search);
        await page.getByRole("button", { name: /^Save as/ }).click();
        await page.getByRole("dialog").getByRole("textbox", { name: "Name" }).fill(name);
        await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
        await page.getByRole("dialog").waitFor({ state: "hidden" });
        await page.getByRole("button", { name: "Close" }).click();
      }
      await page.getByRole("searchbox").fill("");
      await page.getByText("Changed", { exact: true }).waitFor();
      await page.getByRole("row").nth(3).waitFor();
    },
  },
  {
    ...{ name: "palette", path: "", height: 560 },
    show: async (page) => {
      await heading(page, /Hello/).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("slo");
      await page.getByRole("option", { name: /The slow ferry/ }).waitFor();
    },
  },
  {
    ...{ name: "article", path: at(lighthouse), height: 900 },
    show: (page) => page.getByText("Forty steps, twice a night").waitFor(),
  },
  {
    ...{ name: "cards", path: at(ferry), height: 1000 },
    show: async (page) => {
      await toTheMiddle(page.locator("#place-sections"));
      await button(page, "Actions for item 1").click();
      await page.getByRole("menuitem", { name: "Duplicate" }).hover();
    },
    of: (page) => [page.locator("#place-sections"), page.getByRole("menu")],
  },
  {
    ...{ name: "relation", path: at(ferry), height: 1000 },
    show: async (page) => {
      const box = page.getByRole("combobox", { name: "Tags" });
      await toTheMiddle(box);
      await box.fill("r");
      await page.getByRole("option", { name: "Food" }).waitFor({ state: "hidden" });
      await page.getByRole("option", { name: "Harbours" }).waitFor();
    },
    of: (page) => [page.locator("#place-tags"), page.getByRole("listbox")],
  },
  {
    ...{ name: "library", path: `/content/${ARTICLE}/new`, height: 560 },
    show: async (page) => {
      await button(page, "Choose from the library").click();
      const dialog = page.getByRole("dialog", { name: "Library" });
      await dialog.getByRole("button", { name: /^lighthouse/ }).click();
    },
    of: (page) => [page.getByRole("dialog", { name: "Library" })],
  },
  {
    ...{ name: "media", path: "/media", height: 640 },
    show: async (page) => {
      await page.getByRole("gridcell").nth(5).waitFor();
      await button(page, "What is in Issues").click();
      await page.getByRole("checkbox", { name: "Select ferry-at-dawn.png" }).check();
      await page.getByRole("checkbox", { name: "Select night-train.png" }).check();
      await page.getByText("2 files selected").waitFor();
    },
  },
  {
    ...{ name: "file", path: `/media?file=${cover}`, height: 1200 },
    show: async (page) => {
      await page.getByRole("link", { name: /Keeper of the last light/ }).waitFor();
      const point = page.getByRole("button", { name: /^Focal point/ });
      const { width = 0, height = 0 } = (await point.boundingBox()) ?? {};
      await point.click({ position: { x: width * 0.7, y: height * 0.35 } });
    },
    of: (page) => [page.getByRole("dialog")],
  },
  {
    ...{ name: "problems", path: `/content/${ARTICLE}/new`, height: 520 },
    show: async (page) => {
      await button(page, "Add Sections").click();
      await page.getByRole("region", { name: "story" }).getByRole("button", { name: "Tip" }).click();
      await button(page, "Publish").click();
      await toTheMiddle(page.getByRole("alert", { name: /to be corrected/ }));
    },
  },
  {
    ...{ name: "published", path: at(lighthouse, "?tab=published"), height: 620 },
    show: (page) => page.getByText("The marked fields differ from the draft.").waitFor(),
  },
  {
    ...{ name: "languages", path: at(lighthouse, "?locale=de") },
    show: (page) => field(page, "Title").waitFor(),
    of: (page) => [page.getByRole("complementary", { name: "About this document" })],
  },
  {
    ...{ name: "presence", path: at(ferry), height: 460, isLive: true },
    show: async (page) => {
      const by = await signIn(app.plinth.app, "editor");
      const place = { uid: ARTICLE, documentId: ferry, locale: "en", field: "summary" };
      await app.ask("POST", "/admin/api/presence", by, { tab: "a1b2c3d4", at: place });
      await page.getByText("In this field:").waitFor({ state: "attached" });
    },
  },
  {
    ...{ name: "versions", path: at(lighthouse, "?tab=history"), height: 620 },
    show: (page) => page.getByRole("region", { name: "Summary", exact: true }).waitFor(),
  },
  {
    ...{ name: "side-by-side", path: at(lighthouse, "?locale=de&beside=en"), height: 760 },
    show: (page) => page.getByText("Forty steps, twice a night").waitFor(),
  },
  {
    ...{ name: "preview", path: at(ferry, "?preview=true"), height: 760, hasFrame: true },
    show: async (page) => {
      await button(page, "Phone").click();
      const site = page.frameLocator("iframe");
      await site.locator("h1").waitFor();
      await site.locator("img").evaluate((image: HTMLImageElement) => image.decode());
      await field(page, "Title").click();
    },
  },
  {
    ...{ name: "two-people", path: at(ferry), height: 640 },
    show: async (page) => {
      await field(page, "Summary").fill("Nine hours, four islands, and all the time in the world.");
      await changeArticle(app, ferry, "editor", {
        summary: "Nine hours across the sound, with one cup of tea an island.",
      });
      await button(page, "Save").click();
      await heading(page, "Two people changed this").waitFor();
    },
  },
  {
    ...{ name: "release", path: "/releases", height: 760 },
    show: async (page) => {
      await page.getByRole("link", { name: "Spring issue" }).click();
      await heading(page, "3 documents").waitFor();
      await page.getByRole("link", { name: "The slow ferry" }).waitFor();
    },
  },
  {
    ...{ name: "calendar", path: "/calendar", height: 860 },
    show: (page) => page.getByRole("link", { name: "Spring issue" }).waitFor(),
  },
];
