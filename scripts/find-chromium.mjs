// Where the Chromium of this machine is: for scripts that open the admin page.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./ensure-ready.mjs";

const USUAL_PATHS = [
  // Debian's without windows: the same pages take half of the processor time.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];
const PACKAGE = "@sparticuz/chromium";
const HELP = `There is no Chromium for the admin page. Do one of these, and run this again:
  set PLINTH_CHROMIUM to the path of a Chromium or Chrome
  install one: on Debian "apt-get install chromium-headless-shell", on Ubuntu "apt-get install chromium"
  on Linux x64: npm install --no-save ${PACKAGE}`;

/**
 * The path of a Chromium: the one that `PLINTH_CHROMIUM` names, a usual one, or that of an npm package. Rejects with what to
 * do where there is none.
 *
 * @returns {Promise<string>}
 */
export async function findChromium() {
  const named = process.env.PLINTH_CHROMIUM;
  const found = named ? [named].find(existsSync) : (USUAL_PATHS.find(existsSync) ?? (await packagedChromium()));
  if (!found) throw new Error(HELP);
  return found;
}

async function packagedChromium() {
  const require = createRequire(join(ROOT, "package.json"));
  let path;
  try {
    path = require.resolve(PACKAGE);
  } catch {
    return undefined;
  }
  const { default: chromium } = await import(pathToFileURL(path).href);
  return await chromium.executablePath();
}
