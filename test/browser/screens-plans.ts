import { jobs } from "@plinth/plugin-jobs";
import { releases, schedules } from "@plinth/plugin-schedule";
import { webhooks } from "@plinth/plugin-webhooks";
import type { Page } from "playwright-core";
import type { BrowserApp } from "./browser-app.js";
import type { Screen } from "./screens.js";

const ARTICLE = "api::article.article";
const DAY = 86_400_000;

const heading = (name: string | RegExp) => (page: Page) => page.getByRole("heading", { name, level: 1 }).waitFor();
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name }).waitFor();

/** What the screens of plans and of those who run the site show. */
interface Shown {
  readonly document: string;
  readonly release: number;
  readonly webhook: string;
}

const known = new WeakMap<BrowserApp, Promise<Shown>>();

/** Made once: screens and states show the same. */
function shownBy(app: BrowserApp): Promise<Shown> {
  const made = known.get(app) ?? make(app);
  known.set(app, made);
  return made;
}

async function make(app: BrowserApp): Promise<Shown> {
  const server = app.plinth.app;
  const document = await app.create(ARTICLE, { title: "Goes out tomorrow" });
  const place = { type: ARTICLE, documentId: document, locale: "en" };
  const publishAt = new Date(Date.now() + DAY);
  await server.service(schedules).plan(place, { publishAt, unpublishAt: new Date(Date.now() + 3 * DAY) });
  await server.documents(ARTICLE).update({ documentId: document, data: { seo: { metaTitle: null } } });
  const actions = [{ ...place, action: "publish" as const }];
  const { id: release } = await server.service(releases).create({ name: "Spring", actions });
  await server.service(releases).run(release);
  const { id: other } = await server.service(releases).create({
    ...{
      name: "Summer",
      actions: [{ ...place, documentId: await app.create(ARTICLE, { title: "Of summer" }), action: "publish" }],
    },
  });
  await server.service(releases).schedule(other, new Date(Date.now() + DAY));
  const { documentId: webhook } = await server.service(webhooks).create({
    name: "Site",
    url: "https://site.example.com/hooks",
    events: ["entry.publish"],
    headers: { authorization: "x" },
  });
  await server.db.query({
    text: `insert into plinth_jobs (name, state, at, fault, data, attempt) values ('newsletter', 'dead', now(), '{"message": "the server said no"}', '{"to": "all"}', 5)`,
    values: [],
  });
  await server.extension(jobs).idle();
  return { document, release, webhook };
}

/** Screens as they are loaded. */
export async function plansScreens(app: BrowserApp): Promise<readonly Screen[]> {
  const { release, webhook } = await shownBy(app);
  return [
    {
      name: "calendar",
      path: "/calendar",
      ready: (page) => page.getByText("Summer").first().waitFor({ state: "attached" }),
    },
    { name: "calendar-week", path: "/calendar?view=week", ready: heading("Calendar") },
    {
      name: "calendar-agenda",
      path: "/calendar?view=agenda",
      ready: (page) => page.getByText("Summer").first().waitFor(),
    },
    {
      name: "calendar-empty",
      path: "/calendar?day=2031-01-01",
      ready: (page) => page.getByText("Nothing is planned here").waitFor(),
    },
    { name: "releases", path: "/releases", ready: (page) => page.getByRole("link", { name: "Spring" }).waitFor() },
    {
      name: "releases-empty",
      path: "/releases?state=open",
      ready: (page) => page.getByText("No such release").waitFor(),
    },
    { name: "release", path: `/releases/${release}`, ready: heading("Spring") },
    {
      name: "webhooks",
      path: "/settings/webhooks",
      ready: (page) => page.getByRole("link", { name: "Site" }).waitFor(),
    },
    { name: "webhook-new", path: "/settings/webhooks/new", ready: heading("New webhook") },
    { name: "webhook", path: `/settings/webhooks/${webhook}`, ready: heading("Site") },
    { name: "jobs", path: "/settings/jobs", ready: (page) => page.getByText("the server said no").waitFor() },
    {
      ...{ name: "jobs-forbidden", path: "/settings/jobs", role: "editor" },
      ready: (page) => page.getByText("You do not have access to this").waitFor(),
    },
  ];
}

/** What is open, or said, after something was done. */
export async function plansStates(app: BrowserApp): Promise<readonly Screen[]> {
  const { document, release, webhook } = await shownBy(app);
  const of = (screen: Omit<Screen, "ready">, name: string | RegExp): Screen => ({ ...screen, ready: heading(name) });
  return [
    of(
      {
        ...{ name: "plan-dialog", path: `/content/${ARTICLE}/${document}` },
        act: async (page) => {
          await button(page, "Change").first().click();
          await dialog(page, "Publish at a time");
          const zone = page.getByRole("dialog").getByRole("combobox", { name: "Time zone" });
          // The others are listed once somebody is about to choose.
          await zone.focus();
          await zone.selectOption("Europe/Berlin");
          await page.getByLabel("Publish at", { exact: true }).fill("2031-03-30T02:30");
          await page.getByLabel("Take back at", { exact: true }).fill("2031-10-26T02:30");
          await page.getByText("comes twice").waitFor();
        },
      },
      "Goes out tomorrow",
    ),
    of(
      {
        ...{ name: "release-new", path: "/releases" },
        act: async (page) => {
          await button(page, "New release").click();
          await page.getByRole("checkbox").first().waitFor();
        },
      },
      "Releases",
    ),
    of(
      {
        ...{ name: "release-check", path: `/releases/${release}` },
        act: async (page) => {
          await button(page, "Check").click();
          await page.getByText("What the check found").waitFor();
        },
      },
      "Spring",
    ),
    of(
      {
        ...{ name: "webhook-replay", path: `/settings/webhooks/${webhook}` },
        act: async (page) => {
          await button(page, "Send again").click();
          await dialog(page, "Send again");
        },
      },
      "Site",
    ),
  ];
}
