import { expect } from "chai";
import type { Page } from "playwright-core";
import { withResolvers } from "#core/base/with-resolvers.js";
import { useBrowser } from "./browser.js";
import { serveBrowserApp } from "./browser-app.js";
import { expectSoon } from "./expect-soon.js";
import { addFile, addFolder, drawPicture, dropFiles, pasteFile } from "./library.js";

const ARTICLE = "api::article.article";
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const menuitem = (page: Page, name: string) => page.getByRole("menuitem", { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1, exact: true });
const said = (page: Page, text: string) => page.getByRole("alertdialog").filter({ hasText: text });
/** The cell of a file. */
const file = (page: Page, name: string) => page.getByRole("gridcell").filter({ hasText: name });
const names = (page: Page) =>
  page
    .getByRole("grid")
    .locator("[data-cell]")
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("title")));

describe("the files of the site", () => {
  const app = serveBrowserApp();
  const open = useBrowser();
  let picture: Uint8Array;
  let photo: Uint8Array;

  before("draw pictures", async () => {
    picture = await drawPicture(400, 200, "png", "#336699");
    photo = await drawPicture(300, 300, "jpeg", "#993366");
  });

  const find = async (name: string) => {
    const [found] = await app()
      .plinth.app.documents("plugin::upload.file")
      .findMany({
        ...{ filters: { name }, withPrivate: true },
      });
    return found;
  };

  it("are put into folders by dropping and pasting, each upload with its progress, its own error, and a way to cancel", async () => {
    const tab = await open();
    const { page } = tab;
    await app().enter(tab);
    await page.goto(`${app().url}/admin`);
    await page.getByRole("navigation").getByRole("link", { name: "Files" }).click();
    await page.getByText("No files yet").waitFor();
    await button(page, "New folder").click();
    await field(page, "Name of the folder").fill("Harbours");
    await page.keyboard.press("Enter");
    await said(page, "Folder Harbours created").waitFor();
    await page.getByRole("list", { name: "Folders in this one" }).getByRole("link", { name: "Harbours" }).click();
    await heading(page, "Harbours").waitFor();
    await dropFiles(page, [
      { name: "ship.png", type: "image/png", content: picture },
      { name: "false.pdf", type: "application/pdf", content: Buffer.from("no pdf") },
    ]);
    await file(page, "ship.png").waitFor();
    await page.getByRole("region", { name: "Uploads" }).getByRole("alert").filter({ hasText: "false.pdf" }).waitFor();
    await pasteFile(page, { name: "image.png", type: "image/png", content: picture });
    await file(page, "image.png").waitFor();
    expect((await find("ship.png"))?.["folderPath"]).to.match(/^\/\d+$/);
    // Slow enough to be cancelled on its way.
    const network = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
    await network.send("Network.emulateNetworkConditions", slow);
    await dropFiles(page, [
      { name: "large.bin", type: "application/octet-stream", content: Buffer.alloc(3_000_000, 1) },
    ]);
    await page.getByRole("progressbar", { name: "large.bin is being uploaded" }).waitFor();
    // Other folders are the same screen; another one would hide what becomes of it.
    await page.getByRole("navigation", { name: "Folders" }).getByRole("link", { name: "Harbours" }).click();
    await page.getByRole("link", { name: "Article", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Stay here" }).click();
    // The network is told of both on ways of their own: were it quick again first, the rest of the file would arrive.
    const ended = page.waitForEvent("requestfailed");
    await button(page, "Cancel large.bin").click();
    await ended;
    await network.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
    await button(page, "Clear the list").click();
    await page.getByRole("region", { name: "Uploads" }).waitFor({ state: "detached" });
    expect(await find("large.bin")).to.equal(undefined);
    expect(tab.wrong).to.deep.equal([]);
  });

  it("are found in a tree of folders that are renamed, moved and deleted, by the way back, a search, a kind and an order", async () => {
    const maps = await addFolder(app(), "Maps");
    const old = await addFolder(app(), "Old maps", maps);
    await addFile(app(), "chart.png", picture, old);
    await addFile(app(), "list.txt", "a list", maps);
    const tab = await open();
    const { page } = tab;
    await app().enter(tab);
    await page.goto(`${app().url}/admin/media?folder=${old}`);
    await heading(page, "Old maps").waitFor();
    await button(page, "Actions for the folder Old maps").click();
    await menuitem(page, "Rename").click();
    await field(page, "Name of the folder").fill("Charts");
    await button(page, "Save").click();
    await heading(page, "Charts").waitFor();
    await page.getByRole("navigation", { name: "The way to this folder" }).getByRole("link", { name: "Maps" }).click();
    await heading(page, "Maps").waitFor();
    // The files of the folder before are shown until those of this one are there.
    await page.getByRole("grid").locator("[data-cell][title='list.txt']").waitFor();
    expect(await names(page)).to.deep.equal(["list.txt"]);
    await button(page, "Actions for the folder Maps").click();
    await menuitem(page, "Move to…").click();
    // Neither into itself nor into what is in it.
    expect(
      await page
        .getByRole("dialog")
        .getByRole("radio", { name: /Maps|Charts/ })
        .count(),
    ).to.equal(0);
    await page.getByRole("dialog").getByRole("radio", { name: "Harbours" }).check();
    await button(page, "Move here").click();
    await said(page, "Folder Maps moved").waitFor();
    await page.getByRole("navigation", { name: "Folders" }).getByRole("link", { name: "Harbours" }).waitFor();
    await button(page, "Actions for the folder Maps").click();
    await menuitem(page, "Delete").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("The folder holds 1 file(s) and 1 folder(s); move or delete them first.").waitFor();
    await button(page, "Cancel").click();
    await page.getByRole("searchbox", { name: "Search files" }).fill("chart");
    await heading(page, "Found in all folders").waitFor();
    await page.waitForURL(/q=chart/);
    await file(page, "chart.png").waitFor();
    await page.getByRole("searchbox", { name: "Search files" }).fill("");
    await heading(page, "Maps").waitFor();
    await page.getByRole("navigation", { name: "Folders" }).getByRole("link", { name: "Harbours" }).click();
    await heading(page, "Harbours").waitFor();
    await page.getByRole("combobox", { name: "Order" }).selectOption("Name, A to Z");
    await page.getByRole("combobox", { name: "Kind of file" }).selectOption("Pictures");
    await page.waitForURL(/sort=/);
    await button(page, "As a list").click();
    await page.waitForURL(/view=list/);
    await expectSoon(() => names(page), ["image.png", "ship.png"]);
    await page.reload();
    await expectSoon(() => names(page), ["image.png", "ship.png"]);
    await page.getByRole("combobox", { name: "Kind of file" }).selectOption("Films");
    await page.getByText("No file found").waitFor();
    expect(tab.wrong).to.deep.equal([]);
  });

  it("show their texts, their focal point and where they are used, and are cut, replaced, and deleted with their uses named", async () => {
    const documentId = await addFile(app(), "boats.png", picture);
    const article = await app().create(ARTICLE, { title: "On boats", cover: (await find("boats.png"))?.id });
    const before = await find("boats.png");
    const tab = await open();
    const { page } = tab;
    await app().enter(tab);
    await page.goto(`${app().url}/admin/media`);
    await file(page, "boats.png").getByRole("button").click();
    await page.waitForURL(new RegExp(`file=${documentId}`));
    const drawer = page.getByRole("dialog", { name: "boats.png" });
    await field(page, "Alternative text").fill("Three boats");
    await field(page, "Caption").fill("In the morning");
    const point = drawer.getByRole("button", { name: /^Focal point/ });
    await point.click({ position: { x: 20, y: 20 } });
    await point.press("ArrowRight");
    await point.press("Shift+ArrowDown");
    await drawer.getByRole("button", { name: "Save" }).click();
    await said(page, "Saved").waitFor();
    const saved = await find("boats.png");
    expect(saved).to.include({ alternativeText: "Three boats", caption: "In the morning" });
    const { x, y } = (saved?.["focalPoint"] ?? {}) as { readonly x: number; readonly y: number };
    expect([x > 1 && x < 15, y > 11 && y < 25]).to.deep.equal([true, true]);

    await drawer.getByRole("button", { name: "Cut", exact: true }).click();
    await page.getByRole("spinbutton", { name: "From the left" }).fill("100");
    await page.getByRole("spinbutton", { name: "Width" }).fill("120");
    await page.getByRole("spinbutton", { name: "Height" }).fill("80");
    await page.getByRole("dialog", { name: "Cut a part" }).getByRole("button", { name: "Save as a new file" }).click();
    await page.getByRole("dialog", { name: "boats-cut.png" }).waitFor();
    expect(await find("boats-cut.png")).to.include({ width: 120, height: 80, alternativeText: "Three boats" });

    await page.goto(`${app().url}/admin/media?file=${documentId}`);
    let chosen: Uint8Array = photo;
    page.on(
      "filechooser",
      (chooser) => void chooser.setFiles({ name: "new.png", mimeType: "image/png", buffer: Buffer.from(chosen) }),
    );
    await drawer.getByRole("button", { name: "Replace" }).click();
    await drawer.getByText(/The url of this file ends in ".png" and stays/).waitFor();
    chosen = await drawPicture(500, 500, "png", "#009900");
    await drawer.getByRole("button", { name: "Replace" }).click();
    await drawer.getByText("500 × 500").waitFor();
    expect(await find("boats.png")).to.include({ width: 500, url: before?.["url"], alternativeText: "Three boats" });

    await drawer.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByText("It is used here:").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await field(page, "Caption").fill("Typed and not saved");
    await drawer.getByRole("button", { name: "Close" }).first().click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Keep" }).click();
    await drawer.getByRole("link", { name: /On boats/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Keep" }).click();
    expect(await field(page, "Caption").inputValue()).to.equal("Typed and not saved");
    await field(page, "Caption").fill("In the morning");
    await drawer.getByRole("link", { name: /On boats/ }).click();
    await page.waitForURL(new RegExp(article));
    await page.goto(`${app().url}/admin/media?file=${documentId}`);
    await drawer.getByRole("button", { name: "Delete" }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("link", { name: /On boats/ })
      .waitFor();
    await button(page, "Delete anyway").click();
    await said(page, "1 file deleted").waitFor();
    expect(await find("boats.png")).to.equal(undefined);
    expect((await app().read(ARTICLE, article))["cover"]).to.equal(null);
    expect(tab.wrong).to.deep.equal([]);
  });

  it("are opened, selected, moved and deleted by keyboard alone, also far down among thousands", async () => {
    await addFolder(app(), "Archive");
    await app().plinth.app.db.query({
      text: `insert into files (document_id, name, hash, ext, mime, size, url, provider, folder_path,
          created_at, updated_at, published_at)
        select 'row' || lpad(n::text, 21, '0'), 'row ' || n, 'row' || n, '.txt', 'text/plain', n, '/uploads/row' || n || '.txt',
          'local', '/', now(), now(), now() from generate_series(1, 2000) n`,
      values: [],
    });
    const tab = await open();
    const { page } = tab;
    await app().enter(tab);
    // A further page that fails is asked for again by the reader alone.
    let refusals = 0;
    await page.route(/\/files\?.*cursor=/, async (route) => {
      refusals += 1;
      await route.fulfill({ status: 400, json: { error: { message: "Not this page" } } });
    });
    await page.goto(`${app().url}/admin/media?view=list`);
    await page.getByRole("gridcell").first().waitFor();
    await page.getByRole("grid").hover();
    await page.mouse.wheel(0, 10_000);
    await page.getByText("Not this page").waitFor();
    await page.waitForTimeout(500);
    expect(refusals).to.equal(1);
    await page.unroute(/\/files\?.*cursor=/);
    await button(page, "Try again").click();
    await page.getByText("Not this page").waitFor({ state: "detached" });
    await page.mouse.wheel(0, -100_000);
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("title"));
    await file(page, "row 2000").getByRole("button").focus();
    for (let row = 0; row < 100; row += 1) await page.keyboard.press("ArrowDown", { delay: 10 });
    await expectSoon(focused, "row 1900");
    expect(await page.getByRole("gridcell").count()).to.be.below(60);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await page.getByText("1 file selected").waitFor();
    await page.keyboard.press("ArrowUp");
    await expectSoon(focused, "row 1901");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "row 1901" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expectSoon(focused, "row 1901");
    await button(page, "Move to…").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("radio", { name: "Archive" }).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await said(page, "1 file moved").waitFor();
    expect((await find("row 1900"))?.["folderPath"]).to.match(/^\/\d+$/);
    for (const name of ["row 1903", "row 1904"]) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    await button(page, "Delete").press("Enter");
    await page.getByText("No document that you can see uses it.").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).press("Enter");
    await said(page, "2 files deleted").waitFor();
    expect(await find("row 1904")).to.equal(undefined);
    expect(tab.wrong).to.deep.equal([]);
  });

  it("are chosen on the same screen within a form: in folders, several at once, of the allowed kinds, and uploaded there", async () => {
    const covers = await addFolder(app(), "Covers");
    await addFile(app(), "first.png", picture, covers);
    await addFile(app(), "words.txt", "no picture", covers);
    const tab = await open();
    const { page } = tab;
    await app().enter(tab);
    await page.goto(`${app().url}/admin/single/api::home.home`);
    await page.getByRole("group", { name: "Gallery" }).getByRole("button", { name: "Choose from the library" }).click();
    const drawer = page.getByRole("dialog", { name: "Library" });
    await drawer.getByRole("list", { name: "Folders in this one" }).getByRole("button", { name: "Covers" }).click();
    await drawer.getByRole("heading", { name: "Covers" }).waitFor();
    await expectSoon(() => names(page), ["first.png"]);
    await drawer.getByRole("button", { name: "first.png", exact: false }).first().click();
    page.on(
      "filechooser",
      (chooser) => void chooser.setFiles({ name: "second.png", mimeType: "image/png", buffer: Buffer.from(picture) }),
    );
    await drawer.getByRole("button", { name: "Upload" }).click();
    await button(page, "Choose 2 files").click();
    await drawer.waitFor({ state: "detached" });
    await page.getByRole("group", { name: "Gallery" }).getByText("second.png").waitFor();
    await button(page, "Save and publish").click();
    await said(page, "Saved").waitFor();
    const home = (await app().read("api::home.home", "single"))["gallery"] as readonly { readonly name: string }[];
    expect(home.map(({ name }) => name)).to.deep.equal(["first.png", "second.png"]);
    expect(tab.wrong).to.deep.equal([]);
  });

  it("are shown together with their folders, so that nothing moves below the pointer of somebody who begins", async () => {
    const folder = await addFolder(app(), "Late");
    await addFile(app(), "early.png", picture, folder);
    const tab = await open();
    const { page } = tab;
    await app().enter(tab, "super");
    const { promise: known, resolve: tellFolders } = withResolvers<void>();
    await page.route("**/admin/api/folders", async (route) => {
      await known;
      await route.fallback();
    });
    const files = page.waitForResponse((response) => response.url().includes("/admin/api/files?"));
    await page.goto(`${app().url}/admin/media?folder=${folder}`);
    await files;
    await page.locator("[class*='_bone']").first().waitFor();
    expect(await file(page, "early.png").count()).to.equal(0);
    tellFolders();
    await file(page, "early.png").waitFor();
    await heading(page, "Late").waitFor();
    expect(tab.wrong).to.deep.equal([]);
  });

  it("are only read by an author where others uploaded them, who sees no action that the role lacks", async () => {
    const documentId = await addFile(app(), "of-editor.png", picture);
    const tab = await open();
    const { page } = tab;
    await app().enter(tab, "author");
    await page.goto(`${app().url}/admin/media?file=${documentId}`);
    const drawer = page.getByRole("dialog", { name: "of-editor.png" });
    await drawer.getByText("super@example.com", { exact: false }).or(drawer.getByText("super")).first().waitFor();
    for (const name of ["Save", "Delete", "Replace"])
      expect(await drawer.getByRole("button", { name, exact: true }).count(), name).to.equal(0);
    expect(await field(page, "Name").getAttribute("readonly")).to.equal("");
    await drawer.getByRole("button", { name: "Close" }).first().click();
    await button(page, "Upload").waitFor();
    expect(await button(page, "New folder").count()).to.equal(0);
    expect(tab.wrong).to.deep.equal([]);
  });
});
