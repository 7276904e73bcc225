import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOURCE = join(import.meta.dirname, "apps", "extended");
const INSTALLED = join(import.meta.dirname, "..", "node_modules");

/** A copy of test/apps/extended with its packages where npm puts them; removed after the suite. */
export function installExtendedApp(): string {
  const root = mkdtempSync(join(tmpdir(), "plinth-extended-"));
  cpSync(SOURCE, root, { recursive: true });
  mkdirSync(join(root, "node_modules"));
  symlinkSync(join(INSTALLED, "@plinth"), join(root, "node_modules", "@plinth"), "junction");
  cpSync(join(SOURCE, "packages"), join(root, "node_modules"), { recursive: true });
  after("remove the app", () => rmSync(root, { recursive: true, force: true }));
  return root;
}
