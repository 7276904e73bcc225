import type { Page } from "playwright-core";
import type { BrowserApp } from "./browser-app.js";
import { addFile, addFolder, drawPicture } from "./library.js";
import type { Screen } from "./screens.js";

const ARTICLE = "api::article.article";
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name }).waitFor();
const cells = (page: Page) => page.getByRole("gridcell").first().waitFor();

/** What the screen of files shows: a folder with a folder and a picture that an article holds, and a text. */
export interface ShownFiles {
  readonly folder: string;
  readonly picture: string;
}

/** Writes what the screen of files shows. */
export async function writeFiles(app: BrowserApp): Promise<ShownFiles> {
  const folder = await addFolder(app, "Pictures");
  await addFolder(app, "Of ships", folder);
  const picture = await addFile(app, "harbour.png", await drawPicture(640, 400, "png", "#336699"), folder);
  await addFile(app, "notes.txt", "notes", folder);
  await app.create(ARTICLE, { title: "At the harbour", cover: picture });
  return { folder, picture };
}

/** Screens of files as they are loaded. */
export const mediaScreens = ({ folder }: ShownFiles): readonly Screen[] => [
  { name: "media", path: `/media?folder=${folder}`, ready: cells },
  { name: "media-list", path: `/media?folder=${folder}&view=list`, ready: cells },
  {
    name: "media-nothing-found",
    path: "/media?q=zzzz",
    ready: (page) => page.getByText("No file found").waitFor(),
  },
];

/** What is open, or said, after something was done with files. */
export const mediaStates = ({ folder, picture }: ShownFiles): readonly Screen[] => {
  const media = (name: string, act: NonNullable<Screen["act"]>): Screen => ({
    ...{ name, act, path: `/media?folder=${folder}`, ready: cells },
  });
  const file = (name: string, act: NonNullable<Screen["act"]>): Screen => ({
    ...{ name, act, path: `/media?file=${picture}`, ready: (page) => dialog(page, "harbour.png") },
  });
  const select = async (page: Page) => page.getByRole("checkbox", { name: "Select harbour.png" }).check();
  return [
    media("media-new-folder", async (page) => {
      await button(page, "New folder").click();
      await dialog(page, "New folder");
    }),
    media("media-move", async (page) => {
      await select(page);
      await button(page, "Move to…").click();
      await dialog(page, "Where should 1 file go?");
    }),
    media("media-upload-failed", async (page) => {
      page.on("filechooser", (chooser) => {
        void chooser.setFiles({ name: "false.pdf", mimeType: "application/pdf", buffer: Buffer.from("no pdf") });
      });
      await button(page, "Upload").click();
      await page.getByRole("region", { name: "Uploads" }).getByRole("alert").waitFor();
    }),
    file("media-file", (page) => page.getByRole("link", { name: /At the harbour/ }).waitFor()),
    file("media-cut", async (page) => {
      await button(page, "Cut").click();
      await page.getByRole("spinbutton", { name: "Width" }).waitFor();
    }),
    file("media-delete", async (page) => {
      await button(page, "Delete").click();
      await page
        .getByRole("alertdialog")
        .getByRole("link", { name: /At the harbour/ })
        .waitFor();
    }),
  ];
};
