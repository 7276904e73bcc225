import type { Page } from "playwright-core";
import type { BrowserApp } from "./browser-app.js";
import { FRONT_END } from "./browser-app.js";
import type { Screen } from "./screens.js";

const ARTICLE = "api::article.article";
const EVENT = "api::event.event";

const FRONT_PAGE = "<!doctype html><html lang='en'><title>Site</title><h1 data-plinth-path='name'>Open day</h1></html>";

const side = (page: Page) => page.getByRole("button", { name: "Take Summary from English (en)" }).waitFor();

/** A document with German beside its English, and all languages of a list. */
export async function languageScreens(app: BrowserApp): Promise<readonly Screen[]> {
  const id = await app.create(ARTICLE, {
    ...{ title: "In two languages", summary: "Of the English.", seo: { metaTitle: "Two" } },
    body: [{ type: "paragraph", children: [{ type: "text", text: "Words to be translated" }] }],
    sections: [{ __component: "shared.quote", words: "To be" }],
  });
  await app.plinth.app
    .documents(ARTICLE)
    .update({ documentId: id, locale: "de", status: "draft", data: { title: "In zwei Sprachen" } });
  return [
    { name: "side-by-side", path: `/content/${ARTICLE}/${id}?locale=de&beside=en`, ready: side },
    {
      name: "languages",
      path: `/content/${ARTICLE}?as=languages`,
      ready: (page) => page.getByRole("link", { name: /In two languages, German \(de\)/ }).waitFor(),
    },
  ];
}

/** What is asked before a language is filled in, and the front end beside a form. */
export async function languageStates(app: BrowserApp): Promise<readonly Screen[]> {
  const id = await app.create(ARTICLE, { title: "Only in English", summary: "To be filled in." });
  const event = await app.create(EVENT, { name: "Open day", isPublic: true });
  return [
    {
      name: "fill-in",
      path: `/content/${ARTICLE}/${id}?locale=fr`,
      ready: (page) => page.getByRole("group", { name: "Summary" }).waitFor(),
      act: async (page) => page.getByRole("dialog", { name: /^Fill in French/ }).waitFor(),
    },
    {
      name: "preview",
      path: `/content/${EVENT}/${event}`,
      ready: (page) => page.getByRole("textbox", { name: "Name" }).waitFor(),
      act: async (page) => {
        await page
          .context()
          .route(`${FRONT_END}/**`, (route) => route.fulfill({ contentType: "text/html", body: FRONT_PAGE }));
        await page.getByRole("button", { name: "Preview", exact: true }).click();
        await page.frameLocator("iframe").getByText("Open day").waitFor();
      },
    },
  ];
}
