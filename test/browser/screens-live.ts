import type { Page } from "playwright-core";
import { signIn } from "../plugins/admin/sign-in.js";
import type { BrowserApp } from "./browser-app.js";
import type { Screen } from "./screens.js";

const ARTICLE = "api::article.article";
const titleField = (page: Page) => page.getByRole("textbox", { name: "Title", exact: true }).waitFor();

/** Says as an editor where they are, and what they save: as another browser would. */
async function asEditor(app: BrowserApp, documentId: string): Promise<void> {
  const by = await signIn(app.plinth.app, "editor");
  const at = { uid: ARTICLE, documentId, locale: "en", field: "summary" };
  await app.ask("POST", "/admin/api/presence", by, { tab: "a1b2c3d4", at });
}

/** Screens with others at work, and those of earlier versions. */
export async function liveScreens(app: BrowserApp): Promise<readonly Screen[]> {
  const documents = app.plinth.app.documents(ARTICLE as string);
  const shared = await app.create(ARTICLE, { title: "With others", summary: "before" });
  const old = await app.create(ARTICLE, {
    ...{ title: "A first title", summary: "It weaves patterns of numbers.", rank: 3 },
    sections: [{ __component: "shared.quote", words: "To be" }],
  });
  const data = { title: "A second title", summary: "It weaves figures of numbers.", rank: 4, sections: [] };
  await documents.update({ documentId: old, data });
  const gone = await app.create(ARTICLE, { title: "Deleted by mistake" });
  await documents.delete({ documentId: gone });
  const history = `/content/${ARTICLE}/${old}?tab=history`;
  return [
    {
      ...{ name: "people", path: `/content/${ARTICLE}/${shared}`, ready: titleField, isLive: true },
      act: async (page) => {
        await asEditor(app, shared);
        await page.getByText("In this field:").waitFor();
        await page.getByRole("textbox", { name: "Title", exact: true }).fill("Mine");
        await documents.update({ documentId: shared, data: { summary: `after ${Date.now()}` } });
        await page.getByRole("button", { name: "Take in" }).waitFor();
      },
    },
    { name: "versions", path: history, ready: (page) => page.getByRole("region", { name: "Summary" }).waitFor() },
    {
      ...{ name: "deleted", path: `/content/${ARTICLE}/deleted` },
      ready: (page) => page.getByText("Deleted by mistake").waitFor(),
    },
    {
      ...{ name: "deleted-none", path: "/content/api::tag.tag/deleted" },
      ready: (page) => page.getByText("Nothing was deleted").waitFor(),
    },
  ];
}
