// Started by `npm run guide-pictures`: the pictures of editing.md and owning.md in plugins/admin/guides, of an app that it starts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import sharp from "sharp";
import { type BrowserApp, startBrowserApp } from "../browser-app.js";
import { freePort } from "../../free-port.js";
import { withoutEvents } from "../without-events.js";
import { setTimes, writeMagazine } from "./magazine.js";
import { writePlans } from "./magazine-plans.js";
import { components, contentTypes } from "./magazine-model.js";
import { ownerPictures } from "./owner-pictures.js";
import { NOW, type Picture, picturesOf } from "./pictures.js";
import { writeSettings } from "./settings.js";
import { createSite } from "./site.js";

const PICTURES = join(import.meta.dirname, "../../../plugins/admin/guides/pictures");
const WIDTH = 1280;
const HEIGHT = 800;
/** How long a picture waits for what it shows, in milliseconds. */
const PATIENCE = 15_000;
/** Around what a picture is cut to, in pixels. */
const MARGIN = 10;

async function main(chosen: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "plinth-guide-pictures-"));
  const executablePath = process.env["PLINTH_CHROMIUM"] ?? "";
  const port = await freePort();
  const app = await startMagazine(folder, `http://127.0.0.1:${port}`);
  const site = createSite(() => app.url).listen(port, "127.0.0.1");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--force-prefers-reduced-motion"] });
  try {
    const magazine = await writeMagazine(app);
    await setTimes(app, NOW);
    await writePlans(app, magazine);
    const all = [...picturesOf(app, magazine), ...ownerPictures];
    const pictures = all.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
    mkdirSync(PICTURES, { recursive: true });
    const isOfOwners = (picture: Picture) => ownerPictures.includes(picture);
    for (const picture of pictures.filter((one) => !isOfOwners(one))) await take(app, browser, picture);
    // After the others, which show nothing of it.
    if (pictures.some(isOfOwners)) await writeSettings(app, magazine);
    for (const picture of pictures.filter(isOfOwners)) await take(app, browser, picture);
  } finally {
    site.closeAllConnections();
    site.close();
    await browser.close();
    await app.plinth.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param front - origin of the site */
const startMagazine = (folder: string, front: string) =>
  startBrowserApp(folder, {
    app: { contentTypes, components } as never,
    pluginConfigs: {
      "api-tokens": { loginLimit: 1000 },
      // Versions are as old as the pictures.
      history: { days: 3_650 },
      admin: { preview: { origins: [front] } },
      // Plans are those of the day of the pictures.
      jobs: { work: false },
      upload: { providerOptions: { directory: join(folder, "uploads") } },
    },
    config: {
      server: { port: 0 },
      database: { client: "pglite", directory: ":memory:" },
      i18n: { defaultLocale: "en", locales: ["en", "de", "fr"] },
    },
  });

async function take(app: BrowserApp, browser: Browser, picture: Picture): Promise<void> {
  const context = await browser.newContext({
    ...{ locale: "en-US", timezoneId: "UTC", colorScheme: "light", reducedMotion: "reduce" },
    viewport: { width: WIDTH, height: picture.height ?? HEIGHT },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.clock.setFixedTime(picture.isToday ? new Date() : NOW);
  if (!picture.isSignedOut) await app.enter({ page, context, wrong: [] });
  // Until editors and files are there, what is opened is not yet at its place.
  const until = picture.isLive ? "load" : "networkidle";
  if (!picture.isLive) await withoutEvents(context);
  await page.goto(`${app.url}/admin${picture.path}`, { waitUntil: until });
  await picture.show(page).catch(async (error: unknown) => {
    throw new TypeError(`${picture.name}: ${await page.locator("body").innerText()}`, { cause: error });
  });
  if (!picture.hasFrame) await page.waitForLoadState(until);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const clip = picture.of && (await around(page, picture.of(page)));
  const taken = await page.screenshot({ animations: "disabled", caret: "hide", ...(clip ? { clip } : {}) });
  // The colours of the page fit a palette, which halves the file.
  const small = await sharp(taken).png({ palette: true, dither: 0, effort: 10 }).toBuffer();
  writeFileSync(join(PICTURES, `${picture.name}.png`), small);
  console.log(`${picture.name}.png: ${Math.ceil(small.length / 1000)} kB`);
  await context.close();
}

/** The part of the window that holds all of these, with a margin. */
async function around(page: Page, locators: readonly Locator[]) {
  const boxes = [];
  for (const locator of locators) {
    const box = await locator.boundingBox();
    if (!box) throw new TypeError(`There is no ${locator}.`);
    boxes.push(box);
  }
  const { width = WIDTH, height = HEIGHT } = page.viewportSize() ?? {};
  const left = Math.max(0, Math.floor(Math.min(...boxes.map(({ x }) => x)) - MARGIN));
  const top = Math.max(0, Math.floor(Math.min(...boxes.map(({ y }) => y)) - MARGIN));
  const right = Math.min(width, Math.ceil(Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN));
  const bottom = Math.min(height, Math.ceil(Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

await main(process.argv.slice(2));
