// Takes the pictures of the guide for editors in a real Chromium: `npm run guide-pictures [-- name ...]`.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT, ensureReady } from "./ensure-ready.mjs";
import { findChromium } from "./find-chromium.mjs";

async function main() {
  await ensureReady();
  const PLINTH_CHROMIUM = await findChromium();
  const script = join("test", "browser", "guide", "take-pictures.ts");
  const args = ["--conditions=plinth-source", "--import", "tsx", script, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, PLINTH_CHROMIUM },
  });
  return await new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) => done(code ?? 1));
  });
}

process.exitCode = await main().catch((error) => {
  console.error(`[plinth] ${error.message}`);
  return 1;
});
