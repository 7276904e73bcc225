import { join } from "node:path";
import { CORE_FOLDER } from "../core-package.js";

/** The sample app as it was packed with this package: what a new app is copied from. */
export const TEMPLATE_FOLDER = join(CORE_FOLDER, "dist", "template");

/** Files of a new app that a workspace cannot have: `every` for all of them, `empty` for those without sample content. */
export const SCAFFOLD_FOLDER = join(CORE_FOLDER, "scaffold");

/** What of the template does not belong to a new app, or is written anew. */
export const NOT_COPIED: readonly string[] = ["package.json", "package-lock.json", "tsconfig.json", "README.md"];

/** What of the template is sample content. */
export const SAMPLE: readonly string[] = [
  "sample",
  "src/api",
  "src/components",
  "src/index.ts",
  "src/sample-content.ts",
  "src/articles.test.ts",
  "types/generated.d.ts",
];
